// The full shuffle: docs/certificates.md, B4.
#include "certify/reordering.h"

namespace textcrs {
namespace {

class TextUnderFullReordering final : public TextCertificate {
 public:
  explicit TextUnderFullReordering(Text text) : TextCertificate(text) {}

 private:
  // The noise's law is the same around every reordering of the text.
  CertifiedSet promise(Bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    set.window = words();
    return set;
  }

  Coverage compare(Bounds, Text edited) const override {
    if (const std::optional<Coverage> answer = compare_words(text(), edited)) return *answer;
    return another_order(Operation::kReordering);
  }
};

class FullReorderingCertificate final : public Certificate {
 public:
  explicit FullReorderingCertificate(std::string noise)
      : Certificate(CertificateMode::kSound, std::move(noise)) {}

  std::vector<Operation> operations() const override { return {Operation::kReordering}; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderFullReordering>(text);
  }
};

}  // namespace

CertificatePtr full_reordering(std::string noise) {
  return std::make_unique<FullReorderingCertificate>(std::move(noise));
}

}  // namespace textcrs
