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
  CertifiedSet promise(Bounds, std::span<const WordId> text) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, kUnlimited});
    set.window = static_cast<int>(text.size());
    return set;
  }

  Coverage compare(Bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (const std::optional<Coverage> answer = compare_words(text, edited)) return *answer;
    return {true, "reordering", "the same words in another order"};
  }
};

}  // namespace

CertificatePtr full_reordering(std::string noise) {
  return std::make_unique<FullReorderingCertificate>(std::move(noise));
}

}  // namespace textcrs
