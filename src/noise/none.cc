// No noise: the vanilla classifier.
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class None final : public Noise {
 public:
  std::string spec() const override { return std::string(kNoNoise); }
  void sample(Text text, Stream&, Words& out) const override {
    out.assign(text.begin(), text.end());
  }
  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = {text.begin(), text.end()}};
  }
  Law law(Text text) const override { return certain(text.ids); }
  bool picks_places() const override { return true; }
};

}  // namespace

std::unique_ptr<Noise> make_none(const Spec& spec, const NoiseContext&) {
  spec.allow_only({});
  return std::make_unique<None>();
}

}  // namespace textcrs
