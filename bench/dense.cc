// The dense layers of BERT on one core: operations per second, and their share of what the core can
// multiply in registers. MiniLM is 384 wide, bert-base 768.
#include "kernels/dense.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "peak.h"
#include "textcrs/base/stream.h"

namespace textcrs::bench {
namespace {

struct Shape {
  const char* name;
  int outputs, inputs;
  bool gelu, residual;
};

constexpr Shape kShapes[] = {
    {"minilm/attention_in", 1152, 384, false, false},
    {"minilm/attention_out", 384, 384, false, true},
    {"minilm/feed_forward_in", 1536, 384, true, false},
    {"minilm/feed_forward_out", 384, 1536, false, true},
    {"bert-base/attention_in", 2304, 768, false, false},
    {"bert-base/attention_out", 768, 768, false, true},
    {"bert-base/feed_forward_in", 3072, 768, true, false},
    {"bert-base/feed_forward_out", 768, 3072, false, true},
};

std::vector<float> normals(int rows, int columns, uint32_t number) {
  std::vector<float> matrix(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  Stream(1, number, 0).normals(matrix);
  return matrix;
}

void dense(benchmark::State& state, const Shape& shape, Isa isa, Precision precision, int rows) {
  const Dense layer(isa, precision, shape.outputs, shape.inputs,
                    normals(shape.outputs, shape.inputs, 1), normals(shape.outputs, 1, 2));
  const std::vector<float> input = normals(rows, shape.inputs, 3);
  const std::vector<float> residual = normals(rows, shape.outputs, 4);
  std::vector<float> output(residual.size());
  const DenseCall call = {rows,          input.data(),  shape.inputs,
                          output.data(), shape.outputs, shape.residual ? residual.data() : nullptr,
                          shape.gelu};
  AlignedBytes scratch;
  double seconds = 0, flops = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    layer.run(call, scratch);
    benchmark::ClobberMemory();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    flops += 2.0 * rows * shape.outputs * shape.inputs;
  }
  state.counters["GFLOP/s"] = flops / seconds / 1e9;
  state.counters["%peak"] = 100 * flops / seconds / 1e9 / peak_gflops(isa);
}

void register_layers() {
  for (const Isa isa : available_isas())
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      if (isa < Isa::kAvx512Bf16 ? precision == Precision::kBf16 : precision == Precision::kFp32)
        continue;
      for (const Shape& shape : kShapes)
        for (const int rows : {100, 256, 2000})
          benchmark::RegisterBenchmark(fmt::format("dense/{}/{}/{}x{}/rows:{}", to_string(isa),
                                                   shape.name, shape.outputs, shape.inputs, rows)
                                           .c_str(),
                                       dense, shape, isa, precision, rows)
              ->Unit(benchmark::kMicrosecond);
    }
}

[[maybe_unused]] const bool registered = (register_layers(), true);

}  // namespace
}  // namespace textcrs::bench
