// The paper's theorem 3, Gaussian noise and a full shuffle: docs/certificates.md, A.
#include "certify/certificates.h"
#include "certify/embedding_coverage.h"
#include "certify/normal_quantile.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderPaperInsertion final : public TextCertificate {
 public:
  TextUnderPaperInsertion(Text text, double sigma, const CertificateContext& context)
      : TextCertificate(text), sigma_(sigma), context_(context) {}

 private:
  double radius(Bounds bounds) const {
    return sigma_ / 2 * (normal_quantile(bounds.pa) - normal_quantile(bounds.pb));
  }

  // The theorem asks for the permutation radius of theorem 2 with lambda = n as well; the paper's
  // section on universality extends the l2 radius to substitution and deletion.
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back(
        {Operation::kReordering, kUnitDisplacement, context_.slots * (bounds.pa - bounds.pb)});
    for (const Operation operation : kEmbeddingOperations)
      set.guarantees.push_back({operation, kUnitEmbedding, radius(bounds)});
    return set;
  }

  // The permutation radius is left out: the shuffle makes every order of the slots alike (B5), so
  // the matching is free to choose one.
  Coverage compare(Bounds bounds, Text edited) const override {
    return embedding_coverage(context_, radius(bounds), text(), edited);
  }

  double sigma_;
  const CertificateContext& context_;
};

class PaperInsertion final : public Certificate {
 public:
  PaperInsertion(std::string noise, double sigma, const CertificateContext& context)
      : Certificate(CertificateMode::kPaper, std::move(noise)), sigma_(sigma), context_(context) {}

  std::vector<Operation> operations() const override { return insertion_operations(); }
  bool reads_slots() const override { return true; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderPaperInsertion>(text, sigma_, context_);
  }

  double sigma_;
  CertificateContext context_;
};

}  // namespace

CertificatePtr paper_insertion(const CertificateRequest& request) {
  return std::make_unique<PaperInsertion>(
      request.text, GaussianParameters::parse(request.spec).sigma, request.context);
}

}  // namespace textcrs
