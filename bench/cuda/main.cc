// Passes per second of the cuda engine, beside the loop people run today: a batch of padded copies
// through LibTorch's LSTM on the same card (fp32 as it comes, TF32 products allowed), no noise
// drawn, the best of several batch sizes. Random weights; the ratio of one run.
//
//   textcrs_bench_cuda [WORDS..]     default: 43 215
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "../rate.h"
#include "../vocabulary.h"
#include "../word_model.h"
#include "kernels/cuda/gpu.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/cuda_backend.h"
#include "torch/network.h"

namespace textcrs::bench {
namespace {

constexpr int kDimension = 100, kHidden = 150;

const Vocabulary& vocabulary() {
  static const Vocabulary words = made_up_vocabulary(20000);
  return words;
}

const SynonymTable& synonyms() {
  static const SynonymTable table = made_up_synonyms(vocabulary(), 25);
  return table;
}

const Classifier& untrained(const std::string& architecture) {
  static std::map<std::string, std::unique_ptr<Classifier>> made;
  auto& classifier = made[architecture];
  if (classifier != nullptr) return *classifier;
  if (architecture == "linear") {
    ModelConfig config;
    config.architecture = architecture;
    config.classes = {"negative", "positive"};
    classifier = Classifier::fresh(config, vocabulary());
  } else {
    classifier = random_word_model(architecture, vocabulary(), kDimension);
  }
  return *classifier;
}

// Look-up, LSTM, maximum over the words, head, class.
double loop_rate(int words) {
  const at::NoGradGuard no_grad;
  const auto network = make_network(untrained("bilstm"), at::Device("cuda"));
  const auto parameter = [&](const std::string& name) { return network->parameters().at(name); };
  std::vector<at::Tensor> weights;
  for (const char* suffix : {"", "_reverse"})
    for (const char* name : {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"})
      weights.push_back(parameter(fmt::format("lstm.{}{}", name, suffix)));
  double best = 0;
  for (const int copies : {1024, 4096, 16384}) {
    const at::Tensor ids = at::randint(kFirstWord, vocabulary().size(), {copies, words}, at::kLong);
    const at::Tensor zeros = at::zeros({2, copies, kHidden}, network->vectors().options());
    best = std::max(
        best, rate_of(copies, [&] {
          const at::Tensor vectors =
              at::embedding(network->vectors(), ids.to(network->vectors().device()));
          const at::Tensor states =
              std::get<0>(at::lstm(vectors, {zeros, zeros}, weights, true, 1, 0.0, false, true,
                                   /*batch_first=*/true));
          at::linear(std::get<0>(states.max(1)), parameter("head.weight"), parameter("head.bias"))
              .argmax(1)
              .to(at::kCPU);
        }));
  }
  return best;
}

struct Case {
  std::string architecture, noise;
  int words;
};

double words_of_a_copy(const Case& c, const Noise& noise) {
  constexpr int kSamples = 300;
  const auto text = made_up_text(vocabulary(), c.words);
  double words = 0;
  Words copy;
  for (uint32_t s = 0; s < kSamples; ++s) {
    Stream stream(1, 0, s);
    noise.sample(text, stream, copy);
    words += static_cast<double>(std::max<size_t>(copy.size(), 1)) / kSamples;
  }
  return words;
}

// What a card could do at its highest clock: products of bf16 and transcendental functions.
struct Peak {
  double flops, functions;
};
Peak peak_of(const GpuProperties& card) {
  const double clocks = card.multiprocessors * card.clock_hz;
  return {clocks * (card.capability >= 90 ? 4096 : 2048), clocks * 16};
}

void measure(const Case& c, double loop) {
  const auto noise = make_noise(c.noise, {&vocabulary(), &synonyms(), c.words});
  const auto text = made_up_text(vocabulary(), c.words);
  const auto engine = cuda_backend().engine(untrained(c.architecture));
  const double words = words_of_a_copy(c, *noise);
  const auto copies = static_cast<uint32_t>(std::clamp(4e7 / words, 65536.0, 2e6)) / 64 * 64;
  const double rate = rate_of(copies, [&] { engine->votes(text, *noise, {1, 0, 0, copies}); });
  std::string line =
      fmt::format("| {} | `{}` | {} | {:.0f} | ", c.architecture, c.noise, c.words, rate);
  if (c.architecture == "bilstm") {
    const double steps = 2 * words * rate;
    const int terms = kHidden + (noise->sigma() > 0 ? kDimension : 0);
    const double flops = steps * 8 * kHidden * terms, functions = steps * 5 * kHidden;
    const Peak peak = peak_of(gpu_properties());
    line += fmt::format("{:.0f} | {:.1f} | {:.0f} | {:.0f} | {:.0f} | {:.1f} |", loop, rate / loop,
                        flops / 1e12, 100 * flops / peak.flops, 100 * functions / peak.functions,
                        steps * 4 * kHidden * sizeof(float) / 1e12);
  } else {
    line += " | | | | | |";
  }
  std::puts(line.c_str());
  std::fflush(stdout);
}

int run(const std::vector<int>& lengths) {
  const GpuProperties card = gpu_properties();
  fmt::print("{}, {} multiprocessors, {:.2f} GHz; {} units, {} dimensions\n\n", card.name,
             card.multiprocessors, card.clock_hz / 1e9, kHidden, kDimension);
  fmt::print(
      "| model | noise | words | passes/s | LibTorch's loop | x | TFLOP/s | % of the tensor cores "
      "| "
      "% of the functions | rows, TB/s |\n|---|---|---|---|---|---|---|---|---|---|\n");
  std::fflush(stdout);
  for (const int words : lengths) {
    const double loop = loop_rate(words);
    for (const std::string noise :
         {"reorder:full", "substitute:kernel=uniform,size=50", "delete:p=0.3", "delete:p=0.5",
          "delete:p=0.7", "delete:p=0.9", "universal:p=0.9", "insert:sigma=0.2"})
      measure({"bilstm", noise, words}, loop);
  }
  for (const int words : lengths)
    for (const std::string architecture : {"cnn", "linear"})
      for (const std::string noise :
           {"reorder:full", "delete:p=0.5", "universal:p=0.9", "insert:sigma=0.2"})
        if (architecture == "cnn" || noise != "insert:sigma=0.2")
          measure({architecture, noise, words}, 0);
  return 0;
}

}  // namespace
}  // namespace textcrs::bench

int main(int argc, char** argv) {
  std::vector<int> lengths;
  for (int i = 1; i < argc; ++i) lengths.push_back(std::atoi(argv[i]));
  if (lengths.empty()) lengths = {43, 215};
  try {
    return textcrs::bench::run(lengths);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
