// The two layouts of noisy copies, and what is drawn for them.
#include "torch/copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace textcrs {
namespace {

using Longs = std::vector<int64_t>;

// Word w's vector is (w, -w, 10 w).
at::Tensor vectors() {
  at::Tensor table = at::empty({10, 3}, at::kFloat);
  for (int w = 0; w < 10; ++w) {
    table[w][0] = w;
    table[w][1] = -w;
    table[w][2] = 10 * w;
  }
  return table;
}

// The words of a layout, read off the first coordinate.
std::vector<float> words_of(const at::Tensor& rows) {
  const at::Tensor first = rows.reshape({-1, 3}).select(1, 0).contiguous();
  return {first.data_ptr<float>(), first.data_ptr<float>() + first.numel()};
}

Stream gaussian_of(uint32_t copy) { return Stream(1, copy, 0, 1); }

// Row k of copy b's slot t in each layout.
at::Tensor packed_row(const PackedCopies& packed, int64_t b, int64_t t) {
  int64_t row = 0;
  for (int64_t s = 0; s < t; ++s) row += packed.batch_sizes[static_cast<size_t>(s)];
  const auto rank = std::find(packed.order.begin(), packed.order.end(), b) - packed.order.begin();
  return packed.words[row + rank];
}

TEST(PackCopies, IsTimeMajorLongestFirst) {
  const PackedCopies packed = pack_copies(
      CopyBatch{.copies = {{1, 2}, {}, {3, 4, 5, 6, 7}, {8, 9}}}, 4, vectors(), nullptr, 0.5);
  EXPECT_EQ(packed.order, (Longs{2, 0, 3, 1}));  // equal lengths in their own order
  EXPECT_EQ(packed.batch_sizes, (Longs{4, 3, 1, 1}));
  EXPECT_EQ(packed.words.sizes(), (Longs{9, 3}));
  EXPECT_EQ(words_of(packed.words), (std::vector<float>{3, 1, 8, 0, 4, 2, 9, 5, 6}));
  EXPECT_TRUE(packed.words[2].equal(vectors()[8]));
}

TEST(LineUpCopies, KeepsTheOrderWithAGapBehindEveryCopy) {
  const CopyBatch batch{{{1, 2}, {}, {3, 4, 5, 6, 7}}};
  const LinedUpCopies copies = line_up_copies(batch, 4, 2, vectors(), nullptr, 0.5);
  EXPECT_EQ(copies.lengths, (Longs{2, 1, 4}));
  EXPECT_EQ(copies.words.sizes(), (Longs{13, 3}));
  EXPECT_EQ(words_of(copies.words), (std::vector<float>{1, 2, 0, 0, 0, 0, 0, 3, 4, 5, 6, 0, 0}));
}

TEST(LineUpCopies, ALongCopyAddsItsOwnRowsOnly) {
  CopyBatch batch{std::vector<std::vector<WordId>>(100, {1, 2, 3})};
  const auto rows = [&](int slots) {
    return line_up_copies(batch, slots, 4, vectors(), nullptr, 0).words.size(0);
  };
  EXPECT_EQ(rows(64), 100 * (3 + 4));
  EXPECT_EQ(rows(512), 100 * (3 + 4));
  batch.copies.push_back(std::vector<WordId>(500, 5));
  EXPECT_EQ(rows(512), 100 * (3 + 4) + 500 + 4);
}

// The kernels' normals are those of the stream but for rounding.
bool is_close(const at::Tensor& found, const at::Tensor& expected) {
  return found.sub(expected).abs().max().item<float>() < 1e-5;
}

TEST(Gaussian, IsThatOfTheCopysStreamInBothLayouts) {
  const CopyBatch batch{
      {{1, 2}, {}, {3, 4, 5, 6, 7}}, 0.5, {gaussian_of(0), gaussian_of(1), gaussian_of(2)}};
  const PackedCopies packed = pack_copies(batch, 4, vectors(), nullptr, 0);
  const LinedUpCopies lined_up = line_up_copies(batch, 4, 2, vectors(), nullptr, 0);
  int64_t row = 0;
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t length = lined_up.lengths[static_cast<size_t>(b)];
    std::vector<float> normals(static_cast<size_t>(3 * length));
    gaussian_of(static_cast<uint32_t>(b)).normals(normals);
    for (int64_t t = 0; t < length; ++t) {
      const auto& copy = batch.copies[static_cast<size_t>(b)];
      const at::Tensor word = vectors()[copy.empty() ? kPad : copy[static_cast<size_t>(t)]];
      const at::Tensor expected =
          word + 0.5 * at::from_blob(normals.data() + 3 * t, {3}, at::kFloat);
      EXPECT_TRUE(is_close(packed_row(packed, b, t), expected)) << b << " " << t;
      EXPECT_TRUE(is_close(lined_up.words[row++], expected)) << b << " " << t;
    }
    // The gap is no slot of the copy: nothing is added to it.
    for (int gap = 0; gap < 2; ++gap) EXPECT_TRUE(lined_up.words[row++].equal(at::zeros({3})));
  }
}

