// Words and their numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace textcrs {

using WordId = int32_t;

constexpr WordId kPad = 0;   // an empty slot; its vector is zero
constexpr WordId kUnk = 1;   // every word the vocabulary does not hold
constexpr WordId kMask = 2;  // what the masking noise puts in a word's place
constexpr WordId kFirstWord = 3;

// An immutable bijection between words and ids. Ids 0, 1, 2 are "<pad>", "<unk>", "<mask>".
class Vocabulary {
 public:
  Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
  // `words` get the ids 3, 4, ... in their order; a repeated or empty word, or one with a line
  // break, is a bad_input Error.
  explicit Vocabulary(const std::vector<std::string>& words);

  WordId id(std::string_view word) const;  // kUnk for a word that is not held
  bool holds(std::string_view word) const;
  const std::string& word(WordId id) const { return words_.at(static_cast<size_t>(id)); }
  int size() const { return static_cast<int>(words_.size()); }
  std::vector<WordId> encode(const std::vector<std::string>& words) const;

  // vocab.txt: UTF-8, one word a line, line number = id, the three special words included.
  void save(const std::filesystem::path& path) const;
  static Vocabulary load(const std::filesystem::path& path);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> words_;
  std::unordered_map<std::string, WordId, Hash, std::equal_to<>> ids_;
};

}  // namespace textcrs
