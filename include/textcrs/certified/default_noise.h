// The noise of a training run that names none: by what is to be proved, and the texts' length.
//
// A larger p of `universal` proves more edits and leaves less of a text to read. docs/training.md
// has the table and the measurements behind it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/certifier.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

struct NoiseChoice {
  std::string noise;   // its spec
  std::string reason;  // why it suits, in one line
};

// For texts of so many words (the median of a data set).
NoiseChoice default_noise(Operation aim, int words);

// What the noise proves of a text of so many words if all sampled votes go to one of so many
// classes. Nothing where that depends on the words themselves (substitute, hash), or if nothing is
// proved for the noise. `vocabulary` is the model's, for a noise with stop words.
std::optional<CertifiedSet> most_provable(std::string_view noise, int words, int slots,
                                          size_t classes, const CertifierOptions& options = {},
                                          const Vocabulary* vocabulary = nullptr);

}  // namespace textcrs
