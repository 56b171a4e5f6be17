// The full shuffle: docs/certificates.md, B4.
#include "certify/reordering.h"

namespace textcrs {
namespace {

class FullReorderingCertificate final : public Certificate {
 public:
  explicit FullReorderingCertificate(std::string noise)
      : Certificate(CertificateMode::kSound, std::move(noise)) {}

 private:
  // The noise's law is the same around every reordering of the text.
  CertifiedSet promise(Bounds, int words) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, kUnlimited});
    set.window = words;
    return set;
  }
};

}  // namespace

CertificatePtr full_reordering(std::string noise) {
  return std::make_unique<FullReorderingCertificate>(std::move(noise));
}

}  // namespace textcrs
