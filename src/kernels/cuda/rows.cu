#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/bf16.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/tensor_cores.h"
#include "kernels/philox.h"

namespace textcrs {
namespace {

constexpr int kThreads = 256;

// A block for 16 words and as many columns as it has threads.
constexpr int kWords = 16;

__global__ void word_rows(GpuWordRows call) {
  extern __shared__ float vectors[];  // (inputs, words)
  const int first = static_cast<int>(blockIdx.x) * kWords;
  for (int i = static_cast<int>(threadIdx.x); i < kWords * call.inputs; i += kThreads) {
    const int word = first + i / call.inputs;
    vectors[i % call.inputs * kWords + i / call.inputs] =
        word < call.words ? call.vectors[static_cast<int64_t>(word) * call.inputs + i % call.inputs]
                          : 0;
  }
  __syncthreads();
  for (int column = static_cast<int>(threadIdx.x); column < call.columns; column += kThreads) {
    double sums[kWords];
#pragma unroll
    for (double& sum : sums) sum = call.start[column];
    for (int d = 0; d < call.inputs; ++d) {
      const double weight = call.weights[static_cast<int64_t>(d) * call.columns + column];
#pragma unroll
      for (int w = 0; w < kWords; ++w)
        sums[w] += weight * static_cast<double>(vectors[d * kWords + w]);
    }
#pragma unroll
    for (int w = 0; w < kWords; ++w)
      if (first + w < call.words)
        call.table[static_cast<int64_t>(first + w) * call.columns + column] =
            static_cast<float>(sums[w]);
  }
}

// A thread for four numbers of a copy's stream.
__global__ void noisy_vectors(GpuNoisyVectors call, int stride) {
  const int copy = static_cast<int>(blockIdx.y);
  const auto four = static_cast<uint32_t>(blockIdx.x * kThreads + threadIdx.x);
  const auto inputs = static_cast<uint32_t>(call.inputs);
  uint32_t slot = 4 * four / inputs, d = 4 * four % inputs;
  const GpuStreamKey key = call.streams[copy];
  const FourNormals normals =
      four_normals(PhiloxStream(key.seed, key.example, key.sample, key.lane), four);
  const float values[4] = {normals.x, normals.y, normals.z, normals.w};
  const int length = min(call.copies.lengths[copy], call.slots);
  const int32_t* const words = call.copies.words + call.copies.starts[copy];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (slot >= static_cast<uint32_t>(call.slots)) return;
    const bool real = static_cast<int>(slot) < length;
    const int64_t word = real ? words[static_cast<int64_t>(slot) * call.copies.stride] : 0;
    float sum = fmaf(call.sigma, values[i], call.vectors[word * call.inputs + d]);
    if (call.mean != nullptr) sum += call.mean[d];
    GpuBf16* const row = call.noisy + (static_cast<int64_t>(copy) * call.slots + slot) * stride;
    row[d] = __bfloat16_as_ushort(__float2bfloat16_rn(sum));
    if (++d < inputs) continue;
    for (; d < static_cast<uint32_t>(stride); ++d) row[d] = 0;
    d = 0;
    ++slot;
  }
}

// A block for 64 rows; a warp for 16 columns of them at a time.
constexpr int kRows = 64, kTiles = kRows / 16, kWarps = kThreads / 32;

__global__ void __launch_bounds__(kThreads) noisy_rows(GpuNoisyRows call, int terms) {
  extern __shared__ __align__(16) GpuBf16 block[];  // (64, terms + 8)
  const int stride = terms + 8;                     // rows begin in different banks
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
  for (int i = static_cast<int>(threadIdx.x); i < kRows * terms / 8; i += kThreads) {
    const int row = i / (terms / 8), column = i % (terms / 8) * 8;
    uint4 values = {};
    if (first + row < call.count)
      values = *reinterpret_cast<const uint4*>(call.noisy + (first + row) * terms + column);
    *reinterpret_cast<uint4*>(block + row * stride + column) = values;
  }
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int column = 16 * warp; column < call.columns; column += 16 * kWarps) {
    float sums[kTiles][2][4];
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const float2 start =
          *reinterpret_cast<const float2*>(call.start + column + 8 * n + lane % 4 * 2);
#pragma unroll
      for (int m = 0; m < kTiles; ++m) {
        sums[m][n][0] = sums[m][n][2] = start.x;
        sums[m][n][1] = sums[m][n][3] = start.y;
      }
    }
    const uint4* weights = reinterpret_cast<const uint4*>(call.weights) +
                           static_cast<int64_t>(column / 16) * (terms / 16) * 32 + lane;
    for (int k = 0; k < terms; k += 16, weights += 32) {
      const uint4 w = __ldg(weights);
#pragma unroll
      for (int m = 0; m < kTiles; ++m) {
        uint32_t a[4];
        load_block(a, block + (16 * m + lane % 16) * stride + k + lane / 16 * 8);
        multiply_add(sums[m][0], a, w.x, w.y);
        multiply_add(sums[m][1], a, w.z, w.w);
      }
    }
#pragma unroll
    for (int m = 0; m < kTiles; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int64_t row = first + 16 * m + lane / 4 + 8 * half;
        if (row >= call.count) continue;
        float* const to = call.rows + row * call.columns + column + lane % 4 * 2;
#pragma unroll
        for (int n = 0; n < 2; ++n)
          *reinterpret_cast<float2*>(to + 8 * n) = {sums[m][n][2 * half], sums[m][n][2 * half + 1]};
      }
  }
}

}  // namespace

