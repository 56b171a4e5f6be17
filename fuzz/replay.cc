// Feeds a target what libFuzzer found before, with the ordinary compiler and without libFuzzer:
//   x_replay FOLDER
// gives it every file of the folder, cut short as well, and some texts that are too large to be
// kept as files, each also behind the first bytes of the files, by which some targets choose.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"

namespace {

namespace fs = std::filesystem;

// What makes readers recurse, or go over a text again and again.
constexpr size_t kRepeats = 100'000;
constexpr std::string_view kRepeated[] = {"[", "{", "{\"a\":", "[{\"a\":[", "\"", "\\",  "\n", "\t",
                                          ",", " ", "a",       "a ",        "<",  "<b ", "&",  "&#",
                                          "'", "1", "\xff",    "\xcc\x81"};

std::string repeated(std::string_view text) {
  std::string all;
  all.reserve(kRepeats * text.size());
  for (size_t i = 0; i < kRepeats; ++i) all += text;
  return all;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void feed(std::string_view name, std::string_view input) {
  std::printf("%.*s, %zu bytes\n", static_cast<int>(name.size()), name.data(), input.size());
  std::fflush(stdout);  // what ends the process is seen after its input's name
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

// A file that a full disk or a broken download left behind.
void feed_cut(const std::string& name, const std::string& input) {
  constexpr size_t kCuts = 8;
  for (size_t i = 0; i < kCuts; ++i)
    feed(name + ", cut", input.substr(0, input.size() * i / kCuts));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !fs::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(argv[1]))
    files.insert(entry.path());
  if (files.empty()) {
    std::fprintf(stderr, "%s: found no files\n", argv[1]);
    return 1;
  }
  std::set<std::string> starts = {""};
  for (const fs::path& path : files) {
    const std::string input = content_of(path);
    starts.insert(input.substr(0, 1));
    feed(path.filename().string(), input);
    feed_cut(path.filename().string(), input);
  }
  for (const std::string_view text : kRepeated) {
    const std::string input = repeated(text);
    for (const std::string& start : starts)
      feed("'" + start + "' and many '" + std::string(text) + "'", start + input);
  }
  return 0;
}
