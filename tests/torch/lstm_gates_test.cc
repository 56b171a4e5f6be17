// The elementwise half of an LSTM step against double arithmetic and finite differences.
#include "torch/lstm_gates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr double kStatedError = 3e-7;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// A step of `rows` rows, the first `previous` of which have a state, from pre-activations
// `gates`; in double arithmetic.
struct Step {
  int rows, previous, units;
  std::vector<double> gates, before;  // (rows, 4 units), (rows, units)

  size_t size() const { return static_cast<size_t>(rows * units); }
  double gate(size_t at, int which) const {
    const size_t row = at / static_cast<size_t>(units), unit = at % static_cast<size_t>(units);
    return gates[(row * 4 + static_cast<size_t>(which)) * static_cast<size_t>(units) + unit];
  }
  bool has_state(size_t at) const { return at < static_cast<size_t>(previous * units); }
  double cell(size_t at) const {
    return sigmoid(gate(at, 0)) * std::tanh(gate(at, 2)) +
           (has_state(at) ? sigmoid(gate(at, 1)) * before[at] : 0);
  }
  double hidden(size_t at) const { return sigmoid(gate(at, 3)) * std::tanh(cell(at)); }
};

Step random_step(int rows, int previous, int units, float scale) {
  Step step{rows, previous, units, {}, {}};
  std::vector<float> values(5 * step.size());
  Stream(3, static_cast<uint32_t>(units), static_cast<uint32_t>(rows)).normals(values);
  for (size_t i = 0; i < 4 * step.size(); ++i) step.gates.push_back(scale * values[i]);
  for (size_t i = 4 * step.size(); i < 5 * step.size(); ++i) step.before.push_back(values[i]);
  return step;
}

// What lstm_gates_forward makes of it. One guard value stands behind every array.
struct Found {
  static constexpr float kGuard = 77;
  std::vector<float> gates, before, cell, hidden, best;
  std::vector<int32_t> best_time;

  Found(const Step& step, int32_t time, float best_before)
      : gates(step.gates.begin(), step.gates.end()),
        before(step.before.begin(), step.before.end()),
        cell(step.size() + 1, kGuard),
        hidden(step.size() + 1, kGuard),
        best(step.size(), best_before),
        best_time(step.size() + 1, -1) {
    // Rows without a state must not read one.
    std::fill(before.begin() + step.previous * step.units, before.end(),
              std::numeric_limits<float>::quiet_NaN());
    gates.push_back(kGuard);
    best.push_back(kGuard);
    lstm_gates_forward({step.rows, step.previous, step.units, time}, gates.data(), before.data(),
                       cell.data(), hidden.data(), best.data(), best_time.data());
  }
};

