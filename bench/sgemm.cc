#include "sgemm.h"

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <fmt/format.h>

#include "textcrs/base/parallel.h"
#include "textcrs/base/stream.h"
#include "torch/libtorch_threads.h"

namespace textcrs::bench {
namespace {

std::vector<float> random_matrix(size_t size, uint32_t number) {
  std::vector<float> matrix(size);
  Stream(1, number, 0).normals(matrix);
  return matrix;
}

void register_products() {
  const StepSize s;
  const int rows = s.copies * s.words, gates = 4 * s.units;
  const std::pair<const char*, Product> products[] = {
      {"square", kSquare},
      {"lstm_input", {rows, gates, s.dimension}},      // words times weight_ih
      {"lstm_step", {s.copies, gates, s.units}},       // hidden times weight_hh, T times
      {"lstm_step_back", {s.copies, s.units, gates}},  // gate gradients times weight_hh, T times
      {"lstm_gradient", {gates, s.units, rows}},       // of weight_hh
  };
  for (const auto& [name, product] : products)
    for (int threads : thread_counts())
      benchmark::RegisterBenchmark(
          fmt::format("sgemm/{}/{}/threads:{}", name, product.name(), threads).c_str(),
          [product = product, threads](benchmark::State& state) {
            Sgemm sgemm(product, threads);
            for (auto _ : state) sgemm.run();
            state.counters["FLOP/s"] =
                benchmark::Counter(product.flops(), benchmark::Counter::kIsIterationInvariantRate);
          })
          ->UseRealTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] const bool registered = (register_products(), true);

}  // namespace

std::string Product::name() const { return fmt::format("{}x{}x{}", m, n, k); }

Sgemm::Sgemm(const Product& product, int threads)
    : product_(product),
      threads_(threads),
      a_(random_matrix(static_cast<size_t>(product.m) * product.k, 1)),
      b_(random_matrix(static_cast<size_t>(product.k) * product.n, 2)),
      c_(static_cast<size_t>(product.m) * product.n) {}

void Sgemm::run() {
  const LibTorchThreads guard(threads_);  // BLAS and LibTorch take their threads from OpenMP
  const Product& p = product_;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p.m, p.n, p.k, 1.0f, a_.data(), p.k,
              b_.data(), p.n, 0.0f, c_.data(), p.n);
  benchmark::DoNotOptimize(c_.data());
}

std::vector<int> thread_counts() {
  const int cores = available_cores();
  return cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1};
}

}  // namespace textcrs::bench
