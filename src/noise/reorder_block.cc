// The block shuffle (docs/certificates.md, B4): blocks of L words at a uniformly random offset, a
// uniform shuffle inside each.
#include "kernels/blocks.h"
#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

class ReorderBlock final : public Noise {
 public:
  explicit ReorderBlock(const ReorderParameters& parameters)
      : parameters_(parameters), length_(static_cast<uint32_t>(parameters.length)) {}

  std::string spec() const override { return parameters_.spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    out.assign(text.begin(), text.end());
    for_each_block(text.size(), length_, stream.below(length_), [&](size_t begin, size_t end) {
      stream.shuffle(std::span(out).subspan(begin, end - begin));
    });
  }

  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{
        .words = {text.begin(), text.end()}, .order = CopyOrder::kBlocks, .length = length_};
  }

  void sample_bag(Text text, const Stream&, Words& out) const override {
    out.assign(text.begin(), text.end());
  }

  // The offsets 0 and m, m + 1, .. all leave the text uncut when L >= m: they are counted together.
  Law law(Text text) const override {
    const size_t m = text.size();
    if (m == 0) return certain(text.ids);
    Law law;
    for (size_t offset = 0; offset < length_ && offset < m; ++offset) {
      Law blocks = certain({});
      for_each_block(m, length_, offset, [&](size_t begin, size_t end) {
        blocks = joined(blocks, shuffled(text.ids.subspan(begin, end - begin)));
      });
      const size_t offsets = offset == 0 && length_ > m ? length_ - m + 1 : 1;
      mix_in(law, blocks, static_cast<double>(offsets) / length_);
    }
    return law;
  }

  double law_size(Text text) const override {
    double sum = text.empty() ? 1 : 0;
    for (size_t offset = 0; offset < length_ && offset < text.size(); ++offset) {
      double product = 1;
      for_each_block(text.size(), length_, offset, [&](size_t begin, size_t end) {
        product *= arrangements(text.ids.subspan(begin, end - begin));
      });
      sum += product;
    }
    return sum;
  }

 private:
  ReorderParameters parameters_;
  uint32_t length_;  // of the parameters
};

}  // namespace

std::unique_ptr<Noise> make_reorder_block(const ReorderParameters& parameters) {
  return std::make_unique<ReorderBlock>(parameters);
}

}  // namespace textcrs
