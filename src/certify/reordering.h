// The certificates of the reordering noises (docs/certificates.md, B4 and B9).
#pragma once

#include <string>

#include "certify/certificates.h"

namespace textcrs {

CertificatePtr full_reordering(std::string noise);
CertificatePtr block_reordering(std::string noise, int length);  // length: L >= 1

}  // namespace textcrs
