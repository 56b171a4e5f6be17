// The BiLSTM's forward and backward pass, as a share of the speed of a plain matrix product.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sgemm.h"
#include "textcrs/base/stream.h"
#include "torch/bilstm_cpu.h"
#include "torch/libtorch_threads.h"

namespace textcrs::bench {
namespace {

// Of the matrix products alone, R = B T rows; a product of (m, k) and (k, n) counts 2 m n k:
//   forward   R D 4H (words), (R - B) H 4H (the state; the first step has none)
//   backward  (R - B) 4H H (gradient of the state), 4H D R and 4H H R (of the two weights)
// and all that twice, once per direction: 16 H (2 R D + (3 R - 2 B) H). The words are frozen, so
// they have no gradient; the gates' arithmetic is left out.
double step_flops(const StepSize& s) {
  const double rows = static_cast<double>(s.copies) * s.words;
  return 16.0 * s.units * (2 * rows * s.dimension + (3 * rows - 2 * s.copies) * s.units);
}

at::Tensor random_tensor(at::IntArrayRef shape, uint32_t number, float scale) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  Stream(1, number, 0).normals({tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())});
  return tensor.mul_(scale);
}

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void training_step(benchmark::State& state, int threads) {
  const StepSize s;
  const int64_t gates = 4 * s.units;
  const at::Tensor words = random_tensor({s.copies * s.words, s.dimension}, 1, 1.0f);
  const std::vector<int64_t> batch_sizes(static_cast<size_t>(s.words), s.copies);
  std::vector<at::Tensor> weights;
  for (uint32_t direction = 0; direction < 2; ++direction) {
    weights.push_back(random_tensor({gates, s.dimension}, 10 + direction, 0.08f));
    weights.push_back(random_tensor({gates, s.units}, 20 + direction, 0.08f));
    weights.push_back(at::zeros({gates}));
    weights.push_back(at::zeros({gates}));
  }
  for (at::Tensor& weight : weights) weight.requires_grad_(true);

  const LibTorchThreads guard(1);  // as train() does for this network
  Sgemm square(kSquare, threads);
  double best_step = 1e300, best_square = 1e300;
  for (auto _ : state) {
    // A product before every step: other work on the machine slows both alike.
    best_square = std::min(best_square, seconds_of([&] { square.run(); }));
    const double seconds = seconds_of(
        [&] { bilstm_max_pool_cpu(words, batch_sizes, weights, threads).sum().backward(); });
    for (at::Tensor& weight : weights) weight.mutable_grad().reset();
    best_step = std::min(best_step, seconds);
    state.SetIterationTime(seconds);
  }
  const double step = step_flops(s) / best_step / 1e9, sgemm = kSquare.flops() / best_square / 1e9;
  state.counters["FLOP/s"] =
      benchmark::Counter(step_flops(s), benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(
      fmt::format("training step reaches {:.0f} % of sgemm (best runs: {:.1f} of {:.1f} GFLOP/s)",
                  100 * step / sgemm, step, sgemm));
}

void register_steps() {
  const StepSize s;
  for (int threads : thread_counts())
    benchmark::RegisterBenchmark(fmt::format("training_step/B{}_T{}_D{}_H{}/threads:{}", s.copies,
                                             s.words, s.dimension, s.units, threads)
                                     .c_str(),
                                 training_step, threads)
        ->UseManualTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(2);
}

[[maybe_unused]] const bool registered = (register_steps(), true);

}  // namespace
}  // namespace textcrs::bench
