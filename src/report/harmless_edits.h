// What a certified set promises, for people who do not know what a radius is.
#pragma once

#include <cstddef>
#include <string>

#include "textcrs/certify/certified_set.h"

namespace textcrs {

// What may follow "the answer stays the same": "in any word order, even with up to 8 of its 26
// words deleted, or up to 3 edits of any kind". What a mixture of as many edits includes is left
// out. Empty if no edit is certified. `words` is the number of the text's words, or sentences where
// the set counts those. The candidates of
// words are those that a model has.
std::string harmless_edits(const CertifiedSet& set, size_t words);

// What may follow "for the text as it is" where harmless_edits() has nothing to say: "; no number
// of edits is certified", which is not to say that any edit changes the answer; or that no word has
// candidates.
std::string no_harmless_edits(const CertifiedSet& set);

}  // namespace textcrs
