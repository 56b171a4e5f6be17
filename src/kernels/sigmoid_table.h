// The sigmoid as parabolas whose coefficients are looked up, for states that are rounded to bf16
// anyway. Few of its instructions multiply: while a matrix unit is at work, multiplications of
// vectors run at half their rate. Internal linkage: see lstm_cells.h.
//
// A has, besides what lstm_cells.h asks for,
//   bounded(x, most)        the smaller of |x| and `most`
//   Table, table(values)    32 floats
//   look_up(table, place)   the i-th of them, i the last five bits of the float `place`
//   flipped(x, by)          -x where `by` is negative, else x
#pragma once

namespace textcrs {
namespace {

// Entry i is for the x whose nearest half is i / 2.
struct SigmoidTable {
  alignas(64) float constant[32] = {}, slope[32] = {}, bend[32] = {};
};

// 1 / (1 + 2^x) - 1 / 2, for x >= 0.
constexpr double sigmoid_beside_half(double x) {
  double power = 1, term = 1, sum = 1;
  for (; x >= 1; --x) power *= 2;
  for (int n = 1; n < 20; ++n) sum += term *= x * 0.69314718055994531 / n;
  return 1 / (1 + power * sum) - 0.5;
}

// Parabolas through the curve at three points each, which for the first are such that its error is
// in proportion; the last is constant.
constexpr SigmoidTable make_sigmoid_table() {
  SigmoidTable table;
  for (int i = 0; i < 31; ++i) {
    constexpr double kReach = 0.25 * 0.86602540378443865;
    const double at[3] = {i > 0 ? 0.5 * i - kReach : 0,
                          i > 0 ? 0.5 * i : 0.125 * 0.29289321881345248,
                          i > 0 ? 0.5 * i + kReach : 0.125 * 1.70710678118654752};
    double y[3] = {};
    for (int p = 0; p < 3; ++p) y[p] = sigmoid_beside_half(at[p]);
    const double rise = (y[1] - y[0]) / (at[1] - at[0]);
    const double bend = ((y[2] - y[1]) / (at[2] - at[1]) - rise) / (at[2] - at[0]);
    table.constant[i] = static_cast<float>(y[0] - (rise - bend * at[1]) * at[0]);
    table.slope[i] = static_cast<float>(rise - bend * (at[0] + at[1]));
    table.bend[i] = static_cast<float>(bend);
  }
  table.constant[31] = -0.5f;
  return table;
}

constexpr SigmoidTable kSigmoidTable = make_sigmoid_table();

// Holds the table in registers.
template <typename A>
class Sigmoid {
 public:
  using F = typename A::F;

  // 1 / (1 + 2^x) - 1 / 2, off by less than 2.7e-5 and by less than 6e-4 of itself. It is odd: 0 at
  // 0; from 15.25 on it is 1 / 2.
  [[gnu::always_inline]] F beside_half(F x) const {
    const F size = A::bounded(x, A::set1(15.5f));
    // Floats of this size are halves: the sum is rounded to one, and its last bits count them.
    const F place = A::add(size, A::set1(6291456.0f));
    F y = A::fma(A::look_up(bend_, place), size, A::look_up(slope_, place));
    y = A::fma(y, size, A::look_up(constant_, place));
    return A::flipped(y, x);
  }

 private:
  typename A::Table constant_ = A::table(kSigmoidTable.constant),
                    slope_ = A::table(kSigmoidTable.slope), bend_ = A::table(kSigmoidTable.bend);
};

}  // namespace
}  // namespace textcrs
