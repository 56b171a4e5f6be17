// Deletion noise with the order kept: docs/certificates.md, B1 and B2.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderDeletion final : public TextCertificate {
 public:
  TextUnderDeletion(Text text, double p) : TextCertificate(text), frontiers_(p, words()) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    add_edit_guarantees(frontiers_.at(bounds), set);
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kEdit);
    return compare_edit(frontiers_.at(bounds), ordered_difference(text(), edited));
  }

  EditFrontiers frontiers_;
};

class DeletionCertificate final : public Certificate {
 public:
  DeletionCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

  std::vector<Operation> operations() const override {
    return {kEditOperations.begin(), kEditOperations.end()};
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderDeletion>(text, p_);
  }

  double p_;  // probability that a word is deleted
};

}  // namespace

CertificatePtr sound_deletion(const CertificateRequest& request) {
  const DeletionParameters noise = DeletionParameters::parse(request.spec);
  if (noise.shuffled) return sound_universal(request);
  return std::make_unique<DeletionCertificate>(request.text, sampled_probability(noise.p));
}

}  // namespace textcrs
