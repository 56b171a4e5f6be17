// Blocks at a random offset, shuffled (docs/certificates.md, B4) or sorted (B9): a reordering that
// no cut divides leaves either as it is, so the certificate is the same.
#include <algorithm>
#include <cmath>

#include "certify/reordering.h"
#include "certify/rounding.h"

namespace textcrs {
namespace {

class BlockReorderingCertificate final : public Certificate {
 public:
  BlockReorderingCertificate(std::string noise, int length)
      : Certificate(CertificateMode::kSound, std::move(noise)), length_(length) {}

 private:
  // A reordering whose intervals have gaps of c residues is certified iff 2c < L (pA - pB). `limit`
  // is the right side from below, so the largest whole c with 2c < limit is never too large.
  CertifiedSet promise(Bounds bounds, int words) const override {
    const Real limit = round_down(length_ * margin_down(bounds));
    const int residues = std::max(0, static_cast<int>(std::ceil(limit / 2)) - 1);
    const bool all = residues >= words - 1;  // a text of m words has m - 1 gaps
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, all ? kUnlimited : 2.0 * residues});
    set.window = std::min(words, residues + 1);
    return set;
  }

  int length_;  // L
};

}  // namespace

CertificatePtr block_reordering(std::string noise, int length) {
  return std::make_unique<BlockReorderingCertificate>(std::move(noise), length);
}

}  // namespace textcrs
