#include "peak.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace textcrs::bench {
namespace {

PeakLoop loop_of(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return peak_avx2();
    case Isa::kAvx512:
      return peak_avx512();
    case Isa::kAvx512Bf16:
      return peak_avx512_bf16();
    case Isa::kAmx:
      return peak_amx();
#endif
    default:
      return peak_portable();
  }
}

double measure(Isa isa) {
  const PeakLoop loop = loop_of(isa);
  double best = 0;
  for (int trial = 0; trial < 5; ++trial) {
    constexpr long kRounds = 2'000'000;
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(loop.run(kRounds));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, loop.flops_per_round * kRounds / seconds.count() / 1e9);
  }
  return best;
}

}  // namespace

double peak_gflops(Isa isa) {
  static std::map<Isa, double> measured;
  const auto [place, fresh] = measured.try_emplace(isa, 0);
  if (fresh) place->second = measure(isa);
  return place->second;
}

}  // namespace textcrs::bench
