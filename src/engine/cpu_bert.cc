// BERT on the CPU: sequences packed one after the other, no row of padding is ever computed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/cpu_model.h"
#include "engine/cpu_slot_map.h"
#include "engine/linear_head.h"
#include "kernels/attention.h"
#include "kernels/dense.h"
#include "kernels/layer_norm.h"
#include "kernels/normals.h"
#include "model/piece_table.h"

namespace textcrs {
namespace {

// Sequences go through all layers in groups of about so many rows: enough to use a weight often
// once it is in the cache, few enough for the rows to stay there.
constexpr size_t kRowsAtATime = 384;

struct Normalization {
  std::vector<float> gain, bias;
};

struct CpuBertLayer {
  Dense queries, keys_values, attended, inner, outer;
  Normalization after_attention, after_outer;
};

CpuBertLayer make_layer(const Classifier& classifier, int layer, Isa isa, Precision precision) {
  const std::string prefix = "encoder.layer." + std::to_string(layer) + ".";
  const auto values = [&](const std::string& name) -> const std::vector<float>& {
    return values_of(classifier, prefix + name);
  };
  // Rows of several matrices one below the other.
  const auto dense = [&](std::initializer_list<const char*> names) {
    std::vector<float> weight, bias;
    for (const std::string name : names) {
      const auto &more = values(name + ".weight"), &shift = values(name + ".bias");
      weight.insert(weight.end(), more.begin(), more.end());
      bias.insert(bias.end(), shift.begin(), shift.end());
    }
    return Dense(isa, precision, static_cast<int>(bias.size()),
                 static_cast<int>(weight.size() / bias.size()), weight, bias);
  };
  const auto normalization = [&](const std::string& name) {
    return Normalization{values(name + ".weight"), values(name + ".bias")};
  };
  return {dense({"attention.self.query"}),   dense({"attention.self.key", "attention.self.value"}),
          dense({"attention.output.dense"}), dense({"intermediate.dense"}),
          dense({"output.dense"}),           normalization("attention.output.LayerNorm"),
          normalization("output.LayerNorm")};
}

// The buffers of one call. The states (rows, width) of all sequences lie one after the other.
struct Work {
  std::vector<float> states, qkv, attended, inner, noise;
  std::vector<size_t> starts;  // (sequences + 1)
  AlignedBytes scratch;
  CpuSlotMap::Work of_map;

  size_t sequences() const { return starts.size() - 1; }
  size_t rows() const { return starts.back(); }
};

// What follows a product.
struct Then {
  bool residual = false;  // it is added to what is there
  bool gelu = false;
};

class CpuBert : public CpuModel {
 public:
  CpuBert(const Classifier& classifier, Isa isa, Precision precision)
      : config_(classifier.config()),
        table_(classifier.pieces()),
        isa_(isa),
        width_(static_cast<size_t>(config_.dimension)),
        vectors_(values_of(classifier, config_.kind().embedding)),
        slot_map_(classifier, isa, precision),
        positions_(values_of(classifier, "embeddings.position_embeddings.weight")),
        embedded_{values_of(classifier, "embeddings.LayerNorm.weight"),
                  values_of(classifier, "embeddings.LayerNorm.bias")},
        attention_(isa, precision, config_.bert.heads, config_.dimension / config_.bert.heads),
        pooler_(fp32_isa(isa), Precision::kFp32, config_.dimension, config_.dimension,
                values_of(classifier, "pooler.dense.weight"),
                values_of(classifier, "pooler.dense.bias")),
        head_(classifier) {
    // All rows are of the first token type.
    const auto& types = values_of(classifier, "embeddings.token_type_embeddings.weight");
    for (size_t i = 0; i < positions_.size(); ++i) positions_[i] += types[i % width_];
    for (int layer = 0; layer < config_.bert.layers; ++layer)
      layers_.push_back(make_layer(classifier, layer, isa, precision));
  }

  uint64_t part_size() const override { return 1024; }

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, head_.classes(), scores);
    if (copies.sigma > 0 && !config_.pool_all_slots)
      throw std::logic_error("CpuBert: a Gaussian needs a model with pool_all_slots");
    Work work;
    for (size_t begin = 0, end = 0; begin < copies.size(); begin = end) {
      work.states.clear();
      work.starts.assign(1, 0);
      for (; end < copies.size() && work.rows() < kRowsAtATime; ++end)
        if (config_.pool_all_slots)
          add_slots(copies.part(end, 1), work);
        else
          add_pieces(copies.part(end, 1), work);
      const std::vector<float> pooled = run(work);
      for (size_t k = begin; k < end; ++k)
        head_.score(std::span(pooled).subspan((k - begin) * width_, width_),
                    scores.subspan(k * head_.classes(), head_.classes()));
    }
  }

 private:
  const float* vector_of(int32_t piece) const {
    return vectors_.data() + static_cast<size_t>(piece) * width_;
  }

  // Appends the row of a vector, or of zeros for null.
  void add_row(const float* vector, Work& work) const {
    const float* const position =
        positions_.data() + (work.states.size() / width_ - work.rows()) * width_;
    for (size_t d = 0; d < width_; ++d)
      work.states.push_back((vector != nullptr ? vector[d] : 0.0f) + position[d]);
  }

  void add_pieces(const CopyView& copy, Work& work) const {
    for (const int32_t piece :
         make_sequences(copy, table_, config_.slots, config_.bert.positions).pieces)
      add_row(vector_of(piece), work);
    work.starts.push_back(work.states.size() / width_);
  }

