// What a certified set promises, for people who do not know what a radius is.
#pragma once

#include <cstddef>
#include <string>

#include "textcrs/certify/certified_set.h"

namespace textcrs {

// What may follow "the answer stays the same": "in any word order, even with up to 8 of its 26
// words deleted, or up to 3 edits of any kind". What a mixture of as many edits includes is left
// out. Empty if no edit is certified. `words` is the number of the text's words.
std::string harmless_edits(const CertifiedSet& set, size_t words);

}  // namespace textcrs
