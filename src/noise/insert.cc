// Insertion (docs/certificates.md, B5): the text, cut or padded to the model's n slots, with all n
// slots shuffled, PAD included. The Gaussian is added by the classifier, sigma() on every
// coordinate.
#include <algorithm>

#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Insert final : public Noise {
 public:
  Insert(double sigma, int slots) : sigma_(sigma), slots_(static_cast<size_t>(slots)) {}

  std::string spec() const override { return "insert:sigma=" + shortest(sigma_); }

  void sample(std::span<const WordId> text, Stream& stream, Words& out) const override {
    fill_slots(text, out);
    stream.shuffle(std::span(out));
  }

  Law law(std::span<const WordId> text) const override {
    Words words;
    fill_slots(text, words);
    return shuffled(words);
  }

  double sigma() const override { return sigma_; }

 private:
  void fill_slots(std::span<const WordId> text, Words& out) const {
    const std::span<const WordId> seen = text.first(std::min(text.size(), slots_));
    out.assign(seen.begin(), seen.end());
    out.resize(slots_, kPad);
  }

  double sigma_;
  size_t slots_;
};

}  // namespace

std::unique_ptr<Noise> make_insert(const Spec& spec, const NoiseContext& context) {
  spec.allow_only({"sigma"});
  const double sigma = spec.positive("sigma");
  if (context.slots < 1)
    spec.fail("the model has " + std::to_string(context.slots) + " slots, expected at least 1");
  return std::make_unique<Insert>(sigma, context.slots);
}

}  // namespace textcrs
