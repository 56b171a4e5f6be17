// The Gaussian error linear unit that all vector architectures share. Internal linkage: see
// lstm_cells.h.
#pragma once

namespace textcrs {
namespace {

// x (1 + erf(x / sqrt 2)) / 2 = x P(x), with P the distribution function of the normal law, off by
// less than 4e-7 (and x is returned for x > 6); NaN for NaN. A has, besides what exp2.h asks for,
//   max(a, b)               b if either is NaN
//   negative_abs(x)         -|x|
//   exp2_up_to_0(x)         2^x for -32 <= x <= 0, relative error below 2e-7
//
// x P(x) = max(0, x) - |x| P(-|x|), and log2 P(-|x|) is nearly quadratic. The polynomial is its
// minimax fit for |x| <= 6.5 by the error of |x| P(-|x|), which is 8.3e-8, with P(0) = 1/2 exact.
// |x| P(-|x|) < 6e-9 beyond 6.
template <typename A>
typename A::F gelu(typename A::F x) {
  const typename A::F n = A::max(A::negative_abs(x), A::set1(-6.0f));
  typename A::F log = A::set1(2.9924131595233578e-05f);
  log = A::fma(log, n, A::set1(0.0007398737389888142f));
  log = A::fma(log, n, A::set1(0.007977461188465514f));
  log = A::fma(log, n, A::set1(0.0532381843742396f));
  log = A::fma(log, n, A::set1(-0.4589156878101721f));
  log = A::fma(log, n, A::set1(1.1511470821375478f));
  log = A::fma(log, n, A::set1(-1.0f));
  return A::fma(n, A::exp2_up_to_0(log), A::max(A::set1(0.0f), x));
}

}  // namespace
}  // namespace textcrs
