// The paper's theorem 1, staircase substitution: docs/certificates.md, A.
#include <algorithm>
#include <cmath>

#include "certify/certificates.h"

namespace textcrs {
namespace {

class PaperSubstitution final : public Certificate {
 public:
  PaperSubstitution(std::string noise, double epsilon)
      : Certificate(CertificateMode::kPaper, std::move(noise)), epsilon_(epsilon) {}

 private:
  // max(ln(pA/pB) / (2 eps), -ln(1 - pA + pB) / eps). At pB = 0 the first ratio is infinite, and so
  // is the paper's radius.
  CertifiedSet promise(Bounds bounds, int) const override {
    const double ratio = std::log(bounds.pa / bounds.pb) / (2 * epsilon_);
    const double shift = -std::log1p(bounds.pb - bounds.pa) / epsilon_;
    CertifiedSet set;
    set.guarantees.push_back({"substitution", kUnitRanks, std::max(ratio, shift)});
    return set;
  }

  double epsilon_;
};

}  // namespace

CertificatePtr paper_substitution(const CertificateRequest& request) {
  const Spec& spec = request.spec;
  if (spec.choice("kernel", {"uniform", "staircase", "cluster", "graph"}) != "staircase")
    return nullptr;
  spec.allow_only({"kernel", "size", "eps"});
  const int size = spec.integer("size", 1, 1'000'000);
  const double epsilon = spec.has("eps") ? spec.positive("eps") : 5.0 / size;
  return std::make_unique<PaperSubstitution>(request.text, epsilon);
}

}  // namespace textcrs
