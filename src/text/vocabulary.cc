#include "textcrs/text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "text/utf8.h"
#include "text/word_index.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

constexpr std::array<std::string_view, 3> kSpecial = {"<pad>", "<unk>", "<mask>"};

}  // namespace

struct Vocabulary::Words {
  Growth growth;
  WordIndex index;  // places are ids

  // A bad_input Error for a word that is no line of a file, or is there already.
  void add(std::string_view word) {
    const size_t place = index.words().size();
    if (word.empty() || word.find_first_of("\r\n") != word.npos)
      throw bad_input(fmt::format("vocabulary: found {} as word {}, expected a word in one line",
                                  in_quotes(word), place));
    if (const WordId held = index.find(word); held != WordIndex::kNone)
      throw bad_input(
          fmt::format("vocabulary: found {} as word {} and as word {}, expected different words",
                      in_quotes(word), held, place));
    index.add(word);
  }
};

size_t OwnWords::add(std::string_view word) {
  if (word.empty()) throw bad_input("a text: found an empty word, expected none");
  const auto [held, is_new] = places_.try_emplace(std::string(word), list_.size());
  if (is_new) list_.emplace_back(word);
  return held->second;
}

Vocabulary::Vocabulary(const std::vector<std::string>& words, Growth growth) {
  auto made = std::make_shared<Words>();
  made->growth = growth;
  for (const std::string_view word : kSpecial) made->add(word);
  for (const std::string& word : words) made->add(word);
  words_ = std::move(made);
}

bool Vocabulary::is_open() const { return words_->growth == Growth::kOpen; }

int Vocabulary::size() const { return static_cast<int>(words_->index.words().size()); }

WordId Vocabulary::id(std::string_view word) const {
  const WordId held = words_->index.find(word);
  return held != WordIndex::kNone ? held : kUnk;
}

bool Vocabulary::holds(std::string_view word) const {
  return words_->index.find(word) != WordIndex::kNone;
}

const std::string& Vocabulary::word(WordId id, std::span<const std::string> own) const {
  const std::vector<std::string>& list = words_->index.words();
  const auto place = static_cast<size_t>(id), held = list.size();
  if (id < 0 || place >= held + own.size())
    throw std::out_of_range(fmt::format("Vocabulary: no word has the id {}", id));
  return place < held ? list[place] : own[place - held];
}

std::vector<WordId> Vocabulary::encode(const std::vector<std::string>& words, OwnWords& own) const {
  std::vector<WordId> ids;
  ids.reserve(words.size());
  for (const std::string& word : words)
    if (const WordId held = words_->index.find(word); held != WordIndex::kNone)
      ids.push_back(held);
    else
      ids.push_back(is_open() ? size() + static_cast<WordId>(own.add(word)) : kUnk);
  return ids;
}

std::vector<WordId> Vocabulary::encode(const std::vector<std::string>& words) const {
  OwnWords own;
  std::vector<WordId> ids = encode(words, own);
  if (!own.list().empty())
    throw std::logic_error("Vocabulary: an open one does not hold " + in_quotes(own.list()[0]));
  return ids;
}

void Vocabulary::save(const std::filesystem::path& path) const {
  std::string content;
  for (WordId id = 0; id < size(); ++id) content.append(word(id)).append("\n");
  write_file_atomically(path, content);
}

Vocabulary Vocabulary::load(const std::filesystem::path& path, Growth growth) {
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
    return Vocabulary(words, growth);
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace textcrs
