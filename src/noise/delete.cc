// Deletion (docs/certificates.md, B1 and B2) and the universal noise (B3): every word is removed
// independently with probability p, a stop word always; the survivors close up, in their order or
// shuffled. A stop word takes nothing from the stream: a copy of a text is one of the text without
// its stop words.
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
  // `stop_words` marks the words that are always removed; null: there are none.
  Delete(const DeletionParameters& parameters, const Vocabulary* stop_words)
      : parameters_(parameters),
        stop_words_(stop_words),
        removed_(parameters.p),
        isa_(best_isa(Precision::kFp32)) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    size_t kept = 0;
    for (const WordId word : text) {
      if (is_stop_word(word)) continue;
      out[kept] = word;
      kept += !removed_.flip(stream);
    }
    out.resize(kept);
    if (parameters_.shuffled) stream.shuffle(std::span(out));
  }

  // The draws of many words at a time.
  void sample_bag(Text text, const Stream& fresh, Words& out) const override {
    std::array<uint32_t, 256> draws;
    write_others(text, out);
    const size_t words = out.size();
    size_t kept = 0;
    for (size_t begin = 0; begin < words; begin += draws.size()) {
      const size_t count = std::min(draws.size(), words - begin);
      words_at(isa_, fresh, begin / 4, std::span(draws).first((count + 3) / 4 * 4));
      bool is_sure = true;
      for (size_t i = 0; i < count; ++i) {
        out[kept] = out[begin + i];
        kept += !removed_.is_below(draws[i]);
        is_sure = is_sure && removed_.decides(draws[i]);
      }
      if (!is_sure) return Noise::sample_bag(text, fresh, out);
    }
    out.resize(kept);
  }

  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = others_of(text),
                    .pick = CopyPick::kUnlessCoin,
                    .coin = removed_.threshold(),
                    .order = parameters_.shuffled ? CopyOrder::kShuffled : CopyOrder::kKept};
  }

  Law law(Text text) const override {
    Words words = others_of(text);
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

  // 2^m for m words that are no stop words; shuffled: the sum over k of C(m, k) k! = m! / (m - k)!.
  double law_size(Text text) const override {
    const size_t words = count_others(text);
    if (!parameters_.shuffled) return std::exp2(static_cast<double>(words));
    double sum = 1, arrangements = 1;
    for (size_t left = words; left > 0 && sum < kMaxOutcomes; --left)
      sum += arrangements *= static_cast<double>(left);
    return sum;
  }

  double blank_share(Text text) const override {
    return std::pow(sampled_probability(parameters_.p), static_cast<double>(count_others(text)));
  }

  bool picks_places() const override { return stop_words_ == nullptr; }

 private:
  bool is_stop_word(WordId word) const {
    return stop_words_ != nullptr && stop_words_->is_stop_word(word);
  }
  // The words of a text that are no stop words.
  void write_others(Text text, Words& out) const {
    out.assign(text.begin(), text.end());
    if (stop_words_ != nullptr) std::erase_if(out, [&](WordId word) { return is_stop_word(word); });
  }
  Words others_of(Text text) const {
    Words words;
    write_others(text, words);
    return words;
  }
  size_t count_others(Text text) const {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [&](WordId word) { return !is_stop_word(word); }));
  }

  DeletionParameters parameters_;
  const Vocabulary* stop_words_;
  Coin removed_;
  Isa isa_;
};

}  // namespace

std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext& context) {
  const DeletionParameters parameters = DeletionParameters::parse(spec);
  return std::make_unique<Delete>(parameters, parameters.stop_words_of(context.vocabulary));
}

}  // namespace textcrs
