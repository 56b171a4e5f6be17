// Masking (docs/certificates.md, B7): every word is replaced in place by kMask with probability p.
#include <cmath>

#include "noise/coin.h"
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Mask final : public Noise {
 public:
  explicit Mask(double p) : p_(p), masked_(p) {}

  std::string spec() const override { return "mask:p=" + shortest(p_); }

  void sample(std::span<const WordId> text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    for (size_t i = 0; i < text.size(); ++i) out[i] = masked_.flip(stream) ? kMask : text[i];
  }

  Law law(std::span<const WordId> text) const override {
    Law law = certain({});
    for (const WordId word : text) {
      Law one;
      one[{kMask}] += p_;
      one[{word}] += 1 - p_;
      law = joined(law, one);
    }
    return law;
  }

  double law_size(std::span<const WordId> text) const override {
    return std::exp2(static_cast<double>(text.size()));
  }

 private:
  double p_;
  Coin masked_;
};

}  // namespace

std::unique_ptr<Noise> make_mask(const Spec& spec, const NoiseContext&) {
  spec.allow_only({"p"});
  return std::make_unique<Mask>(spec.number_inside("p", 0, 1));
}

}  // namespace textcrs
