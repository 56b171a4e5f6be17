// A text on its way to another answer: its words now, and what was done to it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// One step of a transformation. Places count the words of the text it is applied to.
struct WordEdit {
  enum class Kind { kReplace, kInsert, kDelete, kSwap };

  Kind kind = Kind::kReplace;
  size_t place = 0;       // kInsert: in front of this word, or at the end
  std::string word = {};  // kReplace, kInsert: the new one
  size_t other = 0;       // kSwap: the place of the other word

  bool operator==(const WordEdit&) const = default;
};

struct EditedText {
  std::vector<std::string> words;
  // For each word: its place in the original text, none if the attack inserted it; and whether the
  // attack made or moved it, so that it is left alone from then on.
  std::vector<std::optional<size_t>> origins;
  std::vector<bool> edited;
  size_t edits = 0;          // words replaced, inserted, deleted or moved: a swap counts two
  size_t original_size = 0;  // words of the original text

  EditedText() = default;
  explicit EditedText(std::vector<std::string> original);

  size_t size() const { return words.size(); }
  // Where the original text's word is now; none if it was deleted.
  std::optional<size_t> place_of(size_t origin) const;
};

// std::logic_error for a place that the text does not have.
EditedText applied(const WordEdit& edit, EditedText text);
// The words alone.
std::vector<std::string> words_after(const WordEdit& edit, std::vector<std::string> words);

// What turns one text into another, for a reader: the words of a shortest list of replacements,
// insertions and deletions, by their places in the original.
struct WordDifference {
  size_t place = 0;  // in the original; of an insertion, the word it stands in front of
  std::optional<std::string> before, after;  // none: it was inserted; it was deleted

  bool operator==(const WordDifference&) const = default;
};
std::vector<WordDifference> differences(const std::vector<std::string>& original,
                                        const std::vector<std::string>& edited);

}  // namespace textcrs
