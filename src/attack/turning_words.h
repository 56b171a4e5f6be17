// Words that turn a text towards another class.
#pragma once

#include <string>
#include <vector>

#include "attack/attack_run.h"
#include "textcrs/attack/class_words.h"

namespace textcrs {

struct TurningWord {
  std::string word;
  double nearness = 0;  // of the run's text with the word behind it
};

// Of the `candidates` first words against the run's label, those that may be put behind the text
// and that the target reads as one word, the one that brings the goal nearest first. Where the
// budget of queries ends, of the first only.
std::vector<TurningWord> turning_words(AttackRun& run, const ClassWords& words, size_t candidates);

}  // namespace textcrs
