// Why a text has no answer, and what would help.
#pragma once

#include <string>

#include "textcrs/certified/certified_classifier.h"

namespace textcrs {

// "positive (53.1 % of the votes) and negative (46.8 %) are too close to call at 99.9 % confidence;
// about 5000 noisy copies instead of 1000 may decide". For a text with words that is abstained on.
std::string why_no_answer(const CertifiedClassifier& classifier, const Certification& answer);

}  // namespace textcrs
