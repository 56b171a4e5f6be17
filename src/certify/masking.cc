// Masking noise (RanMASK): docs/certificates.md, B7.
#include <fmt/format.h>

#include "certify/certificates.h"
#include "certify/noise_parameters.h"
#include "certify/rounding.h"
#include "certify/text_difference.h"

namespace textcrs {
namespace {

class MaskingCertificate final : public Certificate {
 public:
  MaskingCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

 private:
  // The largest R <= words with pA - pB > 2 (1 - p^R), in the form t p^-R + p^-R < 2, t = 1 - (pA -
  // pB).
  int most_substituted(Bounds bounds, int words) const {
    const Real inverse = round_up(1 / Real{p_});
    const Real t = doubt_up(bounds);
    Real power = 1;
    int substituted = 0;
    while (substituted < words) {
      power = round_up(power * inverse);
      if (!surely_below<Real>(round_up(t * power), power, 2)) break;
      ++substituted;
    }
    return substituted;
  }

  CertifiedSet promise(Bounds bounds, std::span<const WordId> text) const override {
    const int substituted = most_substituted(bounds, static_cast<int>(text.size()));
    CertifiedSet set;
    set.guarantees.push_back({"substitution", kUnitWords, static_cast<double>(substituted)});
    return set;
  }

  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (const std::optional<Coverage> answer = compare_lengths(text, edited)) return *answer;
    const int words = static_cast<int>(text.size());
    int substituted = 0;
    for (size_t i = 0; i < text.size(); ++i) substituted += text[i] != edited[i];
    const int most = most_substituted(bounds, words);
    return {substituted <= most, "substitution",
            fmt::format("{} substituted; {} may be", counted(substituted, "word"), up_to(most))};
  }

  double p_;  // probability that a word is masked
};

}  // namespace

CertificatePtr sound_masking(const CertificateRequest& request) {
  return std::make_unique<MaskingCertificate>(request.text, masking_probability(request.spec));
}

}  // namespace textcrs
