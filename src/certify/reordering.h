// The certificates of the reordering noises (docs/certificates.md, B4 and B9).
#pragma once

#include <optional>
#include <string>

#include "certify/certificates.h"
#include "certify/text_difference.h"

namespace textcrs {

CertificatePtr full_reordering(std::string noise);
CertificatePtr block_reordering(std::string noise, int length);  // length: L >= 1

// The answer where the words alone give it: the texts are the same, or no reordering of each other.
std::optional<Coverage> compare_words(Text text, Text edited);

}  // namespace textcrs
