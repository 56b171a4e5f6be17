// Words and their numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

using WordId = int32_t;

constexpr WordId kPad = 0;   // an empty slot; its vector is zero
constexpr WordId kUnk = 1;   // every word the vocabulary does not hold
constexpr WordId kMask = 2;  // what the masking noise puts in a word's place
constexpr WordId kFirstWord = 3;

// The words of the texts at hand that an open vocabulary does not hold. The i-th has the id
// vocabulary.size() + i, as long as the OwnWords are in use; nothing of them stays behind.
class OwnWords {
 public:
  // The place of a word, which is added if it is new. A bad_input Error for an empty word.
  size_t add(std::string_view word);
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
  std::unordered_map<std::string, size_t> places_;
};

// Words that are read as one word, the first of them.
using Clusters = std::vector<std::vector<std::string>>;

// A list of words that carry no content of their own.
struct StopWords {
  std::string name;  // "english"
  std::vector<std::string> words;
};

// A text as numbers: a view, for passing on. The ids from the vocabulary's size on are the text's
// own words. Texts that are compared share their OwnWords.
struct Text {
  std::span<const WordId> ids;
  std::span<const std::string> own;  // their spellings, in the order of their ids

  Text() = default;
  Text(std::span<const WordId> text_ids, std::span<const std::string> own_words = {})
      : ids(text_ids), own(own_words) {}
  Text(const std::vector<WordId>& text_ids, std::span<const std::string> own_words = {})
      : ids(text_ids), own(own_words) {}

  size_t size() const { return ids.size(); }
  bool empty() const { return ids.empty(); }
  WordId operator[](size_t place) const { return ids[place]; }
  auto begin() const { return ids.begin(); }
  auto end() const { return ids.end(); }
  // The first `count` words, or all there are.
  Text cut(size_t count) const { return {ids.first(std::min(count, ids.size())), own}; }
};

// Words and their ids. Ids 0, 1, 2 are "<pad>", "<unk>", "<mask>". Immutable and thread-safe;
// copies share their words.
//
// To a closed vocabulary every word it does not hold is kUnk. An open one is for models that read
// every word: there such a word is one of the text's own.
//
// Every id has one word; where there are clusters, further words, the aliases, have the id of their
// cluster's first word. To everything that compares ids the words of a cluster are one word.
class Vocabulary {
 public:
  enum class Growth { kClosed, kOpen };

  Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
  // `words` get the ids 3, 4, ... in their order; a repeated or empty word, or one with a line
  // break, is a bad_input Error.
  explicit Vocabulary(const std::vector<std::string>& words, Growth growth = Growth::kClosed);

  bool is_open() const;
  int size() const;
  WordId id(std::string_view word) const;   // kUnk for a word that is not held
  bool holds(std::string_view word) const;  // aliases, too
  // Of a cluster, its first word; std::out_of_range for an id that was never given.
  const std::string& word(WordId id, std::span<const std::string> own = {}) const;

  // Words that an open vocabulary does not hold are added to `own`, and get ids beyond it.
  std::vector<WordId> encode(const std::vector<std::string>& words, OwnWords& own) const;
  // The same for a closed vocabulary, or words that are held; std::logic_error otherwise.
  std::vector<WordId> encode(const std::vector<std::string>& words) const;

  // The same vocabulary with clusters: the first word of each is held and no special word, the
  // others become its aliases. A bad_input Error for a first word that is not, for an alias that is
  // held or named twice, and for a word that is no line of a file or has a space. std::logic_error
  // if there are clusters or stop words already.
  Vocabulary with_clusters(const Clusters& clusters) const;
  Clusters clusters() const;  // those of two words or more; empty: there are none
  // The same words, each with an id of its own: those of the vocabulary, and from its size on the
  // aliases. It has neither clusters nor stop words.
  Vocabulary spellings() const;
  // The id of a word that has this one in spellings().
  WordId id_of_spelling(WordId spelling) const;

  // The same vocabulary with stop words, which some noises always delete: words that it holds. A
  // bad_input Error for a word that it does not hold, that is special, or that is in a cluster.
  Vocabulary with_stop_words(const StopWords& stop_words) const;
  bool is_stop_word(WordId id) const;   // false for the texts' own words
  const StopWords& stop_words() const;  // without a name: there are none

  // vocab.txt: UTF-8, one word per line, line number = id, the three special words included, the
  // aliases left out.
  void save(const std::filesystem::path& path) const;
  static Vocabulary load(const std::filesystem::path& path, Growth growth = Growth::kClosed);

 private:
  struct Words;
  std::shared_ptr<const Words> words_;
};

}  // namespace textcrs
