// Gaussian noise on all slots and a full shuffle of them: docs/certificates.md, B5.
#include <algorithm>
#include <cmath>

#include "certify/certificates.h"
#include "certify/embedding_coverage.h"
#include "certify/normal_quantile.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

// sigma/2 (Phi^-1(pA) - Phi^-1(pB)) from below: each quantile is moved against us by twice its
// error, and the relative 2^-48 covers the four roundings of the expression itself. Strictly below
// the exact bound, so a change of just this size is certified too.
double safe_radius(double sigma, Bounds bounds) {
  const double qa = normal_quantile(bounds.pa), qb = normal_quantile(bounds.pb);
  if (std::isinf(qa) || std::isinf(qb)) return kUnlimited;  // pA = 1 or pB = 0: h is constant
  const double error = 2 * kQuantileError * (std::abs(qa) + std::abs(qb));
  return std::max(0.0, sigma / 2 * ((qa - qb) - error) * (1 - 0x1p-48));
}

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
    const double radius = safe_radius(sigma_, bounds);
    for (const Operation operation : kEmbeddingOperations)
      set.guarantees.push_back({operation, kUnitEmbedding, radius});
    return set;
  }

  // The change is measured from above and the radius lies strictly below the exact bound.
  Coverage compare(Bounds bounds, Text edited) const override {
    return embedding_coverage(context_, safe_radius(sigma_, bounds), text(), edited);
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
      request.text, InsertParameters::parse(request.spec).certified_sigma(), request.context);
}

}  // namespace textcrs
