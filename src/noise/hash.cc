// Hash pieces (docs/certificates.md, B9): outcome k = t K + b is the words of the text that hash
// function t puts in bucket b, in the order of word_priority. T K equally weighted outcomes.
#include <algorithm>
#include <stdexcept>

#include "noise/kinds.h"
#include "noise/laws.h"
#include "noise/spellings.h"

namespace textcrs {
namespace {

class Hash final : public Noise {
 public:
  Hash(const HashParameters& parameters, const Vocabulary& vocabulary)
      : parameters_(parameters),
        buckets_(static_cast<uint32_t>(parameters.buckets)),
        functions_(static_cast<uint32_t>(parameters.functions)),
        spellings_(vocabulary) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    const uint32_t t = stream.below(functions_), b = stream.below(buckets_);
    write_piece(text, t, b, out);
  }

  std::optional<CopyPlan> plan(Text text) const override {
    CopyPlan plan{.words = {text.begin(), text.end()},
                  .pick = CopyPick::kBucket,
                  .functions = functions_,
                  .buckets = buckets_};
    sort(plan.words, text.own);
    for (const WordId word : plan.words) plan.hashes.push_back(spellings_.of(word, text.own));
    return plan;
  }

  std::optional<uint64_t> outcomes(Text) const override { return uint64_t{functions_} * buckets_; }

  void outcome(Text text, uint64_t k, Words& out) const override {
    if (k >= uint64_t{functions_} * buckets_)
      throw std::logic_error("hash: outcome beyond the last");
    write_piece(text, static_cast<uint32_t>(k / buckets_), static_cast<uint32_t>(k % buckets_),
                out);
  }

  Law law(Text text) const override {
    const double pieces = static_cast<double>(functions_) * buckets_;
    check_outcomes(pieces);
    Law law;
    Words words;
    for (uint32_t t = 0; t < functions_; ++t) {
      for (uint32_t b = 0; b < buckets_; ++b) {
        write_piece(text, t, b, words);
        law[words] += 1 / pieces;
      }
    }
    return law;
  }

 private:
  void write_piece(Text text, uint32_t t, uint32_t b, Words& out) const {
    out.resize(text.size());
    size_t kept = 0;
    for (const WordId word : text) {
      out[kept] = word;
      kept += word_bucket(spellings_.of(word, text.own), t, buckets_) == b;
    }
    out.resize(kept);
    sort(out, text.own);
  }

  void sort(Words& words, std::span<const std::string> own) const {
    std::sort(words.begin(), words.end(),
              [&](WordId x, WordId y) { return spellings_.in_order(x, y, own); });
  }

  HashParameters parameters_;
  uint32_t buckets_, functions_;  // of the parameters
  Spellings spellings_;
};

}  // namespace

std::unique_ptr<Noise> make_hash(const Spec& spec, const NoiseContext& context) {
  const HashParameters parameters = HashParameters::parse(spec);
  if (context.vocabulary == nullptr) spec.fail("needs a vocabulary");
  return std::make_unique<Hash>(parameters, *context.vocabulary);
}

}  // namespace textcrs
