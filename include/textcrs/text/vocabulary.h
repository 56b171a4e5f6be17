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

// A bijection between words and ids. Ids 0, 1, 2 are "<pad>", "<unk>", "<mask>". Immutable and
// thread-safe; copies share their words.
//
// To a closed vocabulary every word it does not hold is kUnk. An open one is for models that read
// every word: there such a word is one of the text's own.
class Vocabulary {
 public:
  enum class Growth { kClosed, kOpen };

  Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
  // `words` get the ids 3, 4, ... in their order; a repeated or empty word, or one with a line
  // break, is a bad_input Error.
  explicit Vocabulary(const std::vector<std::string>& words, Growth growth = Growth::kClosed);

  bool is_open() const;
  int size() const;
  WordId id(std::string_view word) const;  // kUnk for a word that is not held
  bool holds(std::string_view word) const;
  // std::out_of_range for an id that was never given.
  const std::string& word(WordId id, std::span<const std::string> own = {}) const;

  // Words that an open vocabulary does not hold are added to `own`, and get ids beyond it.
  std::vector<WordId> encode(const std::vector<std::string>& words, OwnWords& own) const;
  // The same for a closed vocabulary, or words that are held; std::logic_error otherwise.
  std::vector<WordId> encode(const std::vector<std::string>& words) const;

  // vocab.txt: UTF-8, one word per line, line number = id, the three special words included.
  void save(const std::filesystem::path& path) const;
  static Vocabulary load(const std::filesystem::path& path, Growth growth = Growth::kClosed);

 private:
  struct Words;
  std::shared_ptr<const Words> words_;
};

}  // namespace textcrs
