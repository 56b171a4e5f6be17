// Masking (docs/certificates.md, B7): every word is replaced in place by kMask with probability p.
#include <cmath>

#include "noise/coin.h"
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Mask final : public Noise {
 public:
  explicit Mask(const MaskParameters& parameters)
      : parameters_(parameters), masked_(parameters.p) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    for (size_t i = 0; i < text.size(); ++i) out[i] = masked_.flip(stream) ? kMask : text[i];
  }

  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = {text.begin(), text.end()},
                    .pick = CopyPick::kMaskByCoin,
                    .coin = masked_.threshold(),
                    .mask = kMask};
  }

  Law law(Text text) const override {
    const double p = sampled_probability(parameters_.p);
    Law law = certain({});
    for (const WordId word : text) {
      Law one;
      one[{kMask}] += p;
      one[{word}] += 1 - p;
      law = joined(law, one);
    }
    return law;
  }

  double law_size(Text text) const override { return std::exp2(static_cast<double>(text.size())); }

  double blank_share(Text text) const override {
    return std::pow(sampled_probability(parameters_.p), static_cast<double>(text.size()));
  }

 private:
  MaskParameters parameters_;
  Coin masked_;
};

}  // namespace

std::unique_ptr<Noise> make_mask(const Spec& spec, const NoiseContext&) {
  return std::make_unique<Mask>(MaskParameters::parse(spec));
}

}  // namespace textcrs
