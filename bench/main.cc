// How fast the parts are: make bench, or textcrs_bench --benchmark_filter=REGEX.
#include <benchmark/benchmark.h>

#include "fast_blas.h"

int main(int argc, char** argv) {
  textcrs::bench::restart_with_fast_blas(argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
