// A piece of the exponential function that all vector architectures share. Internal linkage: see
// lstm_cells.h.
#pragma once

namespace textcrs {
namespace {

// 2^r for 0 <= r <= 1, off by less than 1e-7 and what rounding adds; 1 at 0.
template <typename A>
typename A::F exp2_of_fraction(typename A::F r) {
  typename A::F p = A::set1(0.0018671300495043397f);
  p = A::fma(p, r, A::set1(0.009017030708491802f));
  p = A::fma(p, r, A::set1(0.05579991266131401f));
  p = A::fma(p, r, A::set1(0.24016444385051727f));
  p = A::fma(p, r, A::set1(0.6931512951850891f));
  return A::fma(p, r, A::set1(1.0f));
}

}  // namespace
}  // namespace textcrs
