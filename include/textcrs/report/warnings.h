// What makes an answer doubtful, and what its proof leaves open, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"

namespace TEXTCRS_API textcrs {

// "most words of the text are unknown to the model"
std::string_view in_words(Warning warning);
std::vector<std::string> in_words(const std::vector<Warning>& warnings);

// "noise X is not the one the model was trained with, Y"; empty if it is. Y as Description has it.
std::string other_noise_in_words(std::string_view noise, std::string_view trained_noise);

// All that makes an answer doubtful: the text's own warnings, then that of the noise.
std::vector<std::string> all_warnings(const CertifiedClassifier& classifier,
                                      const Certification& answer);

// Where what was executed is not quite what the proof is about (Description::caveats): for an
// answer, and for all that a classifier may give.
std::vector<std::string> caveats_of(const Description& classifier, const Certification& answer);
std::vector<std::string> all_caveats(const Description& classifier);

}  // namespace textcrs
