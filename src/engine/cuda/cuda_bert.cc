// BERT on a GPU: sequences packed one after the other, no row of padding between them. Copies go
// through the layers in parts of as many rows as fill the card, which bounds what lies between the
// layers; what the last layer does with the first row of each copy is done for all parts together.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/cpu_model.h"
#include "engine/cuda/bert_layer.h"
#include "engine/cuda/cuda_slot_map.h"
#include "engine/cuda/word_pieces.h"
#include "kernels/cuda/bert.h"

namespace textcrs {
namespace {

constexpr int64_t kMostSequences = 65535;  // of a part: blocks in one direction

int64_t in_steps(int64_t rows) {
  return (rows + GpuDense::kRowStep - 1) / GpuDense::kRowStep * GpuDense::kRowStep;
}

// Many tiles of a product, and as many for each multiprocessor. One copy must fit.
int64_t rows_of_part(const ModelConfig& config) {
  const int64_t rows = 512 * int64_t{gpu_properties().multiprocessors};
  return in_steps(std::max<int64_t>(rows, config.bert.positions));
}

// Neighbouring copies that go through the layers together.
struct Part {
  int first = 0, copies = 0;
  int rows = 0, longest = 0;
  size_t starts = 0;  // where the list of its starts begins
};

struct Parts {
  std::vector<Part> list;
  std::vector<int32_t> starts;  // of each part in turn: (copies + 1)
};

Parts cut(const std::vector<int32_t>& rows, int64_t most_rows) {
  Parts parts;
  for (size_t copy = 0; copy < rows.size();) {
    Part part{.first = static_cast<int>(copy), .starts = parts.starts.size()};
    parts.starts.push_back(0);
    for (;
         copy < rows.size() && part.rows + rows[copy] <= most_rows && part.copies < kMostSequences;
         ++copy, ++part.copies) {
      part.rows += rows[copy];
      part.longest = std::max(part.longest, rows[copy]);
      parts.starts.push_back(part.rows);
    }
    parts.list.push_back(part);
  }
  return parts;
}

class CudaBert final : public CudaModel {
 public:
  CudaBert(const Classifier& classifier, const GpuQueue& queue)
      : config_(classifier.config()),
        heads_(config_),
        most_rows_(rows_of_part(config_)),
        words_(classifier, queue),
        products_(most_rows_),
        slot_map_(queue, classifier),
        embedded_(classifier, "embeddings.LayerNorm", queue),
        pooler_(products_, queue, values_of(classifier, "pooler.dense.weight"),
                values_of(classifier, "pooler.dense.bias"), GpuDense::Output::kFp32) {
    vectors_.upload(queue, values_of(classifier, config_.kind().embedding), "vectors of pieces");
    std::vector<float> positions = values_of(classifier, "embeddings.position_embeddings.weight");
    const auto& types = values_of(classifier, "embeddings.token_type_embeddings.weight");
    const auto width = static_cast<size_t>(config_.dimension);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] += types[i % width];  // the first
    positions_.upload(queue, positions, "weights");
    for (int layer = 0; layer < config_.bert.layers; ++layer)
      layers_.emplace_back(classifier, layer, products_, queue);
    head_.upload(queue, values_of(classifier, "head.weight"), "weights");
    head_bias_.upload(queue, values_of(classifier, "head.bias"), "weights");
    const auto rows = static_cast<size_t>(most_rows_), inner = static_cast<size_t>(config_.hidden);
    const auto of_heads = static_cast<size_t>(heads_.width());
    constexpr const char* kWhat = "what lies between BERT's layers";
    rows_.reserve(rows, kWhat);
    states_.reserve(rows * width, kWhat);
    product_.reserve(rows * width, kWhat);
    all_heads_.reserve(rows * 3 * of_heads, kWhat);
    attended_.reserve(rows * of_heads, kWhat);
    inner_.reserve(rows * inner, kWhat);
    pooled_.reserve(rows * width, kWhat);
    queue.wait();
  }

  uint64_t most_copies() const override { return 1 << 15; }
  int texts_at_once() const override { return 16; }
  std::string library() const override { return cublas_version(); }

