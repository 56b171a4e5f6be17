// Gaussian noise in place (docs/certificates.md, B14): the text, cut to the model's n slots. The
// Gaussian is added by the classifier, sigma() on every coordinate.
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Gaussian final : public Noise {
 public:
  Gaussian(const GaussianParameters& parameters, int slots)
      : parameters_(parameters), slots_(static_cast<size_t>(slots)) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream&, Words& out) const override {
    const Text seen = text.cut(slots_);
    out.assign(seen.begin(), seen.end());
  }

  std::optional<CopyPlan> plan(Text text) const override {
    const Text seen = text.cut(slots_);
    return CopyPlan{.words = {seen.begin(), seen.end()}};
  }

  // The size of the law stays infinite: the words do not vary, their vectors do.
  Law law(Text text) const override { return certain(text.cut(slots_).ids); }

  double sigma() const override { return parameters_.sigma; }

 private:
  GaussianParameters parameters_;
  size_t slots_;
};

}  // namespace

std::unique_ptr<Noise> make_gaussian(const Spec& spec, const NoiseContext& context) {
  const GaussianParameters parameters = GaussianParameters::parse(spec);
  return std::make_unique<Gaussian>(parameters, slots_of(spec, context));
}

}  // namespace textcrs
