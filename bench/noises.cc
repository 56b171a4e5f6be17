// Drawing one noisy copy of a text of 250 words.
#include <benchmark/benchmark.h>

#include "textcrs/noise/noise.h"
#include "vocabulary.h"

namespace textcrs::bench {
namespace {

void sample(benchmark::State& state, const std::string& spec) {
  constexpr int kWords = 250;
  static const Vocabulary vocabulary = made_up_vocabulary(20000);
  static const SynonymTable synonyms = made_up_synonyms(vocabulary, 25);
  const auto noise = make_noise(spec, {&vocabulary, &synonyms, 256});
  const std::vector<WordId> text = made_up_text(vocabulary, kWords);
  Words copy;
  uint32_t number = 0;
  for (auto _ : state) {
    Stream stream(1, 0, number++);
    noise->sample(text, stream, copy);
    benchmark::DoNotOptimize(copy.data());
  }
  state.counters["words/s"] =
      benchmark::Counter(kWords, benchmark::Counter::kIsIterationInvariantRate);
}

void register_noises() {
  for (const std::string spec :
       {"none", "delete:p=0.5", "universal:p=0.5", "universal:p=0.9", "reorder:full",
        "reorder:block=32", "reorder:block=32,order=sorted", "reorder:groups=32",
        "insert:sigma=0.1", "mask:p=0.5", "hash:buckets=4,functions=16",
        "substitute:kernel=uniform,size=50", "substitute:kernel=staircase,size=50",
        "substitute:kernel=cluster,size=50", "substitute:kernel=graph,size=50"})
    benchmark::RegisterBenchmark(("noise/" + spec).c_str(), sample, spec)
        ->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] const bool registered = (register_noises(), true);

}  // namespace
}  // namespace textcrs::bench
