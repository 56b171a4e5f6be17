// The paper's theorem 3, Gaussian noise and a full shuffle: docs/certificates.md, A.
#include "certify/certificates.h"
#include "certify/embedding_coverage.h"
#include "certify/noise_parameters.h"
#include "certify/normal_quantile.h"

namespace textcrs {
namespace {

class PaperInsertion final : public Certificate {
 public:
  PaperInsertion(std::string noise, double sigma, const CertificateContext& context)
      : Certificate(CertificateMode::kPaper, std::move(noise)),
        sigma_(sigma),
        slots_(context.slots),
        embeddings_(context.embeddings) {}

 private:
  // The theorem asks for the permutation radius of theorem 2 with lambda = n as well; the paper's
  // section on universality extends the l2 radius to substitution and deletion.
  CertifiedSet promise(Bounds bounds, std::span<const WordId>) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, slots_ * (bounds.pa - bounds.pb)});
    for (const char* operation : {"insertion", "substitution", "deletion"})
      set.guarantees.push_back({operation, kUnitEmbedding, radius(bounds)});
    return set;
  }

  // The permutation radius is left out: the shuffle makes every order of the slots alike (B5), so
  // the matching is free to choose one.
  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    return embedding_coverage(embeddings_, slots_, radius(bounds), text, edited);
  }

  double radius(Bounds bounds) const {
    return sigma_ / 2 * (normal_quantile(bounds.pa) - normal_quantile(bounds.pb));
  }

  double sigma_;
  int slots_;
  const Embeddings* embeddings_;
};

}  // namespace

CertificatePtr paper_insertion(const CertificateRequest& request) {
  return std::make_unique<PaperInsertion>(request.text, insertion_sigma(request.spec),
                                          request.context);
}

}  // namespace textcrs
