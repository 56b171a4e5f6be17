#include "fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "text/temporary_folder.h"

namespace textcrs::fuzz {
namespace fs = std::filesystem;

void require(bool holds, std::string_view property) {
  if (holds) return;
  std::fprintf(stderr, "finding: this does not hold: %.*s\n", static_cast<int>(property.size()),
               property.data());
  std::abort();
}

Choice::Choice(std::string_view input, unsigned count) : rest(input) {
  if (input.empty()) return;
  which = static_cast<unsigned char>(input[0] - '0') % count;
  rest.remove_prefix(1);
}

Halves::Halves(std::string_view input) : first(input.substr(0, input.find('\0'))) {
  second = input.substr(std::min(first.size() + 1, input.size()));
}

fs::path file_with(std::string_view content, const std::string& name) {
  static const TemporaryFolder folder;
  fs::path path = folder.path() / name;
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
  return path;
}

void check_refusal(const Error& error, std::initializer_list<ErrorKind> kinds) {
  const std::string message = error.what();
  const bool holds = std::find(kinds.begin(), kinds.end(), error.kind()) != kinds.end() &&
                     !message.empty() && message.find('\n') == message.npos;
  if (!holds) std::fprintf(stderr, "an Error of kind %d: %s\n", error.exit_code(), message.c_str());
  require(holds, "a refusal has the right kind, and a message of one line");
}

}  // namespace textcrs::fuzz
