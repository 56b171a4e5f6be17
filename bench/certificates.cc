// The closed forms: what a text costs after its votes are counted.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "textcrs/certify/certificate.h"
#include "textcrs/certify/confidence.h"

namespace textcrs::bench {
namespace {

constexpr int kWords = 250, kSlots = 256;

void certify(benchmark::State& state, const std::string& noise, CertificateMode mode) {
  const auto certificate = make_certificate(noise, mode, kSlots);
  Bounds bounds{0.999, 0.001};
  for (auto _ : state) {
    benchmark::DoNotOptimize(bounds);
    benchmark::DoNotOptimize(certificate->certify(bounds, kWords));
  }
}

void clopper_pearson(benchmark::State& state) {
  const int64_t trials = state.range(0);
  int64_t successes = trials * 99 / 100;
  for (auto _ : state) {
    benchmark::DoNotOptimize(successes);
    benchmark::DoNotOptimize(clopper_pearson_lower(successes, trials, 0.001));
  }
}
BENCHMARK(clopper_pearson)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);

void register_certificates() {
  for (const auto mode : {CertificateMode::kSound, CertificateMode::kPaper})
    for (const std::string noise :
         {"delete:p=0.7", "universal:p=0.5", "universal:p=0.9", "universal:p=0.99",
          "reorder:block=32", "reorder:groups=32", "reorder:full", "insert:sigma=0.2", "mask:p=0.9",
          "substitute:kernel=staircase,size=50"})
      if (find_certificate(noise, mode, kSlots))
        benchmark::RegisterBenchmark(
            fmt::format("certificate/{}/{}", to_string(mode), noise).c_str(), certify, noise, mode)
            ->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] const bool registered = (register_certificates(), true);

}  // namespace
}  // namespace textcrs::bench
