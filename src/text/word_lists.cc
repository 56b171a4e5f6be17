#include "textcrs/text/word_lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text/text_file.h"
#include "text/utf8.h"
#include "text/word_index.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnglish = "english";
constexpr size_t kMostLines = 1'000'000;  // a line of a few letters takes a hundred bytes

bool is_portable(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
}

size_t count_lines(const fs::path& path, const std::string& content) {
  const size_t lines = 1 + static_cast<size_t>(std::count(content.begin(), content.end(), '\n'));
  if (lines > kMostLines)
    throw bad_input(
        fmt::format("{}: found more than {} lines, expected fewer", path.string(), kMostLines));
  return lines;
}

}  // namespace

void save_clusters(const fs::path& path, const Clusters& clusters) {
  std::string content;
  for (const std::vector<std::string>& cluster : clusters)
    content += fmt::format("{}\n", fmt::join(cluster, " "));
  write_file_atomically(path, as_text_file(std::move(content)));
}

Clusters load_clusters(const fs::path& path) {
  const std::string content = read_text_file(path);
  Clusters clusters;
  clusters.reserve(count_lines(path, content));
  LineReader lines(content);
  for (std::string_view line; lines.next(line);) {
    std::vector<std::string>& cluster = clusters.emplace_back();
    cluster.reserve(2);
    for (std::string_view rest = line;;) {
      const size_t end = std::min(rest.find(' '), rest.size());
      cluster.emplace_back(rest.substr(0, end));
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    if (cluster.size() < 2 || std::find(cluster.begin(), cluster.end(), "") != cluster.end() ||
        line.find('\r') != line.npos)
      throw bad_line(path, lines.number(),
                     fmt::format("found {}, expected two words or more, with a space between them",
                                 in_quotes(line)));
  }
  return clusters;
}

void save_stop_words(const fs::path& path, const StopWords& stop_words) {
  std::string content;
  for (const std::string& word : stop_words.words) content += word + "\n";
  write_file_atomically(path, as_text_file(std::move(content)));
}

StopWords load_stop_words(const fs::path& path, std::string name) {
  const std::string content = read_text_file(path);
  WordIndex words;
  words.reserve(count_lines(path, content));
  LineReader lines(content);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = trim(line);
    if (word.empty()) continue;
    if (std::any_of(word.begin(), word.end(), [](char c) { return is_blank({&c, 1}); }))
      throw bad_line(path, lines.number(),
                     fmt::format("found {}, expected one word per line", in_quotes(word)));
    if (words.find(word) != WordIndex::kNone)
      throw bad_line(path, lines.number(),
                     fmt::format("found {} again, expected different words", in_quotes(word)));
    words.add(word);
  }
  return {std::move(name), std::move(words).take()};
}

std::string stop_list_name(std::string_view list) {
  if (list == kEnglish) return std::string(list);
  const std::string name = fs::path(list).stem().string();
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_portable))
    throw usage_error(fmt::format(
        "stop words {}: a list is called as its file is, expected letters, digits, '-' and '_'",
        list));
  if (name == kEnglish)
    throw usage_error(fmt::format(
        "stop words {}: {} is the list that is built in, expected another name for a file", list,
        kEnglish));
  return name;
}

StopWords find_stop_words(const std::string& list) {
  std::string name = stop_list_name(list);
  if (list == kEnglish) return {std::move(name), english_stop_words()};
  if (!is_there(list))
    throw usage_error(fmt::format(
        "stop words {}: there is no such file; the list that is built in is {}", list, kEnglish));
  return load_stop_words(list, std::move(name));
}

}  // namespace textcrs
