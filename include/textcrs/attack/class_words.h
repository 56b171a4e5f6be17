// Which words speak for which class, counted in labelled texts: what a spammer learns from letters
// that were let through.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

struct LabelledWords {
  std::vector<std::string> words;
  int label = 0;
};

class ClassWords {
 public:
  // Of words that stand in at least `least` texts. std::logic_error for a label that is no class.
  ClassWords(std::span<const LabelledWords> texts, size_t classes, size_t least = 5);

  // Words that speak for the class, strongest first: by the z-score of the log odds that a text
  // with the word has the class, counting texts, one half added to each count. Only those that
  // speak for it rather than against it. std::out_of_range for a label that is no class.
  std::span<const std::string> of(int label) const { return words_.at(static_cast<size_t>(label)); }
  // The first `count` words that speak for another class than this, the classes taking turns,
  // without repeats.
  std::vector<std::string> against(int label, size_t count) const;

 private:
  std::vector<std::vector<std::string>> words_;
};

}  // namespace textcrs