void make_word_rows(const GpuQueue& queue, const GpuWordRows& call) {
  if (call.words == 0) return;
  const size_t bytes = sizeof(float) * kWords * static_cast<size_t>(call.inputs);
  allow_shared_memory(word_rows, bytes);
  word_rows<<<(call.words + kWords - 1) / kWords, kThreads, bytes, queue.stream()>>>(call);
  check_launch("word_rows");
}

void make_noisy_vectors(const GpuQueue& queue, const GpuNoisyVectors& call) {
  const int64_t numbers = static_cast<int64_t>(call.slots) * call.inputs;
  if (numbers > std::numeric_limits<int32_t>::max())
    throw failed("a Gaussian on " + std::to_string(numbers) + " numbers of a copy, expected fewer");
  const auto across = static_cast<unsigned>((numbers + 4 * kThreads - 1) / (4 * kThreads));
  constexpr int kMostAtOnce = 65535;  // blocks in that direction
  GpuNoisyVectors part = call;
  for (int done = 0; done < call.copies.count; done += part.copies.count) {
    part.copies.count = std::min(kMostAtOnce, call.copies.count - done);
    part.copies.starts = call.copies.starts + done;
    part.copies.lengths = call.copies.lengths + done;
    part.streams = call.streams + done;
    part.noisy = call.noisy + static_cast<int64_t>(done) * call.slots * noisy_stride(call.inputs);
    noisy_vectors<<<dim3(across, static_cast<unsigned>(part.copies.count)), kThreads, 0,
                    queue.stream()>>>(part, noisy_stride(call.inputs));
    check_launch("noisy_vectors");
  }
}

// For 16 columns, 16 terms and a lane: of both halves of the columns two pairs of terms.
std::vector<GpuBf16> pack_row_weights(int inputs, int columns, std::span<const float> weights) {
  if (columns % 16 != 0 ||
      weights.size() != static_cast<size_t>(inputs) * static_cast<size_t>(columns))
    throw std::logic_error("GpuNoisyRows: weights of another shape");
  std::vector<GpuBf16> packed;
  packed.reserve(static_cast<size_t>(noisy_stride(inputs)) * static_cast<size_t>(columns));
  for (int column = 0; column < columns; column += 16)
    for (int k = 0; k < noisy_stride(inputs); k += 16)
      for (int lane = 0; lane < 32; ++lane)
        for (const int half : {0, 8})
          for (const int offset : {0, 1, 8, 9}) {
            const int term = k + lane % 4 * 2 + offset;
            const auto at = static_cast<size_t>(term) * static_cast<size_t>(columns) +
                            static_cast<size_t>(column + half + lane / 4);
            packed.push_back(term < inputs ? to_bf16(weights[at]) : GpuBf16{0});
          }
  return packed;
}

void make_noisy_rows(const GpuQueue& queue, const GpuNoisyRows& call) {
  if (call.count == 0) return;
  const int terms = noisy_stride(call.inputs);
  const size_t bytes = sizeof(GpuBf16) * kRows * static_cast<size_t>(terms + 8);
  allow_shared_memory(noisy_rows, bytes);
  noisy_rows<<<static_cast<unsigned>((call.count + kRows - 1) / kRows), kThreads, bytes,
               queue.stream()>>>(call, terms);
  check_launch("noisy_rows");
}

}  // namespace textcrs
