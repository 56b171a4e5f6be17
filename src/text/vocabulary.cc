#include "textcrs/text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <unordered_set>

#include "base/regular_file.h"
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
  WordIndex index;              // places are ids, and from `held` on those of aliases
  size_t held = 0;              // words with an id of their own
  std::vector<WordId> aliases;  // the ids of the aliases
  StopWords stop_words;
  std::vector<bool> is_stop_word;  // by id; empty: there are none

  WordId find(std::string_view word) const {
    const int32_t place = index.find(word);
    return place == WordIndex::kNone ? WordIndex::kNone : id_of(place);
  }
  WordId id_of(int32_t place) const {
    const auto at = static_cast<size_t>(place);
    return at < held ? place : aliases.at(at - held);
  }

  // A bad_input Error for a word that is no line of a file, or is there already.
  void add(std::string_view word) {
    const size_t place = index.words().size();
    if (word.empty() || word.find_first_of("\r\n") != word.npos)
      throw bad_input(fmt::format("vocabulary: found {} as word {}, expected a word in one line",
                                  in_quotes(word), place));
    if (const WordId twin = index.find(word); twin != WordIndex::kNone)
      throw bad_input(
          fmt::format("vocabulary: found {} as word {} and as word {}, expected different words",
                      in_quotes(word), twin, place));
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
  made->held = made->index.words().size();
  words_ = std::move(made);
}

bool Vocabulary::is_open() const { return words_->growth == Growth::kOpen; }

int Vocabulary::size() const { return static_cast<int>(words_->held); }

WordId Vocabulary::id(std::string_view word) const {
  const WordId held = words_->find(word);
  return held != WordIndex::kNone ? held : kUnk;
}

bool Vocabulary::holds(std::string_view word) const {
  return words_->index.find(word) != WordIndex::kNone;
}

const std::string& Vocabulary::word(WordId id, std::span<const std::string> own) const {
  const std::vector<std::string>& list = words_->index.words();
  const auto place = static_cast<size_t>(id), held = words_->held;
  if (id < 0 || place >= held + own.size())
    throw std::out_of_range(fmt::format("Vocabulary: no word has the id {}", id));
  return place < held ? list[place] : own[place - held];
}

std::vector<WordId> Vocabulary::encode(const std::vector<std::string>& words, OwnWords& own) const {
  std::vector<WordId> ids;
  ids.reserve(words.size());
  for (const std::string& word : words)
    if (const WordId held = words_->find(word); held != WordIndex::kNone)
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

Vocabulary Vocabulary::with_clusters(const Clusters& clusters) const {
  if (!words_->aliases.empty() || !words_->stop_words.name.empty())
    throw std::logic_error("Vocabulary: clusters come first, and once");
  auto made = std::make_shared<Words>(*words_);
  std::unordered_set<int32_t> firsts;
  for (const std::vector<std::string>& cluster : clusters) {
    if (cluster.empty()) throw bad_input("clusters: found one without words");
    for (const std::string& word : cluster)
      if (word.find(' ') != word.npos)
        throw bad_input(
            fmt::format("clusters: found {}, expected a word without a space", in_quotes(word)));
    const int32_t first = made->index.find(cluster[0]);
    if (first < kFirstWord || static_cast<size_t>(first) >= made->held ||
        !firsts.insert(first).second)
      throw bad_input(
          fmt::format("clusters: found {} as a first word, expected a word of the "
                      "vocabulary, and of no other cluster",
                      in_quotes(cluster[0])));
    for (size_t i = 1; i < cluster.size(); ++i) {
      made->add(cluster[i]);
      made->aliases.push_back(first);
    }
  }
  Vocabulary result;
  result.words_ = std::move(made);
  return result;
}

Clusters Vocabulary::clusters() const {
  std::map<WordId, std::vector<std::string>> by_first;
  for (size_t i = 0; i < words_->aliases.size(); ++i) {
    std::vector<std::string>& cluster = by_first[words_->aliases[i]];
    if (cluster.empty()) cluster.push_back(word(words_->aliases[i]));
    cluster.push_back(words_->index.words()[words_->held + i]);
  }
  Clusters list;
  for (auto& [first, cluster] : by_first) list.push_back(std::move(cluster));
  return list;
}

Vocabulary Vocabulary::spellings() const {
  if (words_->aliases.empty() && words_->stop_words.name.empty()) return *this;
  auto made = std::make_shared<Words>();
  made->growth = words_->growth;
  made->index = words_->index;
  made->held = made->index.words().size();
  Vocabulary result;
  result.words_ = std::move(made);
  return result;
}

WordId Vocabulary::id_of_spelling(WordId spelling) const {
  if (spelling < 0 || static_cast<size_t>(spelling) >= words_->index.words().size())
    throw std::out_of_range(fmt::format("Vocabulary: no spelling has the id {}", spelling));
  return words_->id_of(spelling);
}

Vocabulary Vocabulary::with_stop_words(const StopWords& stop_words) const {
  auto made = std::make_shared<Words>(*words_);
  made->stop_words = stop_words;
  made->is_stop_word.assign(made->held, false);
  const std::unordered_set<WordId> firsts(made->aliases.begin(), made->aliases.end());
  for (const std::string& word : stop_words.words) {
    const WordId id = made->find(word);
    if (id < kFirstWord)
      throw bad_input(
          fmt::format("stop words: found {}, expected words of the vocabulary", in_quotes(word)));
    if (firsts.contains(id))
      throw bad_input(
          fmt::format("stop words: found {}, which is in a cluster, expected words that "
                      "are in none",
                      in_quotes(word)));
    made->is_stop_word[static_cast<size_t>(id)] = true;
  }
  Vocabulary result;
  result.words_ = std::move(made);
  return result;
}

bool Vocabulary::is_stop_word(WordId id) const {
  const auto place = static_cast<size_t>(id);
  return id >= 0 && place < words_->is_stop_word.size() && words_->is_stop_word[place];
}

const StopWords& Vocabulary::stop_words() const { return words_->stop_words; }

void Vocabulary::save(const std::filesystem::path& path) const {
  std::string content;
  for (WordId id = 0; id < size(); ++id) content.append(word(id)).append("\n");
  write_file_atomically(path, content);
}

Vocabulary Vocabulary::load(const std::filesystem::path& path, Growth growth) {
  const std::string content = read_regular_file(path);
  if (const auto at = find_invalid_utf8(content))
    throw bad_input(fmt::format("{}: found the byte 0x{:02x} at offset {}, expected UTF-8",
                                path.string(), static_cast<unsigned char>(content[*at]), *at));
  auto made = std::make_shared<Words>();
  made->growth = growth;
  made->index.reserve(static_cast<size_t>(std::count(content.begin(), content.end(), '\n')) + 1);
  size_t line = 0;
  for (size_t at = 0; at < content.size() || line < kSpecial.size(); ++line) {
    const size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view word =
        at < content.size() ? std::string_view(content).substr(at, end - at) : "";
    if (line < kSpecial.size() && word != kSpecial[line])
      throw bad_input(fmt::format("{}:{}: found {}, expected {}", path.string(), line + 1,
                                  in_quotes(word), kSpecial[line]));
    try {
      made->add(word);
    } catch (const Error& error) {
      throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
    }
    at = end + 1;
  }
  made->held = made->index.words().size();
  Vocabulary result;
  result.words_ = std::move(made);
  return result;
}

}  // namespace textcrs
