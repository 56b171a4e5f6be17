// Length-adaptive deletion (docs/certificates.md, B13): the deletion noise with a probability that
// depends on the number of words.
#include <vector>

#include "noise/deletion_rates.h"
#include "noise/kinds.h"

namespace textcrs {
namespace {

class Adapt final : public Noise {
 public:
  explicit Adapt(const AdaptParameters& parameters) : parameters_(parameters), rates_(parameters) {
    for (const DeletionRates::Bin& bin : rates_.bins()) {
      DeletionParameters deletion;
      deletion.p = bin.p;
      deletion.shuffled = parameters.shuffled;
      deletions_.push_back(make_delete(Spec::parse(deletion.spec()), {}));
    }
  }

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    deletion_of(text).sample(text, stream, out);
  }
  void sample_bag(Text text, const Stream& fresh, Words& out) const override {
    deletion_of(text).sample_bag(text, fresh, out);
  }
  std::optional<CopyPlan> plan(Text text) const override { return deletion_of(text).plan(text); }
  Law law(Text text) const override { return deletion_of(text).law(text); }
  double law_size(Text text) const override { return deletion_of(text).law_size(text); }
  double blank_share(Text text) const override { return deletion_of(text).blank_share(text); }

 private:
  const Noise& deletion_of(Text text) const {
    return *deletions_[rates_.bin_of(static_cast<int>(text.size()))];
  }

  AdaptParameters parameters_;
  DeletionRates rates_;
  std::vector<std::unique_ptr<Noise>> deletions_;  // of each bin
};

}  // namespace

std::unique_ptr<Noise> make_adapt(const Spec& spec, const NoiseContext&) {
  return std::make_unique<Adapt>(AdaptParameters::parse(spec));
}

}  // namespace textcrs
