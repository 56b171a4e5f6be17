// The full shuffle (docs/certificates.md, B4 without a cut): every order is equally likely.
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class ReorderFull final : public Noise {
 public:
  std::string spec() const override { return ReorderParameters().spec(); }
  void sample(Text text, Stream& stream, Words& out) const override {
    out.assign(text.begin(), text.end());
    stream.shuffle(std::span(out));
  }
  void sample_bag(Text text, const Stream&, Words& out) const override {
    out.assign(text.begin(), text.end());
  }
  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = {text.begin(), text.end()}, .order = CopyOrder::kShuffled};
  }
  Law law(Text text) const override { return shuffled(text.ids); }
  double law_size(Text text) const override { return arrangements(text.ids); }
  bool picks_places() const override { return true; }
};

}  // namespace

std::unique_ptr<Noise> make_reorder_full() { return std::make_unique<ReorderFull>(); }

}  // namespace textcrs
