// Gaussian noise on all slots and a full shuffle of them: docs/certificates.md, B5.
#include "certify/certificates.h"
#include "certify/embedding_coverage.h"
#include "certify/gaussian_radius.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderInsertion final : public TextCertificate {
 public:
  TextUnderInsertion(Text text, double sigma, const CertificateContext& context)
      : TextCertificate(text), sigma_(sigma), context_(context) {}

 private:
  // A text longer than the window is cut: reordering it may change which words are seen, so only
  // a text that fits has all its reorderings for free.
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    if (words() <= context_.slots)
      set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    const double radius = gaussian_radius(sigma_, bounds);
    for (const Operation operation : kEmbeddingOperations)
      set.guarantees.push_back({operation, kUnitEmbedding, radius});
    return set;
  }

  // The change is measured from above and the radius lies strictly below the exact bound.
  Coverage compare(Bounds bounds, Text edited) const override {
    return embedding_coverage(context_, gaussian_radius(sigma_, bounds), text(), edited);
  }

  double sigma_;
  const CertificateContext& context_;
};

class InsertionCertificate final : public Certificate {
 public:
  InsertionCertificate(std::string noise, double sigma, const CertificateContext& context)
      : Certificate(CertificateMode::kSound, std::move(noise)), sigma_(sigma), context_(context) {}

  std::vector<Operation> operations() const override { return insertion_operations(); }
  bool reads_slots() const override { return true; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderInsertion>(text, sigma_, context_);
  }

  double sigma_;
  CertificateContext context_;
};

}  // namespace

CertificatePtr sound_insertion(const CertificateRequest& request) {
  return std::make_unique<InsertionCertificate>(
      request.text, GaussianParameters::parse(request.spec).certified_sigma(), request.context);
}

}  // namespace textcrs
