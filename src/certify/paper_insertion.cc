// The paper's theorem 3, Gaussian noise and a full shuffle: docs/certificates.md, A.
#include "certify/certificates.h"
#include "certify/noise_parameters.h"
#include "certify/normal_quantile.h"

namespace textcrs {
namespace {

class PaperInsertion final : public Certificate {
 public:
  PaperInsertion(std::string noise, double sigma, int slots)
      : Certificate(CertificateMode::kPaper, std::move(noise)), sigma_(sigma), slots_(slots) {}

 private:
  // The theorem asks for the permutation radius of theorem 2 with lambda = n as well; the paper's
  // section on universality extends the l2 radius to substitution and deletion.
  CertifiedSet promise(Bounds bounds, int) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, slots_ * (bounds.pa - bounds.pb)});
    const double radius = sigma_ / 2 * (normal_quantile(bounds.pa) - normal_quantile(bounds.pb));
    for (const char* operation : {"insertion", "substitution", "deletion"})
      set.guarantees.push_back({operation, kUnitEmbedding, radius});
    return set;
  }

  double sigma_;
  int slots_;
};

}  // namespace

CertificatePtr paper_insertion(const CertificateRequest& request) {
  return std::make_unique<PaperInsertion>(request.text, insertion_sigma(request.spec),
                                          request.slots);
}

}  // namespace textcrs
