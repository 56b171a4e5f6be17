// Sentences of 15 words as vectors on one core, so many in a call: sentences per second, and the
// share of what the core can multiply. The shape of MiniLM-L6, random weights.
#include "textcrs/engine/sentence_encoder.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "model/tensors.h"
#include "peak.h"
#include "vocabulary.h"

namespace textcrs::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 384, kInner = 1536, kLayers = 6, kWords = 15;

const Vocabulary& vocabulary() {
  static const Vocabulary words = made_up_vocabulary(20000);
  return words;
}

// A folder as Hugging Face's library writes it. The words are pieces, so that a text of n words has
// n + 2 of them.
void write_random_bert(const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream pieces(folder / "vocab.txt");
  int64_t count = 5;
  pieces << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (WordId word = kFirstWord; word < vocabulary().size(); ++word, ++count)
    pieces << vocabulary().word(word) << "\n";
  std::ofstream(folder / "config.json") << fmt::format(
      R"({{"model_type": "bert", "hidden_size": {}, "intermediate_size": {},
           "num_hidden_layers": {}, "num_attention_heads": 12, "max_position_embeddings": 512}})",
      kWidth, kInner, kLayers);
  ModelConfig shape;
  shape.architecture = "bert";
  shape.dimension = kWidth;
  shape.hidden = kInner;
  shape.bert = {.layers = kLayers, .heads = 12, .positions = 512};
  Weights weights;
  for (const auto& list : {bert_embedding_tensors(shape), bert_encoder_tensors(shape)})
    for (const TensorSpec& spec : list) weights[spec.name] = fresh_tensor(spec, /*seed=*/1);
  weights[kPieceEmbedding] =
      fresh_tensor({.name = "pieces", .shape = {count, kWidth}, .bound = 0.05}, /*seed=*/1);
  save_weights(folder / "model.safetensors", weights);
}

const SentenceEncoder& encoder(Precision precision) {
  static std::map<Precision, std::unique_ptr<SentenceEncoder>> made;
  if (made.empty()) {
    const fs::path folder =
        fs::temp_directory_path() / fmt::format("textcrs-bench-bert-{}", getpid());
    write_random_bert(folder);
    for (const Precision each : {Precision::kFp32, Precision::kBf16})
      made[each] = std::make_unique<SentenceEncoder>(folder, EngineOptions{.precision = each});
    fs::remove_all(folder);
  }
  return *made.at(precision);
}

void sentence_encoder(benchmark::State& state, Precision precision, int batch) {
  const SentenceEncoder& of = encoder(precision);
  std::vector<std::vector<std::string>> texts(1);
  for (const WordId word : made_up_text(vocabulary(), kWords))
    texts[0].push_back(vocabulary().word(word));
  texts.resize(static_cast<size_t>(batch), texts[0]);
  for (auto _ : state) benchmark::DoNotOptimize(of.encode(texts));
  using benchmark::Counter;
  const double length = kWords + 2;
  const double gflops =
      1e-9 * batch * length *
      (2.0 * kLayers * kWidth * (4.0 * kWidth + 2.0 * kInner) + 4.0 * kLayers * kWidth * length);
  state.counters["sentences/s"] = Counter(batch, Counter::kIsIterationInvariantRate);
  state.counters["GFLOP/s"] = Counter(gflops, Counter::kIsIterationInvariantRate);
  state.counters["%peak"] =
      Counter(100 * gflops / peak_gflops(best_isa(precision)), Counter::kIsIterationInvariantRate);
}

void register_batches() {
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    for (const int batch : {1, 8, 32})
      benchmark::RegisterBenchmark(fmt::format("sentence_encoder/{}/minilm/words:{}/batch:{}",
                                               to_string(precision), kWords, batch)
                                       .c_str(),
                                   sentence_encoder, precision, batch)
          ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = (register_batches(), true);

}  // namespace
}  // namespace textcrs::bench
