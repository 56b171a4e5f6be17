// What about a text makes a model's answer doubtful.
#pragma once

#include <vector>

#include "textcrs/certify/certifier.h"
#include "textcrs/certify/warning.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

// In the order of Warning; `answer` is what was found about the text. "Most" is more than half. To
// a model with a closed vocabulary a word is unknown if the vocabulary does not hold it; to one
// that reads pieces if it has none but [UNK].
std::vector<Warning> warnings_of(const Classifier& classifier, const Noise& noise, Text text,
                                 const Certification& answer);

// The same where it is not known which words the model knows.
std::vector<Warning> warnings_of(const Noise& noise, Text text, const Certification& answer);

}  // namespace textcrs
