// BERT's passes per second, beside the loop people run today: copies padded to the text's length,
// through LibTorch, in bf16 on a GPU and in fp32 on the CPU. Random weights; the ratio of one run.
//
//   textcrs_bench_bert cpu|cuda [SHAPE [WORDS [COPIES]]]     SHAPE: minilm or base
#include <fmt/format.h>
#include <torch/version.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "../fast_blas.h"
#include "../rate.h"
#include "../vocabulary.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/cuda_backend.h"
#include "textcrs/text/wordpiece.h"
#include "textcrs/torch/backend.h"
#include "torch/bert.h"

namespace textcrs::bench {
namespace {

constexpr int kWords = 20000;

struct Shape {
  const char* name;
  int width, inner, layers, heads;
};
constexpr Shape kShapes[] = {{"minilm", 384, 1536, 6, 12}, {"base", 768, 3072, 12, 12}};

// A random model whose words are pieces, so that a text of n words has n + 2 of them.
std::unique_ptr<Classifier> random_model(const Shape& shape) {
  const Vocabulary vocabulary = made_up_vocabulary(kWords, Vocabulary::Growth::kOpen);
  std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (WordId word = kFirstWord; word < vocabulary.size(); ++word)
    pieces.push_back(vocabulary.word(word));
  const auto wordpiece = std::make_shared<WordPiece>(pieces);
  ModelConfig config;
  config.architecture = "bert";
  config.dimension = shape.width;
  config.hidden = shape.inner;
  config.bert = {.layers = shape.layers, .heads = shape.heads, .positions = 512};
  config.classes = {"negative", "positive"};
  Weights weights;
  for (const TensorSpec& spec : config.kind().tensors(config))
    weights[spec.name] = fresh_tensor(spec, /*seed=*/1);
  weights[config.kind().embedding] = fresh_tensor(
      {.name = "pieces", .shape = {wordpiece->size(), shape.width}, .bound = 0.05}, /*seed=*/1);
  return std::make_unique<Classifier>(config, vocabulary, SynonymTable(), std::move(weights),
                                      wordpiece);
}

at::Tensor padded_attention(const at::Tensor& qkv, int64_t heads, const at::Tensor& real) {
  const int64_t count = qkv.size(0), length = qkv.size(1), width = qkv.size(2) / 3;
  const auto parts = qkv.view({count, length, 3, heads, width / heads}).permute({2, 0, 3, 1, 4});
  const at::Tensor q = parts[0], k = parts[1], v = parts[2];
#if TORCH_VERSION_MAJOR >= 2
  const at::Tensor attended = at::scaled_dot_product_attention(
      q, k, v, real.defined() ? std::optional(real) : std::nullopt);
#else
  at::Tensor scores = at::matmul(q, k.transpose(2, 3)) / std::sqrt(double(width / heads));
  if (real.defined())
    scores = scores.masked_fill(real.logical_not(), -std::numeric_limits<double>::infinity());
  const at::Tensor attended = at::matmul(at::softmax(scores, -1), v);
#endif
  return attended.transpose(1, 2).reshape({count, length, width});
}

// The classes of copies padded to (B, T).
at::Tensor padded_pass(const Bert& bert, const std::vector<BertLayer>& layers,
                       const at::Tensor& pieces, const at::Tensor& real, at::ScalarType type) {
  const int64_t width = bert.config().dimension;
  const double epsilon = bert.config().bert.epsilon;
  const auto norm = [&](const at::Tensor& x, const at::Tensor& gain, const at::Tensor& shift) {
    return at::layer_norm(x, {width}, gain, shift, epsilon);
  };
  const auto get = [&](const char* name) { return bert.tensor(name).to(type); };
  at::Tensor x = at::embedding(bert.vectors().to(type), pieces) +
                 get("embeddings.position_embeddings.weight").narrow(0, 0, pieces.size(1)) +
                 get("embeddings.token_type_embeddings.weight").narrow(0, 0, 1);
  x = norm(x, get("embeddings.LayerNorm.weight"), get("embeddings.LayerNorm.bias"));
  for (const BertLayer& layer : layers) {
    const at::Tensor attended = padded_attention(at::linear(x, layer.qkv_weight, layer.qkv_bias),
                                                 bert.config().bert.heads, real);
    x = norm(x + at::linear(attended, layer.attended_weight, layer.attended_bias),
             layer.attention_gain, layer.attention_shift);
    const at::Tensor inner = at::gelu(at::linear(x, layer.inner_weight, layer.inner_bias));
    x = norm(x + at::linear(inner, layer.outer_weight, layer.outer_bias), layer.output_gain,
             layer.output_shift);
  }
  const at::Tensor pooled =
      at::tanh(at::linear(x.select(1, 0), get("pooler.dense.weight"), get("pooler.dense.bias")));
  return at::linear(pooled, get("head.weight"), get("head.bias")).argmax(1).to(at::kCPU);
}

struct Rate {
  double passes = 0;
  int batch = 0;
};

// `deleting`: half of the words of a copy are padding at its end, which a mask hides.
Rate padded_rate(const Bert& bert, int words, bool deleting, bool cuda) {
  const at::NoGradGuard no_grad;
  const at::ScalarType type = cuda ? at::kBFloat16 : at::kFloat;
  const auto layers = make_bert_layers(
      bert.config(), [&](const std::string& name) { return bert.tensor(name); }, type);
  Rate best;
  for (const int batch : cuda ? std::vector{256, 1024, 4096} : std::vector{8, 32, 128}) {
    const at::Tensor pieces = at::randint(5, kWords, {batch, words + 2}, at::kLong);
    at::Tensor real;
    if (deleting)
      real = at::arange(words + 2)
                 .lt((words + 2) / 2 + 1)
                 .view({1, 1, 1, -1})
                 .expand({batch, 1, words + 2, words + 2})
                 .to(bert.vectors().device());
    const double rate = rate_of(
        batch, [&] { padded_pass(bert, layers, pieces.to(bert.vectors().device()), real, type); });
    if (rate > best.passes) best = {rate, batch};
  }
  return best;
}

// How far the engine's logits are from those of LibTorch in fp32 on the CPU, in units of their
// spread.
double largest_error(const Classifier& model, const Engine& engine, const Noise& noise, Text text) {
  const at::NoGradGuard no_grad;
  CopyBatch batch;
  batch.copies.resize(64);
  for (size_t i = 0; i < batch.copies.size(); ++i) {
    Stream stream(2, 0, static_cast<uint32_t>(i));
    noise.sample(text.cut(text.size() * (i + 1) / batch.copies.size()), stream, batch.copies[i]);
  }
  const at::Tensor exact = Bert(model, at::kCPU).forward(batch, nullptr);
  const at::Tensor found = at::tensor(engine.scores(batch), at::kDouble).view(exact.sizes());
  return ((found - exact).abs().max() / exact.std()).item<double>();
}

void compare(const Shape& shape, int words, const std::string& device, uint32_t copies) {
  const bool cuda = device == "cuda";
  const auto model = random_model(shape);
  const Bert bert(*model, parse_device(device));
  const std::vector<WordId> text = made_up_text(model->vocabulary(), words);
  const double row = 2.0 * shape.layers * shape.width * (4.0 * shape.width + 2.0 * shape.inner);
  const auto engine = cuda ? cuda_backend().engine(*model) : make_cpu_engine(*model);
  if (cuda)
    fmt::print("{} {} words: logits are off by at most {:.4f} of their spread\n", shape.name, words,
               largest_error(*model, *engine, *make_noise("delete:p=0.1"), text));
  const Rate full = padded_rate(bert, words, false, cuda),
             masked = padded_rate(bert, words, true, cuda);
  for (const char* spec : {"reorder:full", "delete:p=0.5", "delete:p=0.9"}) {
    const auto noise = make_noise(spec, {&model->vocabulary(), nullptr, 256});
    const Rate& padded = std::string(spec) == "reorder:full" ? full : masked;
    const double rate = rate_of(copies, [&] { engine->votes(text, *noise, {1, 0, 0, copies}); });
    const double kept = std::string(spec) == "reorder:full" ? 1 : spec[11] == '5' ? 0.5 : 0.1;
    const double length = words * kept + 2;
    const double flops = length * (row + 4.0 * shape.layers * shape.width * length);
    fmt::print(
        "{:<7} {:>4} words  {:<13} padded {:>8.0f} (batches of {:>4})  engine {:>8.0f} "
        "passes/s = {:>5.2f}x, {:>7.2f} TFLOP/s\n",
        shape.name, words, spec, padded.passes, padded.batch, rate, rate / padded.passes,
        rate * flops * 1e-12);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace textcrs::bench

int main(int argc, char** argv) {
  using namespace textcrs;
  bench::restart_with_fast_blas(argv);
  const std::string device = argc > 1 ? argv[1] : "cpu", only = argc > 2 ? argv[2] : "";
  const bool cuda = device == "cuda";
  try {
    for (const bench::Shape& shape : bench::kShapes) {
      if (only.empty() ? !cuda && std::string(shape.name) == "base" : only != shape.name) continue;
      for (const int words : cuda ? std::vector{62, 254} : std::vector{43, 215})
        if (argc <= 3 || std::atoi(argv[3]) == words)
          bench::compare(shape, words, device,
                         argc > 4 ? static_cast<uint32_t>(std::atoi(argv[4]))
                         : cuda   ? 32768
                                  : 256);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  }
}
