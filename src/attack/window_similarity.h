// Whether a text still means the same, by the vectors of a sentence encoder.
#pragma once

#include <memory>

#include "textcrs/attack/attack.h"
#include "textcrs/engine/sentence_encoder.h"

namespace textcrs {

// Of the `window` words around an edit, before and after it, the angular similarity must be at
// least `least`; of a swap both windows. A shorter text is compared as a whole. The encoder must
// outlive it.
std::unique_ptr<const Similarity> make_window_similarity(const SentenceEncoder& encoder,
                                                         size_t window, double least);

}  // namespace textcrs
