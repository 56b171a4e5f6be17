#include "textcrs/text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

constexpr std::array<std::string_view, 3> kSpecial = {"<pad>", "<unk>", "<mask>"};

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& words) {
  words_.reserve(words.size() + kSpecial.size());
  ids_.reserve(words.size() + kSpecial.size());
  const auto add = [this](std::string_view word) {
    const auto id = static_cast<WordId>(words_.size());
    if (word.empty() || word.find_first_of("\r\n") != word.npos)
      throw bad_input(fmt::format("vocabulary: found {} as word {}, expected a word in one line",
                                  in_quotes(word), id));
    const auto [held, is_new] = ids_.emplace(word, id);
    if (!is_new)
      throw bad_input(
          fmt::format("vocabulary: found {} as word {} and as word {}, expected "
                      "different words",
                      in_quotes(word), held->second, id));
    words_.emplace_back(word);
  };
  for (const std::string_view word : kSpecial) add(word);
  for (const std::string& word : words) add(word);
}

WordId Vocabulary::id(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kUnk : found->second;
}

bool Vocabulary::holds(std::string_view word) const { return ids_.find(word) != ids_.end(); }

std::vector<WordId> Vocabulary::encode(const std::vector<std::string>& words) const {
  std::vector<WordId> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(id(word));
  return ids;
}

void Vocabulary::save(const std::filesystem::path& path) const {
  std::string content;
  for (const std::string& word : words_) content.append(word).append("\n");
  write_file_atomically(path, content);
}

Vocabulary Vocabulary::load(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  if (const auto at = find_invalid_utf8(content))
    throw bad_input(fmt::format("{}: found the byte 0x{:02x} at offset {}, expected UTF-8",
                                path.string(), static_cast<unsigned char>(content[*at]), *at));
  std::vector<std::string> words;
  size_t line = 0;
  for (size_t at = 0; at < content.size() || line < kSpecial.size(); ++line) {
    const size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view word =
        at < content.size() ? std::string_view(content).substr(at, end - at) : "";
    if (line < kSpecial.size() && word != kSpecial[line])
      throw bad_input(fmt::format("{}:{}: found {}, expected {}", path.string(), line + 1,
                                  in_quotes(word), kSpecial[line]));
    if (line >= kSpecial.size()) words.emplace_back(word);
    at = end + 1;
  }
  try {
    return Vocabulary(words);
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace textcrs
