// Words and their numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

using WordId = int32_t;

constexpr WordId kPad = 0;   // an empty slot; its vector is zero
constexpr WordId kUnk = 1;   // every word the vocabulary does not hold
constexpr WordId kMask = 2;  // what the masking noise puts in a word's place
constexpr WordId kFirstWord = 3;

// A bijection between words and ids. Ids 0, 1, 2 are "<pad>", "<unk>", "<mask>". Thread-safe.
//
// A closed vocabulary never changes. An open one, for models that read every word, gives a word it
// meets for the first time a new id; ids never change. Copies of a Vocabulary share their words.
class Vocabulary {
 public:
  enum class Growth { kClosed, kOpen };

  Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
  // `words` get the ids 3, 4, ... in their order; a repeated or empty word, or one with a line
  // break, is a bad_input Error.
  explicit Vocabulary(const std::vector<std::string>& words, Growth growth = Growth::kClosed);

  WordId id(std::string_view word) const;  // kUnk for a word that is not held
  bool holds(std::string_view word) const;
  const std::string& word(WordId id) const;  // std::out_of_range for an id that was never given
  int size() const;
  // A word that is not held is kUnk in a closed vocabulary and added to an open one, where an empty
  // word or one with a line break is a bad_input Error.
  std::vector<WordId> encode(const std::vector<std::string>& words) const;

  // vocab.txt: UTF-8, one word a line, line number = id, the three special words included.
  void save(const std::filesystem::path& path) const;
  static Vocabulary load(const std::filesystem::path& path, Growth growth = Growth::kClosed);

 private:
  class Words;
  std::shared_ptr<Words> words_;
};

}  // namespace textcrs