  // One row per slot of one copy: the mean of the word's pieces, zero for PAD, and the Gaussian,
  // through the map of the slots.
  // The certificate (docs/certificates.md, B5) needs a classifier of their sum.
  void add_slots(const CopyView& one, Work& work) const {
    const std::vector<WordId>& copy = one.copies[0];
    const size_t slots = std::min(copy.size(), static_cast<size_t>(config_.slots));
    work.noise.assign(slots * width_, 0);
    if (one.sigma > 0) normals_at(isa_, one.gaussians[0], 0, work.noise);
    std::vector<float> mean(width_);
    std::vector<int32_t> pieces;
    add_row(vector_of(table_.wordpiece().cls()), work);
    for (size_t s = 0; s < slots; ++s) {
      std::fill(mean.begin(), mean.end(), 0.0f);
      pieces.clear();
      if (copy[s] != kPad) {
        table_.append(copy[s], one.own_of(0), pieces);
        add_mean(vectors_, pieces, mean);
      }
      float* const noisy = work.noise.data() + s * width_;
      for (size_t d = 0; d < width_; ++d)
        noisy[d] = mean[d] + static_cast<float>(one.sigma) * noisy[d];
      slot_map_.apply({noisy, width_}, work.of_map);
      add_row(noisy, work);
    }
    add_row(vector_of(table_.wordpiece().sep()), work);
    work.starts.push_back(work.states.size() / width_);
  }

  void normalize(const Normalization& by, size_t rows, float* states) const {
    const auto stride = static_cast<std::ptrdiff_t>(width_);
    layer_norm(isa_, {.rows = static_cast<int>(rows),
                      .width = static_cast<int>(width_),
                      .input = states,
                      .input_stride = stride,
                      .output = states,
                      .output_stride = stride,
                      .gain = by.gain.data(),
                      .bias = by.bias.data(),
                      .epsilon = static_cast<float>(config_.bert.epsilon)});
  }

  // The pooled features (sequences, width).
  std::vector<float> run(Work& work) const {
    normalize(embedded_, work.rows(), work.states.data());
    work.qkv.resize(work.rows() * 3 * width_);
    for (const CpuBertLayer& layer : layers_) run_layer(layer, &layer == &layers_.back(), work);
    std::vector<float> pooled(work.sequences() * width_);
    multiply(pooler_, work.sequences(), work.states.data(), width_, pooled.data(), width_, work);
    for (float& feature : pooled) feature = std::tanh(feature);
    return pooled;
  }

  // The last layer is asked for the first row of each sequence only: they become the states.
  void run_layer(const CpuBertLayer& layer, bool last, Work& work) const {
    const size_t row = 3 * width_;
    multiply(layer.keys_values, work.rows(), work.states.data(), width_, work.qkv.data() + width_,
             row, work);
    if (last) {
      for (size_t b = 1; b < work.sequences(); ++b)  // the first is where it belongs
        std::copy_n(work.states.data() + work.starts[b] * width_, width_,
                    work.states.data() + b * width_);
      work.attended.resize(work.sequences() * width_);
      multiply(layer.queries, work.sequences(), work.states.data(), width_, work.attended.data(),
               width_, work);
      for (size_t b = 0; b < work.sequences(); ++b)
        std::copy_n(work.attended.data() + b * width_, width_,
                    work.qkv.data() + work.starts[b] * row);
    } else {
      multiply(layer.queries, work.rows(), work.states.data(), width_, work.qkv.data(), row, work);
    }
    const size_t asking = last ? work.sequences() : work.rows();
    work.attended.resize(asking * width_);
    for (size_t b = 0; b < work.sequences(); ++b) {
      const size_t start = work.starts[b], length = work.starts[b + 1] - start;
      attention_.run({.length = static_cast<int>(length),
                      .queries = static_cast<int>(last ? 1 : length),
                      .qkv = work.qkv.data() + start * row,
                      .stride = static_cast<std::ptrdiff_t>(row),
                      .output = work.attended.data() + (last ? b : start) * width_,
                      .output_stride = static_cast<std::ptrdiff_t>(width_)},
                     work.scratch);
    }
    float* const states = work.states.data();
    multiply(layer.attended, asking, work.attended.data(), width_, states, width_, work,
             {.residual = true});
    normalize(layer.after_attention, asking, states);
    const auto inner = static_cast<size_t>(layer.inner.outputs());
    work.inner.resize(asking * inner);
    multiply(layer.inner, asking, states, width_, work.inner.data(), inner, work, {.gelu = true});
    multiply(layer.outer, asking, work.inner.data(), inner, states, width_, work,
             {.residual = true});
    normalize(layer.after_outer, asking, states);
  }

  static void multiply(const Dense& dense, size_t rows, const float* input, size_t input_stride,
                       float* output, size_t output_stride, Work& work, Then then = {}) {
    dense.run({.rows = static_cast<int>(rows),
               .input = input,
               .input_stride = static_cast<std::ptrdiff_t>(input_stride),
               .output = output,
               .output_stride = static_cast<std::ptrdiff_t>(output_stride),
               .residual = then.residual ? output : nullptr,
               .gelu = then.gelu},
              work.scratch);
  }

  const ModelConfig& config_;
  const PieceTable& table_;
  Isa isa_;
  size_t width_;
  std::span<const float> vectors_;  // (pieces, width), the classifier's
  CpuSlotMap slot_map_;
  std::vector<float> positions_;  // (positions, width), with the token type
  Normalization embedded_;
  Attention attention_;
  Dense pooler_;
  LinearHead head_;
  std::vector<CpuBertLayer> layers_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bert(const Classifier& classifier, Isa isa,
                                        Precision precision) {
  return std::make_unique<CpuBert>(classifier, isa, precision);
}

}  // namespace textcrs
