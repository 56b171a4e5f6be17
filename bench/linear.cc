// Passes per second of a model that adds up its words' scores: noisy copies drawn, summed and
// counted, on all cores. Beside it the bytes a pass has to touch, the text, the copy's words and
// their scores, as a share of what the cores read from a table of that size: the rest is drawing.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <numeric>

#include "textcrs/base/parallel.h"
#include "textcrs/engine/engine.h"
#include "vocabulary.h"

namespace textcrs::bench {
namespace {

constexpr int kClasses = 2;
constexpr double kBytesOfRow = kClasses * sizeof(int32_t);

const Vocabulary& vocabulary() {
  static const Vocabulary words = made_up_vocabulary(20000);
  return words;
}

const Classifier& untrained() {
  static const auto classifier = [] {
    ModelConfig config;
    config.architecture = "linear";
    config.classes = {"negative", "positive"};
    auto made = Classifier::fresh(config, vocabulary());
    Weights weights = made->weights();
    Stream stream(1, 0, 0);
    for (auto& [name, tensor] : weights)
      for (float& value : tensor.values) value = static_cast<float>(stream.below(4096));
    made->assign(weights);
    return made;
  }();
  return *classifier;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Bytes per second that all cores read, each from its own numbers, as many as the table has.
double read_rate() {
  static const double rate = [] {
    constexpr int kRounds = 2000;
    const auto threads = static_cast<size_t>(available_cores());
    const std::vector<int32_t> numbers(static_cast<size_t>(vocabulary().size()) * kClasses, 1);
    std::vector<std::vector<int32_t>> own(threads, numbers);
    std::vector<int64_t> sums(threads);
    const auto start = std::chrono::steady_clock::now();
    parallel_for(threads, static_cast<int>(threads), [&](size_t t) {
      for (int round = 0; round < kRounds; ++round) {
        own[t][0] = round;
        sums[t] += std::accumulate(own[t].begin(), own[t].end(), int32_t{0});
      }
    });
    benchmark::DoNotOptimize(sums.data());
    const double bytes = static_cast<double>(numbers.size() * sizeof(int32_t) * threads) * kRounds;
    return bytes / seconds_since(start);
  }();
  return rate;
}

double words_of_a_copy(const Noise& noise, Text text) {
  constexpr uint32_t kSamples = 200;
  double words = 0;
  Words copy;
  for (uint32_t sample = 0; sample < kSamples; ++sample) {
    noise.sample_bag(text, Stream(1, 0, sample), copy);
    words += static_cast<double>(copy.size()) / kSamples;
  }
  return words;
}

void votes(benchmark::State& state, const std::string& spec, int words) {
  const auto noise = make_noise(spec, {&vocabulary(), nullptr, words});
  const auto text = made_up_text(vocabulary(), words);
  const auto engine = make_cpu_engine(untrained());
  constexpr uint32_t kCopies = 1 << 17;
  double seconds = 0, passes = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(engine->votes(text, *noise, {1, 0, 0, kCopies}));
    seconds += seconds_since(start);
    passes += kCopies;
  }
  const double bytes = words * double{sizeof(WordId)} +
                       words_of_a_copy(*noise, text) * (2 * double{sizeof(WordId)} + kBytesOfRow);
  const double rate = passes / seconds;
  state.counters["passes/s"] = rate;
  state.counters["GB/s"] = rate * bytes / 1e9;
  state.counters["%memory"] = 100 * rate * bytes / read_rate();
}

[[maybe_unused]] const bool registered = [] {
  for (const int words : {43, 215})
    for (const std::string noise :
         {"reorder:full", "delete:p=0.5", "universal:p=0.9", "mask:p=0.5"})
      benchmark::RegisterBenchmark(fmt::format("linear/{}/words:{}", noise, words).c_str(), votes,
                                   noise, words)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace textcrs::bench
