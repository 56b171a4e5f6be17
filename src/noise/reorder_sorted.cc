// Sorted blocks (docs/certificates.md, B9): blocks of L words as in B4, each in the fixed order of
// mix_bits instead of shuffled. L equally weighted outcomes, the k-th with offset k.
#include <algorithm>
#include <stdexcept>

#include "noise/blocks.h"
#include "noise/kinds.h"
#include "noise/laws.h"
#include "textcrs/noise/word_hash.h"

namespace textcrs {
namespace {

// A fixed random order of the ids, so that a block's order says nothing about frequency; mix_bits
// is a bijection, so different words never tie.
bool comes_before(WordId a, WordId b) {
  return mix_bits(static_cast<uint64_t>(a)) < mix_bits(static_cast<uint64_t>(b));
}

class ReorderSorted final : public Noise {
 public:
  explicit ReorderSorted(int length) : length_(static_cast<uint32_t>(length)) {}

  std::string spec() const override {
    return "reorder:block=" + std::to_string(length_) + ",order=sorted";
  }

  void sample(std::span<const WordId> text, Stream& stream, Words& out) const override {
    sort_blocks(text, stream.below(length_), out);
  }

  std::optional<uint64_t> outcomes(std::span<const WordId>) const override { return length_; }

  void outcome(std::span<const WordId> text, uint64_t k, Words& out) const override {
    if (k >= length_) throw std::logic_error("reorder: outcome beyond the last");
    sort_blocks(text, k, out);
  }

  Law law(std::span<const WordId> text) const override {
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
  void sort_blocks(std::span<const WordId> text, size_t offset, Words& out) const {
    out.assign(text.begin(), text.end());
    for_each_block(text.size(), length_, offset, [&](size_t begin, size_t end) {
      const auto first = out.begin() + static_cast<std::ptrdiff_t>(begin);
      std::sort(first, first + static_cast<std::ptrdiff_t>(end - begin), comes_before);
    });
  }

  uint32_t length_;
};

}  // namespace

std::unique_ptr<Noise> make_reorder_sorted(int length) {
  return std::make_unique<ReorderSorted>(length);
}

}  // namespace textcrs
