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
  CertifiedSet promise(Bounds bounds, std::span<const WordId> text) const override {
    const int words = static_cast<int>(text.size());
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, kUnlimited});
    add_edit_guarantees(edit_frontier(p_, bounds, words), set);
    return set;
  }

  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (same_text(text, edited)) return the_same_text("reordering");
    const Difference difference = multiset_difference(text, edited);
    if (difference.none()) return {true, "reordering", "the same words in another order"};
    return compare_edit(edit_frontier(p_, bounds, static_cast<int>(text.size())), difference);
  }

  double p_;  // probability that a word is deleted
};

}  // namespace

CertificatePtr sound_universal(const CertificateRequest& request) {
  return std::make_unique<UniversalCertificate>(request.text, deletion_parameters(request.spec).p);
}

}  // namespace textcrs
