// The paper's theorem 2, uniform permutation: docs/certificates.md, A.
#include "certify/certificates.h"
#include "certify/noise_parameters.h"

namespace textcrs {
namespace {

class PaperReordering final : public Certificate {
 public:
  PaperReordering(std::string noise, int lambda)
      : Certificate(CertificateMode::kPaper, std::move(noise)), lambda_(lambda) {}

 private:
  CertifiedSet promise(Bounds bounds, int) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, lambda_ * (bounds.pa - bounds.pb)});
    return set;
  }

  int lambda_;  // length of the reordering groups
};

}  // namespace

CertificatePtr paper_reordering(const CertificateRequest& request) {
  const ReorderParameters noise = reorder_parameters(request.spec);
  switch (noise.kind) {
    case ReorderParameters::Kind::kFull:
      return std::make_unique<PaperReordering>(request.text, request.slots);  // lambda = n
    case ReorderParameters::Kind::kBlock:
    case ReorderParameters::Kind::kGroups:
      return std::make_unique<PaperReordering>(request.text, noise.length);
    default:
      return nullptr;
  }
}

}  // namespace textcrs