TEST(Gaussian, DoesNotDependOnTheNeighbours) {
  const CopyBatch alone{{{1, 2, 3}}, 0.5, {gaussian_of(0)}};
  const CopyBatch between{
      {{4}, {1, 2, 3}, {5, 6, 7, 8}}, 0.5, {gaussian_of(7), gaussian_of(0), gaussian_of(8)}};
  const PackedCopies one = pack_copies(alone, 9, vectors(), nullptr, 0);
  const PackedCopies three = pack_copies(between, 9, vectors(), nullptr, 0);
  const at::Tensor lined_up_one = line_up_copies(alone, 9, 2, vectors(), nullptr, 0).words;
  const at::Tensor lined_up_three = line_up_copies(between, 9, 2, vectors(), nullptr, 0).words;
  for (int64_t t = 0; t < 3; ++t) {
    EXPECT_TRUE(packed_row(one, 0, t).equal(packed_row(three, 1, t)));
    EXPECT_TRUE(lined_up_one[t].equal(lined_up_three[3 + t]));
    EXPECT_TRUE(lined_up_one[t].equal(packed_row(one, 0, t)));
  }
}

TEST(Gaussian, NeedsOneStreamPerCopy) {
  const CopyBatch batch{{{1}, {2}}, 0.5, {gaussian_of(0)}};
  EXPECT_THROW(pack_copies(batch, 9, vectors(), nullptr, 0), std::logic_error);
  EXPECT_THROW(line_up_copies(batch, 9, 1, vectors(), nullptr, 0), std::logic_error);
}

TEST(Gaussian, GoesToTheRowsItIsToldAndToNoOther) {
  const CopyBatch batch{
      {{1, 2}, {}, {3, 4, 5}}, 0.5, {gaussian_of(0), gaussian_of(1), gaussian_of(2)}};
  const std::vector<int64_t> lengths = {2, 0, 3}, starts = {1, 5, 7};
  const at::Tensor before = at::arange(36, at::kFloat).view({12, 3});
  at::Tensor rows = before.clone();
  add_gaussian(batch, lengths, rows, [&](size_t b, int64_t t) { return starts[b] + t; });
  at::Tensor expected = before.clone();
  for (size_t b = 0; b < 3; ++b) {
    std::vector<float> normals(static_cast<size_t>(3 * lengths[b]));
    gaussian_of(static_cast<uint32_t>(b)).normals(normals);
    for (int64_t t = 0; t < lengths[b]; ++t)
      expected[starts[b] + t] += 0.5 * at::from_blob(normals.data() + 3 * t, {3}, at::kFloat);
  }
  EXPECT_TRUE(is_close(rows, expected));
  const at::Tensor noisy = rows.clone();
  const CopyBatch still{batch.copies};
  add_gaussian(still, lengths, rows, [](size_t, int64_t) { return 0; });
  EXPECT_TRUE(rows.equal(noisy));
}

TEST(InputDropout, IsOneMaskPerCopyOverAllItsWords) {
  const TrainingStep training{3, 7, 1};
  const at::Tensor ones = at::ones({10, 64});
  const CopyBatch batch{{{1, 2}, {3, 4, 5}, {6}}};
  const PackedCopies packed = pack_copies(batch, 9, ones, &training, 0.25);
  const LinedUpCopies lined_up = line_up_copies(batch, 9, 1, ones, &training, 0.25);
  int64_t row = 0;
  for (int64_t b = 0; b < 3; ++b) {
    const at::Tensor mask = packed_row(packed, b, 0);
    EXPECT_TRUE(mask.eq(0).logical_or(mask.eq(1 / 0.75f)).all().item<bool>());
    EXPECT_GT(mask.eq(0).sum().item<int64_t>(), 0);
    EXPECT_GT(mask.ne(0).sum().item<int64_t>(), 0);
    EXPECT_FALSE(mask.equal(packed_row(packed, (b + 1) % 3, 0)));
    const at::Tensor own_mask = lined_up.words[row];  // here the copies are numbered otherwise
    for (int64_t t = 0; t < lined_up.lengths[static_cast<size_t>(b)]; ++t) {
      EXPECT_TRUE(packed_row(packed, b, t).equal(mask)) << b << " " << t;
      EXPECT_TRUE(lined_up.words[row++].equal(own_mask)) << b << " " << t;
    }
    ++row;  // the gap
  }
  EXPECT_TRUE(pack_copies(batch, 9, ones, nullptr, 0.25).words.eq(1).all().item<bool>());
}

TEST(DropoutMask, KeepsItsShareAndIsKeyedBySeedStepAndUse) {
  const TrainingStep training{3, 7, 1};
  const at::Tensor mask = training.mask(200, 200, 0.3, 0);
  // Six standard deviations of the share of 40,000 coins.
  EXPECT_NEAR(mask.eq(0).to(at::kDouble).mean().item<double>(), 0.3,
              6 * std::sqrt(0.3 * 0.7 / 40000));
  EXPECT_TRUE(mask.eq(0).logical_or(mask.eq(1 / 0.7f)).all().item<bool>());
  EXPECT_TRUE(mask.equal(TrainingStep{3, 7, 2}.mask(200, 200, 0.3, 0)));
  EXPECT_FALSE(mask.equal(training.mask(200, 200, 0.3, 1)));
  EXPECT_FALSE(mask.equal(TrainingStep{3, 8, 1}.mask(200, 200, 0.3, 0)));
  EXPECT_FALSE(mask.equal(TrainingStep{4, 7, 1}.mask(200, 200, 0.3, 0)));
  EXPECT_FALSE(mask.equal(TrainingStep{3, 7, 1, 1}.mask(200, 200, 0.3, 0)));
  EXPECT_FALSE(TrainingStep({3, 7, 1, 1})
                   .mask(200, 200, 0.3, 0)
                   .equal(training.mask(200, 200, 0.3, 1)));  // a part is no use
  EXPECT_TRUE(training.mask(5, 5, 0, 0).eq(1).all().item<bool>());
}

}  // namespace
}  // namespace textcrs
