// The draws that noises make of one word, from a Stream or a PhiloxStream.
#pragma once

#include <cstdint>

#include "kernels/host_device.h"
#include "textcrs/kernels/copy_steps.h"

namespace textcrs {

template <typename AnyStream>
TEXTCRS_HOST_DEVICE bool flip(CoinThreshold coin, AnyStream& stream) {
  const uint32_t draw = stream();
  if (draw == coin.high) return stream() < coin.low;
  return draw < coin.high;
}

// a b, rounded: never part of a fused multiply-add, so that host and device agree.
TEXTCRS_HOST_DEVICE inline double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

// From the alias table of `count` > 0 columns.
template <typename AnyStream>
TEXTCRS_HOST_DEVICE int32_t draw_from(const AliasColumn* columns, uint32_t count,
                                      AnyStream& stream) {
  const double point = rounded_product(stream.uniform(), count);
  auto i = static_cast<uint32_t>(point);
  if (i >= count) i = count - 1;
  const AliasColumn column = columns[i];
  return point - i < column.share ? column.word : column.other;
}

}  // namespace textcrs