  size_t bytes_per_copy(int, bool) const override {
    return 3 * sizeof(int32_t) + row_bytes() +
           static_cast<size_t>(heads_.width()) * sizeof(GpuBf16);
  }

  void score(const GpuQueue& queue, const CudaBatch& batch, double* scores) override {
    if (batch.sigma > 0 && !config_.pool_all_slots)
      throw std::logic_error("CudaBert: a Gaussian needs a model with pool_all_slots");
    const GpuSequences sequences{.copies = batch.copies,
                                 .words = words_.of(queue, batch),
                                 .slots = config_.slots,
                                 .positions = config_.bert.positions,
                                 .by_slots = config_.pool_all_slots};
    const auto copies = static_cast<size_t>(batch.copies.count);
    row_counts_.reserve(copies, "copies");
    count_rows(queue, sequences, row_counts_.data());
    const Parts parts = cut(row_counts_.download(queue, copies), most_rows_);
    starts_.upload(queue, parts.starts, "copies");
    // The last part of a part's copies is read in whole steps.
    const auto rows = static_cast<size_t>(in_steps(batch.copies.count) + GpuDense::kRowStep);
    first_states_.reserve(rows * static_cast<size_t>(config_.dimension), "copies");
    first_attended_.reserve(rows * static_cast<size_t>(heads_.width()), "copies");
    for (const Part& part : parts.list) {
      embed(queue, sequences, batch, part);
      for (const CudaBertLayer& layer : layers_)
        if (&layer != &layers_.back()) run(queue, layer, part);
      ask_first_rows(queue, part);
    }
    for (int64_t begin = 0; begin < batch.copies.count; begin += most_rows_)
      finish(queue, begin, std::min(most_rows_, batch.copies.count - begin), scores);
  }

 private:
  size_t row_bytes() const { return static_cast<size_t>(config_.dimension) * sizeof(GpuBf16); }

  void embed(const GpuQueue& queue, GpuSequences sequences, const CudaBatch& batch,
             const Part& part) {
    sequences.copies.count = part.copies;
    sequences.copies.starts += part.first;
    sequences.copies.lengths += part.first;
    sequences.words.text_of += part.first;
    fill_rows(queue, sequences, starts_.data() + part.starts, rows_.data());
    embed_rows(queue, {.count = part.rows,
                       .width = config_.dimension,
                       .rows = rows_.data(),
                       .pieces = sequences.words.pieces,
                       .vectors = vectors_.data(),
                       .positions = positions_.data(),
                       .gain = embedded_.gain.data(),
                       .shift = embedded_.shift.data(),
                       .epsilon = static_cast<float>(config_.bert.epsilon),
                       .sigma = static_cast<float>(batch.sigma),
                       .streams = batch.sigma > 0 ? batch.streams + part.first : nullptr,
                       .mean = slot_map_.mean(),
                       .output = states_.data()});
  }

  GpuAttention attention_of(const Part& part) const {
    return {.sequences = part.copies,
            .heads = heads_.count,
            .head_size = heads_.padded,
            .scale = 1 / std::sqrt(static_cast<float>(heads_.size)),
            .longest = part.longest,
            .starts = starts_.data() + part.starts};
  }

  // The part's states become the layer's.
  void run(const GpuQueue& queue, const CudaBertLayer& layer, const Part& part) {
    const int64_t rows = in_steps(part.rows);
    layer.all->run(queue, rows, states_.data(), all_heads_.data());
    GpuAttention attention = attention_of(part);
    attention.queries = all_heads_.data();
    attention.keys = attention.queries + heads_.width();
    attention.values = attention.keys + heads_.width();
    attention.query_stride = attention.key_stride = 3 * heads_.width();
    attention.output = attended_.data();
    run_on_gpu(queue, attention);
    add_attended(queue, layer, part.rows, attended_.data(), states_.data());
  }

