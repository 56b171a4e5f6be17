// One layer against plain loops, its first rows alone, and the dropout between layers.
#include "torch/bert_layers.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/plain_bert.h"
#include "model/tiny_bert.h"
#include "row_difference.h"

namespace textcrs {
namespace {

// Sequences of these lengths with random states.
struct RandomRows {
  at::Tensor states;  // (R, D)
  PackedRows packed;

  RandomRows(const std::vector<int>& lengths, int width, uint64_t seed) {
    std::vector<int32_t> starts = {0};
    for (const int length : lengths) starts.push_back(starts.back() + length);
    states = to_tensor(
        fresh_tensor({.name = "states", .shape = {starts.back(), width}, .bound = 1.5}, seed));
    packed = make_packed_rows(std::move(starts), *std::max_element(lengths.begin(), lengths.end()),
                              at::kCPU);
  }
  PlainBert::Rows sequence(size_t b) const {
    PlainBert::Rows rows;
    for (int32_t r = packed.starts[b]; r < packed.starts[b + 1]; ++r) {
      const std::vector<float> row = to_plain(states[r]).values;
      rows.emplace_back(row.begin(), row.end());
    }
    return rows;
  }
};

class Layer : public testing::TestWithParam<int> {  // of so many heads
 protected:
  TinyBert tiny() const {
    TinyBert tiny;
    tiny.heads = GetParam();
    tiny.width = 32;
    tiny.inner = 40;
    return tiny;
  }
  const Weights weights_ = tiny().tensors();
  const ModelConfig config_ = tiny().config();
  const BertLayer layer_ = make_bert_layer(
      1, [this](const std::string& name) { return to_tensor(weights_.at(name)); }, at::kFloat);
};

TEST_P(Layer, IsThatOfThePlainLoops) {
  const PlainBert plain(config_, weights_);
  const RandomRows rows({3, 1, 7, 2, 7, 24}, 32, 5);
  const at::Tensor found =
      run_bert_layer(layer_, config_.bert, rows.states, rows.packed, false, nullptr);
  ASSERT_EQ(found.sizes(), rows.states.sizes());
  for (size_t b = 0; b < 6; ++b) {
    const PlainBert::Rows expected = plain.run_layer(rows.sequence(b), 1);
    for (size_t t = 0; t < expected.size(); ++t)
      EXPECT_LT(difference(found[rows.packed.starts[b] + static_cast<int64_t>(t)], expected[t]),
                1e-5)
          << b << " " << t;
  }
}

TEST_P(Layer, TheFirstRowsAloneAreThoseOfAll) {
  const RandomRows rows({3, 1, 7, 2}, 32, 6);
  const at::Tensor all =
      run_bert_layer(layer_, config_.bert, rows.states, rows.packed, false, nullptr);
  const at::Tensor first =
      run_bert_layer(layer_, config_.bert, rows.states, rows.packed, true, nullptr);
  ASSERT_EQ(first.sizes(), (std::vector<int64_t>{4, 32}));
  for (int64_t b = 0; b < 4; ++b)
    EXPECT_LT(
        (first[b] - all[rows.packed.starts[static_cast<size_t>(b)]]).abs().max().item<float>(),
        1e-5);
}

TEST_P(Layer, ASequenceKnowsNothingOfItsNeighbours) {
  const RandomRows rows({5, 9, 2}, 32, 7);
  const at::Tensor all =
      run_bert_layer(layer_, config_.bert, rows.states, rows.packed, false, nullptr);
  for (size_t b = 0; b < 3; ++b) {
    const int32_t start = rows.packed.starts[b], length = rows.packed.starts[b + 1] - start;
    const at::Tensor alone =
        run_bert_layer(layer_, config_.bert, rows.states.narrow(0, start, length),
                       make_packed_rows({0, length}, length, at::kCPU), false, nullptr);
    EXPECT_LT((alone - all.narrow(0, start, length)).abs().max().item<float>(), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Heads, Layer, testing::Values(1, 2, 4));

at::Tensor ones() { return at::ones({100, 400}); }

TEST(HiddenDropout, KeepsItsShareAndTheMean) {
  HiddenDropout dropout(0.1, 3, at::kCPU);
  const at::Tensor dropped = dropout(ones());
  // Six standard deviations of the share of 40,000 coins.
  EXPECT_NEAR(dropped.eq(0).to(at::kDouble).mean().item<double>(), 0.1,
              6 * std::sqrt(0.1 * 0.9 / 40000));
  EXPECT_TRUE(dropped.eq(0).logical_or(dropped.sub(1 / 0.9).abs().lt(1e-6)).all().item<bool>());
  const at::Tensor scaled = dropout(2 * ones());
  EXPECT_TRUE(scaled.eq(0).logical_or(scaled.sub(2 / 0.9).abs().lt(1e-6)).all().item<bool>());
  EXPECT_EQ(HiddenDropout(0, 3, at::kCPU)(ones()).sum().item<float>(), 40000);
}

TEST(HiddenDropout, DependsOnTheSeedAndTheOrderOfTheCalls) {
  const auto two_masks = [](uint64_t seed) {
    HiddenDropout dropout(0.3, seed, at::kCPU);
    const at::Tensor first = dropout(ones());
    return std::pair(first, dropout(ones()));
  };
  const auto [a, b] = two_masks(7);
  const auto [c, d] = two_masks(7);
  EXPECT_TRUE(a.equal(c));
  EXPECT_TRUE(b.equal(d));
  EXPECT_FALSE(a.equal(b));
  EXPECT_FALSE(a.equal(two_masks(8).first));
}

TEST(HiddenDropout, LeavesLibTorchsGeneratorAlone) {
  const at::Generator& shared = at::globalContext().defaultGenerator(at::kCPU);
  const at::Tensor before = shared.get_state();
  HiddenDropout dropout(0.3, 7, at::kCPU);
  const at::Tensor first = dropout(ones());
  EXPECT_TRUE(shared.get_state().equal(before));
  at::rand({10});  // which draws from it
  EXPECT_TRUE(HiddenDropout(0.3, 7, at::kCPU)(ones()).equal(first));
}

TEST(HiddenDropout, PassesGradientsWhereItKeeps) {
  at::Tensor states = ones().set_requires_grad(true);
  const at::Tensor dropped = HiddenDropout(0.4, 1, at::kCPU)(states);
  dropped.sum().backward();
  EXPECT_TRUE(states.grad().equal(dropped.detach()));
}

}  // namespace
}  // namespace textcrs
