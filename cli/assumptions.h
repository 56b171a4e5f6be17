// What an answer from given bounds takes for granted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certificate_flags.h"

namespace textcrs::cli {

// In plain sentences, without their full stops. `words`: the length of a text of which nothing else
// is known. Of what a model decides, all that the answer depends on and no model told.
std::vector<std::string> assumptions(const CertificateFlags& flags, const WordNeeds& needs,
                                     const GivenCertificate& given, std::optional<int> words);

// "assumes: .."; one line.
std::string in_words(const std::vector<std::string>& assumptions);

}  // namespace textcrs::cli
