// Deletion (docs/certificates.md, B1 and B2) and the universal noise (B3): every word is removed
// independently with probability p; the survivors close up, in their order or shuffled.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/normals.h"
#include "noise/coin.h"
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class Delete final : public Noise {
 public:
  explicit Delete(const DeletionParameters& parameters)
      : parameters_(parameters), removed_(parameters.p), isa_(best_isa(Precision::kFp32)) {}

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

  // The draws of many words at a time.
  void sample_bag(Text text, const Stream& fresh, Words& out) const override {
    std::array<uint32_t, 256> draws;
    out.resize(text.size());
    size_t kept = 0;
    for (size_t begin = 0; begin < text.size(); begin += draws.size()) {
      const size_t count = std::min(draws.size(), text.size() - begin);
      words_at(isa_, fresh, begin / 4, std::span(draws).first((count + 3) / 4 * 4));
      bool is_sure = true;
      for (size_t i = 0; i < count; ++i) {
        out[kept] = text[begin + i];
        kept += !removed_.is_below(draws[i]);
        is_sure = is_sure && removed_.decides(draws[i]);
      }
      if (!is_sure) return Noise::sample_bag(text, fresh, out);
    }
    out.resize(kept);
  }

  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = {text.begin(), text.end()},
                    .pick = CopyPick::kUnlessCoin,
                    .coin = removed_.threshold(),
                    .order = parameters_.shuffled ? CopyOrder::kShuffled : CopyOrder::kKept};
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
  Isa isa_;
};

}  // namespace

std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext&) {
  return std::make_unique<Delete>(DeletionParameters::parse(spec));
}

}  // namespace textcrs
