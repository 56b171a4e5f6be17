// Passes per second: noisy copies drawn, classified and counted, on all cores. Beside each figure
// of the cpu engine, from the same run: how many times that of the reference engine and that of
// LibTorch's own layer it is, and its share of what the cores can multiply.
#include "textcrs/engine/engine.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "peak.h"
#include "rate.h"
#include "textcrs/base/parallel.h"
#include "textcrs/torch/backend.h"
#include "torch/network.h"
#include "vocabulary.h"
#include "word_model.h"

namespace textcrs::bench {
namespace {

struct Case {
  std::string architecture = "bilstm";
  int dimension = 100;
  std::string noise;
  int words = 43;

  std::string name() const {
    return fmt::format("{}150x{}/{}/words:{}", architecture, dimension, noise, words);
  }
};

const Vocabulary& vocabulary() {
  static const Vocabulary words = made_up_vocabulary(20000);
  return words;
}

const SynonymTable& synonyms() {
  static const SynonymTable table = made_up_synonyms(vocabulary(), 25);
  return table;
}

const Classifier& untrained(const std::string& architecture, int dimension) {
  static std::map<std::pair<std::string, int>, std::unique_ptr<Classifier>> made;
  auto& classifier = made[{architecture, dimension}];
  if (classifier == nullptr) classifier = random_word_model(architecture, vocabulary(), dimension);
  return *classifier;
}

// insert: a model with just as many slots as the text has words.
std::unique_ptr<Noise> noise_of(const Case& c) {
  return make_noise(c.noise, {&vocabulary(), &synonyms(), c.words});
}

// The reference engine at its best batch size.
double reference_rate(const Case& c) {
  static std::map<std::string, double> known;
  double& rate = known[c.name()];
  if (rate > 0) return rate;
  const auto noise = noise_of(c);
  const auto text = made_up_text(vocabulary(), c.words);
  constexpr uint32_t kCopies = 512;
  for (const int batch_size : {0, 512}) {
    const auto engine = torch_backend().reference_engine(untrained(c.architecture, c.dimension),
                                                         "cpu", {.batch_size = batch_size});
    rate = std::max(rate, rate_of(kCopies, [&] {
                      benchmark::DoNotOptimize(engine->votes(text, *noise, {1, 0, 0, kCopies}));
                    }));
  }
  return rate;
}

// LibTorch's bidirectional layer alone, on padded batches: no noise, no look-up, no head.
double libtorch_rate(const Case& c) {
  static std::map<std::pair<int, int>, double> known;
  double& rate = known[{c.dimension, c.words}];
  if (rate > 0) return rate;
  const at::NoGradGuard no_grad;
  const auto network = make_network(untrained("bilstm", c.dimension), at::kCPU);
  std::vector<at::Tensor> weights;
  for (const char* suffix : {"", "_reverse"})
    for (const char* name : {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"})
      weights.push_back(network->parameters().at(fmt::format("lstm.{}{}", name, suffix)));
  for (const int copies : {32, 128, 512}) {
    const at::Tensor words = at::randn({c.words, copies, c.dimension});
    const at::Tensor zeros = at::zeros({2, copies, 150});
    rate = std::max(rate, rate_of(copies, [&] {
                      benchmark::DoNotOptimize(at::lstm(words, {zeros, zeros}, weights, true, 1,
                                                        0.0, false, true, false));
                    }));
  }
  return rate;
}

// Operations of a pass's recurrent products, and of those with the Gaussian.
double flops_a_pass(const Case& c, const Noise& noise) {
  if (c.architecture != "bilstm") return 0;
  constexpr int kSamples = 200;
  double steps = 0;
  Words copy;
  for (uint32_t s = 0; s < kSamples; ++s) {
    Stream stream(1, 0, s);
    noise.sample(made_up_text(vocabulary(), c.words), stream, copy);
    steps += static_cast<double>(std::max<size_t>(copy.size(), 1)) / kSamples;
  }
  const int terms = 150 + (noise.sigma() > 0 ? c.dimension : 0);
  return steps * 2 * 2 * 600 * terms;
}

void votes(benchmark::State& state, const Case& c, Precision precision, const std::string& isa) {
  const auto noise = noise_of(c);
  const auto text = made_up_text(vocabulary(), c.words);
  const auto engine = make_cpu_engine(untrained(c.architecture, c.dimension),
                                      {.threads = 0, .precision = precision, .isa = isa});
  const uint32_t copies = c.words > 100 ? 4096 : 16384;
  engine->votes(text, *noise, {1, 0, 0, 256});  // the words' rows
  double seconds = 0, passes = 0;
  for (auto _ : state) {
    seconds += seconds_of([&] {
      benchmark::DoNotOptimize(engine->votes(text, *noise, {1, 0, 0, copies}));
    });
    passes += copies;
  }
  const double rate = passes / seconds;
  state.counters["passes/s"] = rate;
  state.counters["x_reference"] = rate / reference_rate(c);
  if (c.architecture != "bilstm") return;
  state.counters["x_libtorch"] = rate / libtorch_rate(c);
  const double gflops = rate * flops_a_pass(c, *noise) / 1e9;
  state.counters["GFLOP/s"] = gflops;
  state.counters["%peak"] =
      100 * gflops / (peak_gflops(parse_isa(isa, precision)) * available_cores());
}

void reference(benchmark::State& state, const Case& c) {
  for (auto _ : state) benchmark::DoNotOptimize(reference_rate(c));
  state.counters["passes/s"] = reference_rate(c);
}

void add(const Case& c, Precision precision, const std::string& isa) {
  benchmark::RegisterBenchmark(
      fmt::format("cpu_engine/{}/{}/{}", to_string(precision), isa, c.name()).c_str(), votes, c,
      precision, isa)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const std::vector<std::string> kNoises = {"reorder:full",    "substitute:kernel=uniform,size=50",
                                          "delete:p=0.3",    "delete:p=0.5",
                                          "delete:p=0.7",    "delete:p=0.9",
                                          "universal:p=0.9", "insert:sigma=0.2"};

void register_engines() {
  for (const int dimension : {100, 300})
    for (const int words : {43, 215})
      for (const std::string& noise : kNoises) {
        const Case c{"bilstm", dimension, noise, words};
        benchmark::RegisterBenchmark(("reference_engine/" + c.name()).c_str(), reference, c)
            ->Iterations(1)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        for (const Precision precision : {Precision::kFp32, Precision::kBf16})
          add(c, precision, "auto");
      }
  for (const Isa isa : available_isas())
    if (isa < Isa::kAvx512Bf16)
      add({"bilstm", 100, "reorder:full", 43}, Precision::kFp32, std::string(to_string(isa)));
    else
      add({"bilstm", 100, "reorder:full", 43}, Precision::kBf16, std::string(to_string(isa)));
  for (const std::string noise : {"reorder:full", "delete:p=0.5", "insert:sigma=0.2"})
    add({"cnn", 100, noise, 215}, Precision::kFp32, "auto");
}

[[maybe_unused]] const bool registered = (register_engines(), true);

}  // namespace
}  // namespace textcrs::bench
