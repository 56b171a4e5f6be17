// One warp per row, the row in registers, read once and written once.
#include "kernels/cuda/bert.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/norm_row.h"

namespace textcrs {
namespace {

__device__ void add_bf16(const GpuBf16* from, int eight, float (&to)[8]) {
  const uint4 bits = reinterpret_cast<const uint4*>(from)[eight];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = __bfloat1622float2(reinterpret_cast<const EightBf16&>(bits).pairs[i]);
    to[2 * i] += pair.x;
    to[2 * i + 1] += pair.y;
  }
}

template <int kEights>
__global__ void __launch_bounds__(32 * kNormWarps) add_norm(GpuAddNorm call) {
  const int64_t row = row_of_warp();
  if (row >= call.rows) return;
  const int eights = call.width / 8;
  const int64_t start = row * call.width;
  NormRow<kEights> sum = {};
  sum.fill(eights, [&](int at, float(&to)[8]) {
    add_bf16(call.x + start, at, to);
    add_bf16(call.residual + start, at, to);
  });
  sum.normalize(eights, call.epsilon);
  sum.store(eights, call.gain, call.shift, call.output + start);
}

}  // namespace

void run_on_gpu(const GpuQueue& queue, const GpuAddNorm& call) {
  if (call.rows == 0) return;
  for_width(call.width, [&](auto eights) {
    add_norm<eights.value><<<norm_blocks(call.rows), 32 * kNormWarps, 0, queue.stream()>>>(call);
  });
  check_launch("add_norm");
}

}  // namespace textcrs