  // What follows attention: residual, dense layers and norms, into the states.
  void add_attended(const GpuQueue& queue, const CudaBertLayer& layer, int64_t count,
                    const GpuBf16* attended, const GpuBf16* residual) {
    const int64_t rows = in_steps(count);
    layer.attended.run(queue, rows, attended, product_.data());
    add_norm(queue, layer.after_attention, count, residual);
    layer.inner.run(queue, rows, states_.data(), inner_.data());
    layer.outer.run(queue, rows, inner_.data(), product_.data());
    add_norm(queue, layer.after_outer, count, states_.data());
  }

  void add_norm(const GpuQueue& queue, const CudaNorm& norm, int64_t rows,
                const GpuBf16* residual) {
    run_on_gpu(queue, GpuAddNorm{.rows = rows,
                                 .width = config_.dimension,
                                 .x = product_.data(),
                                 .residual = residual,
                                 .gain = norm.gain.data(),
                                 .shift = norm.shift.data(),
                                 .epsilon = static_cast<float>(config_.bert.epsilon),
                                 .output = states_.data()});
  }

  // The last layer's attention, for the first row of each copy: kept until all parts have it.
  void ask_first_rows(const GpuQueue& queue, const Part& part) {
    const CudaBertLayer& layer = layers_.back();
    layer.keys_values->run(queue, in_steps(part.rows), states_.data(), all_heads_.data());
    GpuBf16* const first =
        first_states_.data() + static_cast<int64_t>(part.first) * config_.dimension;
    GpuAttention attention = attention_of(part);
    run_on_gpu(queue, GpuFirstRows{.sequences = part.copies,
                                   .width = config_.dimension,
                                   .starts = attention.starts,
                                   .from = states_.data(),
                                   .to = first});
    layer.queries->run(queue, in_steps(part.copies), first, attended_.data());
    attention.first_only = true;
    attention.queries = attended_.data();
    attention.query_stride = heads_.width();
    attention.keys = all_heads_.data();
    attention.values = attention.keys + heads_.width();
    attention.key_stride = 2 * heads_.width();
    attention.output = first_attended_.data() + static_cast<int64_t>(part.first) * heads_.width();
    run_on_gpu(queue, attention);
  }

  // The rest of the last layer, pooler and head.
  void finish(const GpuQueue& queue, int64_t begin, int64_t copies, double* scores) {
    add_attended(queue, layers_.back(), copies, first_attended_.data() + begin * heads_.width(),
                 first_states_.data() + begin * config_.dimension);
    pooler_.run(queue, in_steps(copies), states_.data(), pooled_.data());
    const auto classes = static_cast<int>(config_.classes.size());
    run_on_gpu(queue, GpuTanhHead{.rows = static_cast<int>(copies),
                                  .width = config_.dimension,
                                  .classes = classes,
                                  .features = pooled_.data(),
                                  .weights = head_.data(),
                                  .bias = head_bias_.data(),
                                  .scores = scores + begin * classes});
  }

  const ModelConfig& config_;
  BertHeads heads_;
  int64_t most_rows_;  // of a part
  CudaWordPieces words_;
  GpuProducts products_;
  CudaSlotMap slot_map_;
  CudaNorm embedded_;
  GpuDense pooler_;
  GpuArray<float> vectors_, positions_;  // (pieces, width), (positions, width) with the token type
  std::vector<CudaBertLayer> layers_;
  GpuArray<float> head_, head_bias_;
  // Of a batch.
  GpuArray<int32_t> row_counts_, starts_;
  GpuArray<GpuBf16> first_states_, first_attended_;  // of each copy's first row
  // Of a part.
  GpuArray<GpuRow> rows_;
  GpuArray<GpuBf16> states_, product_, all_heads_, attended_, inner_;
  GpuArray<float> pooled_;
};

}  // namespace

bool cuda_bert_runs(const ModelConfig& config) {
  constexpr int kWidest = 1024, kLargestHead = 64;
  return config.dimension % 8 == 0 && config.dimension <= kWidest && config.hidden % 8 == 0 &&
         config.dimension / config.bert.heads <= kLargestHead;
}

std::unique_ptr<CudaModel> make_cuda_bert(const Classifier& classifier, const GpuQueue& queue) {
  return std::make_unique<CudaBert>(classifier, queue);
}

}  // namespace textcrs
