// How two texts differ, exactly (docs/certificates.md, B8). Words are compared by their ids; either
// text may be empty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "textcrs/certify/certified_set.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

using TextView = std::span<const WordId>;

struct Difference {
  int lost = 0;    // words of the text that are not in the edited one
  int gained = 0;  // words of the edited text that are not in the text

  bool none() const { return lost == 0 && gained == 0; }
};

bool same_text(TextView text, TextView edited);

// The sizes of the two multiset differences: none for a reordering.
Difference multiset_difference(TextView text, TextView edited);

// The words outside a longest common subsequence. Every way to keep some words in their order loses
// and gains at least as many.
Difference ordered_difference(TextView text, TextView edited);

// The distinct words whose number of occurrences differs, ascending.
std::vector<WordId> changed_words(TextView text, TextView edited);

// The gaps g, 0 < g < m, for which the first g words of the two texts are different multisets. Both
// texts have m words.
std::vector<int> moved_gaps(TextView text, TextView edited);

// The least sum of |new - old place| over all ways to match the equal words of a text and a
// reordering of it.
int64_t least_displacement(TextView text, TextView edited);

// "1 word", "2 words".
std::string counted(int64_t number, const char* noun);
std::string up_to(int64_t most);  // "none", "up to 3"
// "2 words lost and 1 gained", "1 word gained".
std::string in_words(Difference difference);

// The answer for an edited text that is the text itself.
Coverage the_same_text(const char* operation);

// The answer of a certificate for substitutions where the lengths give it, or the texts are the
// same.
std::optional<Coverage> compare_lengths(TextView text, TextView edited);

}  // namespace textcrs
