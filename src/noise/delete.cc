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
  Delete(std::string spec, double p, bool shuffle)
      : spec_(std::move(spec)), p_(p), removed_(p), shuffle_(shuffle) {}

  std::string spec() const override { return spec_; }

  void sample(std::span<const WordId> text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    size_t kept = 0;
    for (const WordId word : text) {
      out[kept] = word;
      kept += !removed_.flip(stream);
    }
    out.resize(kept);
    if (shuffle_) stream.shuffle(std::span(out));
  }

  Law law(std::span<const WordId> text) const override {
    Words words(text.begin(), text.end());
    if (shuffle_) std::sort(words.begin(), words.end());  // equal multisets meet in one outcome
    Law kept = certain({});
    for (const WordId word : words) kept = joined(kept, {{{}, p_}, {{word}, 1 - p_}});
    if (!shuffle_) return kept;
    Law law;
    for (const auto& [survivors, probability] : kept) mix_in(law, shuffled(survivors), probability);
    return law;
  }

  // 2^m; shuffled: the sum over k of C(m, k) k! = m! / (m - k)!.
  double law_size(std::span<const WordId> text) const override {
    if (!shuffle_) return std::exp2(static_cast<double>(text.size()));
    double sum = 1, arrangements = 1;
    for (size_t left = text.size(); left > 0 && sum < kMaxOutcomes; --left)
      sum += arrangements *= static_cast<double>(left);
    return sum;
  }

 private:
  std::string spec_;
  double p_;
  Coin removed_;
  bool shuffle_;
};

}  // namespace

std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext&) {
  spec.allow_only({"p", "order"});
  const double p = spec.number_inside("p", 0, 1);
  const bool shuffle = spec.choice_or("order", "kept", {"kept", "shuffled"}) == "shuffled";
  return std::make_unique<Delete>("delete:p=" + shortest(p) + (shuffle ? ",order=shuffled" : ""), p,
                                  shuffle);
}

std::unique_ptr<Noise> make_universal(const Spec& spec, const NoiseContext&) {
  spec.allow_only({"p"});
  const double p = spec.number_inside("p", 0, 1);
  return std::make_unique<Delete>("universal:p=" + shortest(p), p, true);
}

}  // namespace textcrs
