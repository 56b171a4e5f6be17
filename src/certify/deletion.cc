// Deletion noise with the order kept: docs/certificates.md, B1 and B2.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "certify/noise_parameters.h"

namespace textcrs {
namespace {

class DeletionCertificate final : public Certificate {
 public:
  DeletionCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

 private:
  CertifiedSet promise(Bounds bounds, int words) const override {
    CertifiedSet set;
    add_edit_guarantees(edit_frontier(p_, bounds, words), set);
    return set;
  }

  double p_;  // probability that a word is deleted
};

}  // namespace

CertificatePtr sound_deletion(const CertificateRequest& request) {
  const DeletionParameters noise = deletion_parameters(request.spec);
  if (noise.shuffled) return sound_universal(request);
  return std::make_unique<DeletionCertificate>(request.text, noise.p);
}

}  // namespace textcrs
