// Masking noise (RanMASK): docs/certificates.md, B7.
#include <fmt/format.h>

#include "certify/by_bounds.h"
#include "certify/certificates.h"
#include "certify/rounding.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderMasking final : public TextCertificate {
 public:
  TextUnderMasking(Text text, double p) : TextCertificate(text), p_(p) {}

 private:
  int most_substituted(Bounds bounds) const {
    return radii_.at(bounds, [&] { return radius(bounds); });
  }

  // The largest R <= words with pA - pB > 2 (1 - p^R), in the form t p^-R + p^-R < 2, t = 1 - (pA -
  // pB).
  int radius(Bounds bounds) const {
    const Real inverse = round_up(1 / Real{p_});
    const Real t = doubt_up(bounds);
    Real power = 1;
    int substituted = 0;
    while (substituted < words()) {
      power = round_up(power * inverse);
      if (!surely_below<Real>(round_up(t * power), power, 2)) break;
      ++substituted;
    }
    return substituted;
  }

  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back(
        {Operation::kSubstitution, kUnitWords, static_cast<double>(most_substituted(bounds))});
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (const std::optional<Coverage> answer = compare_lengths(text(), edited)) return *answer;
    int substituted = 0;
    for (size_t i = 0; i < edited.size(); ++i) substituted += text()[i] != edited[i];
    const int most = most_substituted(bounds);
    return {substituted <= most, Operation::kSubstitution,
            fmt::format("{} substituted; {} may be", counted(substituted, "word"), up_to(most))};
  }

  double p_;
  ByBounds<int> radii_;
};

class MaskingCertificate final : public Certificate {
 public:
  MaskingCertificate(std::string noise, double p)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p) {}

  std::vector<Operation> operations() const override { return {Operation::kSubstitution}; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderMasking>(text, p_);
  }

  double p_;  // probability that a word is masked
};

}  // namespace

CertificatePtr sound_masking(const CertificateRequest& request) {
  return std::make_unique<MaskingCertificate>(
      request.text, sampled_probability(MaskParameters::parse(request.spec).p));
}

}  // namespace textcrs