TEST(LstmGates, EveryActivationIsWithinTheStatedError) {
  // A grid over [-20, 20], the far tails, and the extremes.
  std::vector<float> grid = {0.0f,
                             -0.0f,
                             100,
                             -100,
                             1e30f,
                             -1e30f,
                             1e-30f,
                             -1e-30f,
                             1e-42f,
                             87,
                             -87,
                             88.8f,
                             -88.8f,
                             43.5f,
                             -43.5f,
                             std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::lowest(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()};
  for (int i = -200000; i <= 200000; ++i) grid.push_back(static_cast<float>(i) * 1e-4f);
  for (int i = -10000; i <= 10000; ++i) grid.push_back(static_cast<float>(i) * 1e-2f);
  Step step{1, 0, static_cast<int>(grid.size()), {}, {}};
  for (int gate = 0; gate < 4; ++gate)
    step.gates.insert(step.gates.end(), grid.begin(), grid.end());
  step.before.resize(grid.size());
  const Found found(step, 0, -2);
  double worst = 0, worst_hidden = 0;
  for (size_t at = 0; at < grid.size(); ++at) {
    for (int gate = 0; gate < 4; ++gate) {
      const double exact = gate == 2 ? std::tanh(step.gate(at, 2)) : sigmoid(step.gate(at, gate));
      const double value = found.gates[static_cast<size_t>(gate) * grid.size() + at];
      ASSERT_TRUE(std::isfinite(value)) << grid[at];
      worst = std::max(worst, std::abs(value - exact));
    }
    ASSERT_TRUE(std::isfinite(found.hidden[at])) << grid[at];
    worst_hidden = std::max(worst_hidden, std::abs(found.hidden[at] - step.hidden(at)));
  }
  EXPECT_LT(worst, kStatedError);
  EXPECT_LT(worst_hidden, 3 * kStatedError);
}

struct Shape {
  int rows, previous, units;
};
class LstmGatesOfShape : public testing::TestWithParam<Shape> {};

TEST_P(LstmGatesOfShape, ForwardIsTheLstmStep) {
  const auto [rows, previous, units] = GetParam();
  const Step step = random_step(rows, previous, units, 2);
  const Found found(step, 7, 0.1f);
  for (size_t at = 0; at < step.size(); ++at) {
    EXPECT_NEAR(found.cell[at], step.cell(at), 3 * kStatedError * (1 + std::abs(step.before[at])));
    EXPECT_NEAR(found.hidden[at], step.hidden(at),
                6 * kStatedError * (1 + std::abs(step.before[at])));
    EXPECT_EQ(found.best[at], std::max(0.1f, found.hidden[at]));
    EXPECT_EQ(found.best_time[at], found.hidden[at] > 0.1f ? 7 : -1);
  }
  EXPECT_EQ(found.gates.back(), Found::kGuard);
  EXPECT_EQ(found.cell.back(), Found::kGuard);
  EXPECT_EQ(found.hidden.back(), Found::kGuard);
  EXPECT_EQ(found.best.back(), Found::kGuard);
  EXPECT_EQ(found.best_time.back(), -1);
}

TEST_P(LstmGatesOfShape, BackwardIsTheDerivative) {
  const auto [rows, previous, units] = GetParam();
  const Step step = random_step(rows, previous, units, 1);
  Found found(step, 7, 0.1f);
  std::vector<float> weights(3 * step.size());
  Stream(4, 0, 0).normals(weights);
  const float* d_hidden = weights.data();
  const float* d_best = d_hidden + step.size();
  std::vector<float> d_cell(d_best + step.size(), d_best + 2 * step.size());
  const std::vector<float> d_cell_after = d_cell;

  // What the gradients are of: hidden and cell weighted, and the pooled weight where this step is
  // the best so far. Its slope in one number of the step, by central differences.
  const auto slope = [&](size_t at, std::vector<double> Step::*numbers, size_t index) {
    Step changed = step;
    const auto score = [&](double shift) {
      (changed.*numbers)[index] = (step.*numbers)[index] + shift;
      const double pooled = found.best_time[at] == 7 ? d_best[at] : 0;
      return (d_hidden[at] + pooled) * changed.hidden(at) + d_cell_after[at] * changed.cell(at);
    };
    return (score(1e-5) - score(-1e-5)) / 2e-5;
  };
  lstm_gates_backward({rows, previous, units, 7}, found.gates.data(), found.before.data(),
                      found.cell.data(), d_hidden, d_cell.data(), d_best, found.best_time.data());
  for (size_t at = 0; at < step.size(); ++at) {
    const size_t row = at / static_cast<size_t>(units), unit = at % static_cast<size_t>(units);
    for (size_t gate = 0; gate < 4; ++gate) {
      const size_t index = (row * 4 + gate) * static_cast<size_t>(units) + unit;
      EXPECT_NEAR(found.gates[index], slope(at, &Step::gates, index), 2e-5) << at << " " << gate;
    }
    if (step.has_state(at)) {
      EXPECT_NEAR(d_cell[at], slope(at, &Step::before, at), 2e-5) << at;
    }
  }
  EXPECT_EQ(found.gates.back(), Found::kGuard);
}

INSTANTIATE_TEST_SUITE_P(Shapes, LstmGatesOfShape,
                         testing::Values(Shape{1, 1, 1}, Shape{3, 2, 15}, Shape{2, 0, 16},
                                         Shape{4, 4, 17}, Shape{3, 1, 33}));

TEST(LstmGates, OnlyAHigherValueReplacesTheBest) {
  // Equal values keep the earlier time: the gradient reaches one step only.
  const Step step = random_step(1, 0, 5, 1);
  Found first(step, 1, -2);
  std::vector<float> gates(step.gates.begin(), step.gates.end());
  lstm_gates_forward({1, 0, 5, 2}, gates.data(), first.before.data(), first.cell.data(),
                     first.hidden.data(), first.best.data(), first.best_time.data());
  for (size_t at = 0; at < 5; ++at) EXPECT_EQ(first.best_time[at], 1);
}

}  // namespace
}  // namespace textcrs
