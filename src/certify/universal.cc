// Deletion noise followed by a full shuffle: docs/certificates.md, B3.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "certify/noise_parameters.h"

namespace textcrs {
namespace {

class UniversalCertificate final : public Certificate {
 public:
  UniversalCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

 private:
  CertifiedSet promise(Bounds bounds, int words) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, kUnlimited});
    add_edit_guarantees(edit_frontier(p_, bounds, words), set);
    return set;
  }

  double p_;  // probability that a word is deleted
};

}  // namespace

CertificatePtr sound_universal(const CertificateRequest& request) {
  return std::make_unique<UniversalCertificate>(request.text, deletion_parameters(request.spec).p);
}

}  // namespace textcrs
