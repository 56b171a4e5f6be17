// Passes a second of the reference engine: noisy copies drawn, classified and counted.
#include "textcrs/engine/engine.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "model/network.h"
#include "vocabulary.h"

namespace textcrs::bench {
namespace {

const Classifier& untrained_bilstm() {
  static const std::unique_ptr<Classifier> classifier = [] {
    ModelConfig config;
    config.dimension = 100;
    config.hidden = 150;
    config.classes = {"negative", "positive"};
    Vocabulary vocabulary = made_up_vocabulary(20000);
    at::Tensor vectors = at::empty({vocabulary.size(), config.dimension}, at::kFloat);
    Stream(1, 0, 0).normals({vectors.data_ptr<float>(), static_cast<size_t>(vectors.numel())});
    vectors.mul_(0.4);
    vectors[kPad].zero_();
    auto network = make_network(config, vectors, FreshInitializer(/*seed=*/1));
    return std::make_unique<Classifier>(config, std::move(vocabulary), SynonymTable(),
                                        std::move(network));
  }();
  return *classifier;
}

void votes(benchmark::State& state, const std::string& spec, int words) {
  constexpr uint32_t kCopies = 4096;
  const Classifier& classifier = untrained_bilstm();
  const auto engine = make_reference_engine(classifier);
  const auto noise = make_noise(spec);
  const std::vector<WordId> text = made_up_text(classifier.vocabulary(), words);
  for (auto _ : state) benchmark::DoNotOptimize(engine->votes(text, *noise, {1, 0, 0, kCopies}));
  state.counters["passes/s"] =
      benchmark::Counter(kCopies, benchmark::Counter::kIsIterationInvariantRate);
}

void register_engines() {
  for (const std::string spec : {"universal:p=0.5", "universal:p=0.9"})
    for (const int words : {43, 215})
      benchmark::RegisterBenchmark(
          fmt::format("reference_engine/bilstm150x100/{}/words:{}", spec, words).c_str(), votes,
          spec, words)
          ->UseRealTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = (register_engines(), true);

}  // namespace
}  // namespace textcrs::bench
