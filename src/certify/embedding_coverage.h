// What the insert certificates share, sound and paper alike: docs/certificates.md, B5.
#pragma once

#include <array>
#include <vector>

#include "textcrs/certify/certificate.h"

namespace textcrs {

// The guarantees whose radius is an embedding change.
inline constexpr std::array kEmbeddingOperations = {Operation::kInsertion, Operation::kSubstitution,
                                                    Operation::kDeletion};
std::vector<Operation> insertion_operations();  // reordering and these

// The vectors of the own words that the two texts share, none if neither uses one. A usage Error if
// the context gives no vectors.
std::vector<float> own_rows(const CertificateContext& context, Text text, Text edited);

// Covered iff the embedding change between the texts is at most `radius`. The operation is named
// after what the edit looks like: reordering for the same words, else substitution, insertion or
// deletion by the number of words. Throws a usage Error if the answer depends on vectors that the
// context does not give. Own rows in the context's embeddings are not looked at: they belong to no
// text in particular.
Coverage embedding_coverage(const CertificateContext& context, double radius, Text text,
                            Text edited);

}  // namespace textcrs
