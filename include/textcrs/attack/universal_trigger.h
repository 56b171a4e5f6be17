// One short phrase that, in front of any text of a data set, changes the most answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "textcrs/attack/class_words.h"
#include "textcrs/attack/target.h"
#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

struct TriggerOptions {
  size_t words = 3;        // of the phrase
  size_t candidates = 50;  // words per class that are tried in each place
  int rounds = 2;          // times that every place is gone through
};

struct Trigger {
  std::vector<std::string> phrase;
  size_t texts = 0;    // answered right without it
  size_t flipped = 0;  // of these, answered wrong with it
  uint64_t queries = 0;
};

// Called after each place of each round; may be empty.
using TriggerReporter = std::function<void(size_t done, size_t places)>;

// Searches place by place for the word with which most answers change and, of equals, the share of
// the labels is smallest. The texts' places in the list are their examples. Deterministic. An Error
// of kind kInterrupted once `stop` asks for it; a usage Error without a word to try.
Trigger find_trigger(const AttackTarget& target, std::span<const LabelledWords> texts,
                     const ClassWords& words, const TriggerOptions& options,
                     const TriggerReporter& report = {}, StopToken stop = {});

}  // namespace textcrs
