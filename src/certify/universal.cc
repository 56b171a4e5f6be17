// Deletion noise followed by a full shuffle: docs/certificates.md, B3.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderUniversal final : public TextCertificate {
 public:
  TextUnderUniversal(Text text, double p) : TextCertificate(text), frontiers_(p, words()) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    add_edit_guarantees(frontiers_.at(bounds), set);
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kReordering);
    const Difference difference = multiset_difference(text(), edited);
    if (difference.none()) return another_order(Operation::kReordering);
    return compare_edit(frontiers_.at(bounds), difference);
  }

  EditFrontiers frontiers_;
};

class UniversalCertificate final : public Certificate {
 public:
  UniversalCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

  std::vector<Operation> operations() const override {
    std::vector<Operation> all = {Operation::kReordering};
    all.insert(all.end(), kEditOperations.begin(), kEditOperations.end());
    return all;
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderUniversal>(text, p_);
  }

  double p_;  // probability that a word is deleted
};

}  // namespace

CertificatePtr sound_universal(const CertificateRequest& request) {
  const DeletionParameters noise = DeletionParameters::parse(request.spec);
  return std::make_unique<UniversalCertificate>(request.text, sampled_probability(noise.p));
}

}  // namespace textcrs
