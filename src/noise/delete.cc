// Deletion (docs/certificates.md, B1 and B2) and the universal noise (B3): every word is removed
// independently with probability p; the survivors close up, in their order or shuffled.
#include <algorithm>
#include <cmath>

#include "noise/coin.h"
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Delete final : public Noise {
 public:
  explicit Delete(const DeletionParameters& parameters)
      : parameters_(parameters), removed_(parameters.p) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    size_t kept = 0;
    for (const WordId word : text) {
      out[kept] = word;
      kept += !removed_.flip(stream);
    }
    out.resize(kept);
    if (parameters_.shuffled) stream.shuffle(std::span(out));
  }

  Law law(Text text) const override {
    Words words(text.begin(), text.end());
    if (parameters_.shuffled)
      std::sort(words.begin(), words.end());  // equal multisets meet in one outcome
    const double p = sampled_probability(parameters_.p);
    Law kept = certain({});
    for (const WordId word : words) kept = joined(kept, {{{}, p}, {{word}, 1 - p}});
    if (!parameters_.shuffled) return kept;
    Law law;
    for (const auto& [survivors, probability] : kept) mix_in(law, shuffled(survivors), probability);
    return law;
  }

  // 2^m; shuffled: the sum over k of C(m, k) k! = m! / (m - k)!.
  double law_size(Text text) const override {
    if (!parameters_.shuffled) return std::exp2(static_cast<double>(text.size()));
    double sum = 1, arrangements = 1;
    for (size_t left = text.size(); left > 0 && sum < kMaxOutcomes; --left)
      sum += arrangements *= static_cast<double>(left);
    return sum;
  }

  double blank_share(Text text) const override {
    return std::pow(sampled_probability(parameters_.p), static_cast<double>(text.size()));
  }

  bool picks_places() const override { return true; }

 private:
  DeletionParameters parameters_;
  Coin removed_;
};

}  // namespace

std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext&) {
  return std::make_unique<Delete>(DeletionParameters::parse(spec));
}

}  // namespace textcrs
