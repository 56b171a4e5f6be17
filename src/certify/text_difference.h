// How two texts differ, exactly (docs/certificates.md, B8). Words are compared by their ids, so the
// two share their own words; either text may be empty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/certify/certified_set.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

struct Difference {
  int lost = 0;    // words of the text that are not in the edited one
  int gained = 0;  // words of the edited text that are not in the text

  bool none() const { return lost == 0 && gained == 0; }
};

bool same_text(Text text, Text edited);

// The own words of both: the edited text may know more of them.
std::span<const std::string> own_words(Text text, Text edited);

// The sizes of the two multiset differences: none for a reordering.
Difference multiset_difference(Text text, Text edited);

// The words outside a longest common subsequence. Every way to keep some words in their order loses
// and gains at least as many.
Difference ordered_difference(Text text, Text edited);

// The least number of words to insert, delete and substitute.
int edit_distance(Text text, Text edited);

// The words without a partner if as many as possible have one: a word's partner is the same word or
// one of its candidates.
Difference difference_beside(const SynonymTable& candidates, Text text, Text edited);

// The distinct words whose number of occurrences differs, ascending.
std::vector<WordId> changed_words(Text text, Text edited);

// The gaps g, 0 < g < m, for which the first g words of the two texts are different multisets. Both
// texts have m words.
std::vector<int> moved_gaps(Text text, Text edited);

// The least sum of |new - old place| over all ways to match the equal words of a text and a
// reordering of it.
int64_t least_displacement(Text text, Text edited);

std::string up_to(int64_t most);  // "none", "up to 3"
// "2 words lost and 1 gained", "1 word gained".
std::string in_words(Difference difference, std::string_view noun = "word");

// The answers for an edited text that is the text itself, and for one that differs in its order
// alone where the order does not matter.
Coverage the_same_text(Operation operation);
Coverage another_order(Operation operation);

// The answer of a certificate for substitutions where the lengths give it, or the texts are the
// same.
std::optional<Coverage> compare_lengths(Text text, Text edited);

}  // namespace textcrs
