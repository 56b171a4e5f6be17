// Masking noise (RanMASK): docs/certificates.md, B7.
#include "certify/certificates.h"
#include "certify/noise_parameters.h"
#include "certify/rounding.h"

namespace textcrs {
namespace {

class MaskingCertificate final : public Certificate {
 public:
  MaskingCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

 private:
  // pA - pB > 2 (1 - p^R) in the form t p^-R + p^-R < 2, t = 1 - (pA - pB).
  CertifiedSet promise(Bounds bounds, int words) const override {
    const Real inverse = round_up(1 / Real{p_});
    const Real t = doubt_up(bounds);
    Real power = 1;
    int substituted = 0;
    while (substituted < words) {
      power = round_up(power * inverse);
      if (!surely_below<Real>(round_up(t * power), power, 2)) break;
      ++substituted;
    }
    CertifiedSet set;
    set.guarantees.push_back({"substitution", kUnitWords, static_cast<double>(substituted)});
    return set;
  }

  double p_;  // probability that a word is masked
};

}  // namespace

CertificatePtr sound_masking(const CertificateRequest& request) {
  return std::make_unique<MaskingCertificate>(request.text, masking_probability(request.spec));
}

}  // namespace textcrs
