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
  CertifiedSet promise(Bounds bounds, std::span<const WordId> text) const override {
    const int words = static_cast<int>(text.size());
    CertifiedSet set;
    add_edit_guarantees(edit_frontier(p_, bounds, words), set);
    return set;
  }

  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (same_text(text, edited)) return the_same_text("edit");
    return compare_edit(edit_frontier(p_, bounds, static_cast<int>(text.size())),
                        ordered_difference(text, edited));
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
