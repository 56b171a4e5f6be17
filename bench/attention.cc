// Attention of one sequence, all heads, on one core. Beside each figure its share of what the core
// can multiply; the softmax and the packing count as time, not as operations.
#include "kernels/attention.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <vector>

#include "kernels/layer_norm.h"
#include "peak.h"
#include "textcrs/base/stream.h"

namespace textcrs::bench {
namespace {

constexpr int kHeads = 12;

std::vector<float> normals(int count) {
  std::vector<float> numbers(static_cast<size_t>(count));
  Stream(1, 0, 0).normals(numbers);
  return numbers;
}

void attention(benchmark::State& state, Isa isa, Precision precision, int head_size, int length) {
  const Attention layer(isa, precision, kHeads, head_size);
  const int width = layer.width();
  const std::vector<float> qkv = normals(length * 3 * width);
  std::vector<float> output(static_cast<size_t>(length * width));
  AlignedBytes scratch;
  for (auto _ : state) {
    layer.run({length, length, qkv.data(), 3 * width, output.data(), width}, scratch);
    benchmark::ClobberMemory();
  }
  using benchmark::Counter;
  const double gflops = 4e-9 * length * length * width;
  state.counters["GFLOP/s"] = Counter(gflops, Counter::kIsIterationInvariantRate);
  state.counters["%peak"] =
      Counter(100 * gflops / peak_gflops(isa), Counter::kIsIterationInvariantRate);
}

void normalization(benchmark::State& state, Isa isa, int width) {
  constexpr int kRows = 240;
  const std::vector<float> input = normals(kRows * width), affine = normals(2 * width);
  std::vector<float> output(input.size());
  for (auto _ : state) {
    layer_norm(isa, {kRows, width, input.data(), width, output.data(), width, affine.data(),
                     affine.data() + width, 1e-12f});
    benchmark::ClobberMemory();
  }
  state.counters["rows/s"] =
      benchmark::Counter(kRows, benchmark::Counter::kIsIterationInvariantRate);
}

void register_layers() {
  for (const Isa isa : available_isas()) {
    for (const Precision precision : {Precision::kFp32, Precision::kBf16})
      for (const int head_size : {32, 64})
        for (const int length : {64, 128, 240})
          if (precision == Precision::kBf16 || isa < Isa::kAvx512Bf16)
            benchmark::RegisterBenchmark(
                fmt::format("attention/{}/{}/heads:{}x{}/length:{}", to_string(precision),
                            to_string(isa), kHeads, head_size, length)
                    .c_str(),
                attention, isa, precision, head_size, length)
                ->Unit(benchmark::kMicrosecond);
    for (const int width : {384, 768})
      benchmark::RegisterBenchmark(
          fmt::format("layer_norm/{}/width:{}", to_string(isa), width).c_str(), normalization, isa,
          width)
          ->Unit(benchmark::kMicrosecond);
  }
}

[[maybe_unused]] const bool registered = (register_layers(), true);

}  // namespace
}  // namespace textcrs::bench
