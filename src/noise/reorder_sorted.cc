// Sorted blocks (docs/certificates.md, B9): blocks of L words as in B4, each in a fixed order
// instead of shuffled. L equally weighted outcomes, the k-th with offset k.
#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "kernels/blocks.h"
#include "noise/kinds.h"
#include "noise/laws.h"
#include "noise/spellings.h"

namespace textcrs {
namespace {

class ReorderSorted final : public Noise {
 public:
  ReorderSorted(const ReorderParameters& parameters, const Vocabulary* vocabulary)
      : parameters_(parameters), length_(static_cast<uint32_t>(parameters.length)) {
    if (vocabulary != nullptr) spellings_.emplace(*vocabulary);
  }

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    sort_blocks(text, stream.below(length_), out);
  }

  void sample_bag(Text text, const Stream&, Words& out) const override {
    out.assign(text.begin(), text.end());
  }

  std::optional<CopyPlan> plan(Text text) const override {
    check_own_words(text);
    CopyPlan plan{.order = CopyOrder::kSortedBlocks, .length = length_};
    plan.places.resize(text.size());
    std::iota(plan.places.begin(), plan.places.end(), 0u);
    std::sort(plan.places.begin(), plan.places.end(),
              [&](uint32_t x, uint32_t y) { return in_order(text[x], text[y], text.own); });
    for (const uint32_t place : plan.places) plan.words.push_back(text[place]);
    return plan;
  }

  std::optional<uint64_t> outcomes(Text) const override { return length_; }

  void outcome(Text text, uint64_t k, Words& out) const override {
    if (k >= length_) throw std::logic_error("reorder: outcome beyond the last");
    sort_blocks(text, k, out);
  }

  Law law(Text text) const override {
    check_outcomes(length_);
    Law law;
    Words words;
    for (uint32_t offset = 0; offset < length_; ++offset) {
      sort_blocks(text, offset, words);
      law[words] += 1.0 / length_;
    }
    return law;
  }

 private:
  // A fixed random order, so that a block's order says nothing about frequency: by the spelling of
  // words, or where that is not known by their numbers. Own words need the spelling: their numbers
  // mean something for one text only.
  bool in_order(WordId x, WordId y, std::span<const std::string> own) const {
    if (spellings_) return spellings_->in_order(x, y, own);
    return mix_bits(static_cast<uint64_t>(x)) < mix_bits(static_cast<uint64_t>(y));
  }

  void check_own_words(Text text) const {
    if (!spellings_ && !text.own.empty())
      throw std::logic_error("reorder: own words without a vocabulary");
  }

  void sort_blocks(Text text, size_t offset, Words& out) const {
    check_own_words(text);
    out.assign(text.begin(), text.end());
    for_each_block(text.size(), length_, offset, [&](size_t begin, size_t end) {
      const auto first = out.begin() + static_cast<std::ptrdiff_t>(begin);
      std::sort(first, first + static_cast<std::ptrdiff_t>(end - begin),
                [&](WordId x, WordId y) { return in_order(x, y, text.own); });
    });
  }

  ReorderParameters parameters_;
  uint32_t length_;  // of the parameters
  std::optional<Spellings> spellings_;
};

}  // namespace

std::unique_ptr<Noise> make_reorder_sorted(const ReorderParameters& parameters,
                                           const NoiseContext& context) {
  return std::make_unique<ReorderSorted>(parameters, context.vocabulary);
}

}  // namespace textcrs
