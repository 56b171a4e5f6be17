// The insert certificates' answer to covers(), sound and paper alike: docs/certificates.md, B5.
#pragma once

#include <span>

#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/embeddings.h"

namespace textcrs {

// Covered iff the embedding change between the texts is at most `radius`. The operation is named
// after what the edit looks like: reordering for the same words, else substitution, insertion or
// deletion by the number of words. Throws a usage Error if the answer depends on the vectors and
// `embeddings` is null.
Coverage embedding_coverage(const Embeddings* embeddings, int slots, double radius,
                            std::span<const WordId> text, std::span<const WordId> edited);

}  // namespace textcrs
