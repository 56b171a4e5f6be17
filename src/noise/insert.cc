// Insertion (docs/certificates.md, B5): the text, cut or padded to the model's n slots, with all n
// slots shuffled, PAD included. The Gaussian is added by the classifier, sigma() on every
// coordinate.
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Insert final : public Noise {
 public:
  Insert(const GaussianParameters& parameters, int slots)
      : parameters_(parameters), slots_(static_cast<size_t>(slots)) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    fill_slots(text, out);
    stream.shuffle(std::span(out));
  }

  std::optional<CopyPlan> plan(Text text) const override {
    CopyPlan plan{.order = CopyOrder::kShuffled};
    fill_slots(text, plan.words);
    return plan;
  }

  Law law(Text text) const override {
    Words words;
    fill_slots(text, words);
    return shuffled(words);
  }

  double sigma() const override { return parameters_.sigma; }

 private:
  void fill_slots(Text text, Words& out) const {
    const Text seen = text.cut(slots_);
    out.assign(seen.begin(), seen.end());
    out.resize(slots_, kPad);
  }

  GaussianParameters parameters_;
  size_t slots_;
};

}  // namespace

std::unique_ptr<Noise> make_insert(const Spec& spec, const NoiseContext& context) {
  const GaussianParameters parameters = GaussianParameters::parse(spec);
  return std::make_unique<Insert>(parameters, slots_of(spec, context));
}

}  // namespace textcrs
