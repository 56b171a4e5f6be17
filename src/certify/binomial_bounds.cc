#include "certify/binomial_bounds.h"

#include <algorithm>
#include <numeric>

namespace textcrs {
namespace {

constexpr Real kNegligible = 0x1p-200L;  // of the first term

}  // namespace

BinomialBounds::BinomialBounds(int n, double p) {
  const Real odds = (1 - Real{p}) / Real{p};
  const int start = std::clamp(static_cast<int>((n + 1.0) * (1 - p)), 0, n);
  std::vector<Real> falling;  // from the start down, without it
  Real term = 1;
  for (int k = start; k > 0; --k) {
    term *= Real(k) / Real(n - k + 1) / odds;
    if (term < kNegligible) break;
    falling.push_back(term);
  }
  first_ = start - static_cast<int>(falling.size());
  terms_.assign(falling.rbegin(), falling.rend());
  terms_.push_back(1);
  term = 1;
  for (int k = start; k < n; ++k) {
    term *= Real(n - k) / Real(k + 1) * odds;
    if (term < kNegligible) break;
    terms_.push_back(term);
  }
  // Beside the start there are n terms, and the sum is at least 1.
  const Real left_out = static_cast<int>(terms_.size()) == n + 1 ? 0 : (Real(n) + 1) * kNegligible;
  const Real slack = (16 * Real(n) + 64) * std::numeric_limits<Real>::epsilon() / 2;
  const Real sum = std::accumulate(terms_.begin(), terms_.end(), Real{0});
  to_below_ = (1 - slack) / (sum + left_out);
  to_above_ = (1 + slack) / sum;
  outside_ = 2 * left_out;
}

}  // namespace textcrs
