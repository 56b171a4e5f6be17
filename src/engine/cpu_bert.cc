// BERT on the CPU: sequences packed one after the other, no row of padding is ever computed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/cpu_model.h"
#include "engine/linear_head.h"
#include "engine/parameters.h"
#include "kernels/attention.h"
#include "kernels/dense.h"
#include "kernels/layer_norm.h"
#include "kernels/normals.h"
#include "model/bert.h"

namespace textcrs {
namespace {

// Sequences go through all layers in groups of about so many rows: enough to use a weight often
// once it is in the cache, few enough for the rows to stay there.
constexpr size_t kRowsAtATime = 384;

// For the one product that is not worth rounding.
Isa fp32_isa(Isa isa) { return isa == Isa::kAvx512Bf16 || isa == Isa::kAmx ? Isa::kAvx512 : isa; }

struct Normalization {
  std::vector<float> gain, bias;
};

struct CpuBertLayer {
  Dense queries, keys_values, attended, inner, outer;
  Normalization after_attention, after_outer;
};

CpuBertLayer make_layer(const Bert& bert, int layer, Isa isa, Precision precision) {
  const BertLayer from = make_bert_layer(
      layer, [&](const std::string& name) { return bert.parameters().at(name); }, at::kFloat);
  const int64_t width = bert.config().dimension;
  const auto dense = [&](const at::Tensor& weight, const at::Tensor& bias) {
    return Dense(isa, precision, static_cast<int>(weight.size(0)), static_cast<int>(weight.size(1)),
                 values_of(weight), values_of(bias));
  };
  return {
      dense(from.qkv_weight.narrow(0, 0, width), from.qkv_bias.narrow(0, 0, width)),
      dense(from.qkv_weight.narrow(0, width, 2 * width), from.qkv_bias.narrow(0, width, 2 * width)),
      dense(from.attended_weight, from.attended_bias),
      dense(from.inner_weight, from.inner_bias),
      dense(from.outer_weight, from.outer_bias),
      {values_of(from.attention_gain), values_of(from.attention_shift)},
      {values_of(from.output_gain), values_of(from.output_shift)}};
}

// The buffers of one call. The states (rows, width) of all sequences lie one after the other.
struct Work {
  std::vector<float> states, qkv, attended, inner, noise;
  std::vector<size_t> starts;  // (sequences + 1)
  AlignedBytes scratch;

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
  CpuBert(const Bert& bert, Isa isa, Precision precision)
      : bert_(bert),
        isa_(isa),
        width_(static_cast<size_t>(bert.config().dimension)),
        by_slots_(bert.config().pool_all_slots),
        vectors_(bert.vectors().detach().to(at::kCPU).contiguous()),
        positions_(values_of(bert.frozen().at("embeddings.position_embeddings.weight"))),
        embedded_{values_of(bert.frozen().at("embeddings.LayerNorm.weight")),
                  values_of(bert.frozen().at("embeddings.LayerNorm.bias"))},
        attention_(isa, precision, bert.config().bert.heads,
                   bert.config().dimension / bert.config().bert.heads),
        pooler_(fp32_isa(isa), Precision::kFp32, bert.config().dimension, bert.config().dimension,
                parameter_values(bert, "pooler.dense.weight"),
                parameter_values(bert, "pooler.dense.bias")),
        head_(bert) {
    // All rows are of the first token type.
    const auto types = values_of(bert.frozen().at("embeddings.token_type_embeddings.weight"));
    for (size_t i = 0; i < positions_.size(); ++i) positions_[i] += types[i % width_];
    for (int layer = 0; layer < bert.config().bert.layers; ++layer)
      layers_.push_back(make_layer(bert, layer, isa, precision));
  }

  void classify(std::span<const Words> copies, double sigma, std::span<const Stream> gaussians,
                std::span<int> classes) const override {
    if (classes.size() != copies.size() || (sigma > 0 && gaussians.size() != copies.size()))
      throw std::logic_error("CpuBert: one class, and with sigma one stream, a copy");
    if (sigma > 0 && !by_slots_)
      throw std::logic_error("CpuBert: a Gaussian needs a model with pool_all_slots");
    Work work;
    for (size_t begin = 0, end = 0; begin < copies.size(); begin = end) {
      work.states.clear();
      work.starts.assign(1, 0);
      for (; end < copies.size() && work.rows() < kRowsAtATime; ++end)
        if (by_slots_)
          add_slots(copies[end], sigma > 0 ? &gaussians[end] : nullptr, sigma, work);
        else
          add_pieces(copies.subspan(end, 1), work);
      const std::vector<float> pooled = run(work);
      for (size_t k = begin; k < end; ++k)
        classes[k] = head_.classify(std::span(pooled).subspan((k - begin) * width_, width_));
    }
  }

 private:
  const float* vector_of(int32_t piece) const {
    return vectors_.data_ptr<float>() + static_cast<size_t>(piece) * width_;
  }

  // Appends the row of a vector, or of zeros for null.
  void add_row(const float* vector, Work& work) const {
    const float* const position =
        positions_.data() + (work.states.size() / width_ - work.rows()) * width_;
    for (size_t d = 0; d < width_; ++d)
      work.states.push_back((vector != nullptr ? vector[d] : 0.0f) + position[d]);
  }

  void add_pieces(std::span<const Words> copy, Work& work) const {
    const ModelConfig& config = bert_.config();
    for (const int32_t piece :
         make_sequences(copy, bert_.pieces(), config.slots, config.bert.positions).pieces)
      add_row(vector_of(piece), work);
    work.starts.push_back(work.states.size() / width_);
  }

  // A row a slot: the mean of the word's pieces, zero for PAD, and the Gaussian. The certificate
  // (docs/certificates.md, B5) needs a classifier of their sum.
  void add_slots(const Words& copy, const Stream* gaussian, double sigma, Work& work) const {
    const WordPiece& wordpiece = bert_.pieces().wordpiece();
    const size_t slots = std::min(copy.size(), static_cast<size_t>(bert_.config().slots));
    work.noise.assign(slots * width_, 0);
    if (gaussian != nullptr) normals_at(isa_, *gaussian, 0, work.noise);
    std::vector<float> mean(width_);
    add_row(vector_of(wordpiece.cls()), work);
    for (size_t s = 0; s < slots; ++s) {
      std::fill(mean.begin(), mean.end(), 0.0f);
      if (copy[s] != kPad) bert_.add_mean_vector(copy[s], mean);
      float* const noisy = work.noise.data() + s * width_;
      for (size_t d = 0; d < width_; ++d) noisy[d] = mean[d] + static_cast<float>(sigma) * noisy[d];
      add_row(noisy, work);
    }
    add_row(vector_of(wordpiece.sep()), work);
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
                      .epsilon = static_cast<float>(bert_.config().bert.epsilon)});
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

  const Bert& bert_;
  Isa isa_;
  size_t width_;
  bool by_slots_;
  at::Tensor vectors_;            // (pieces, width)
  std::vector<float> positions_;  // (positions, width), with the token type
  Normalization embedded_;
  Attention attention_;
  Dense pooler_;
  LinearHead head_;
  std::vector<CpuBertLayer> layers_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bert(const Network& network, Isa isa, Precision precision) {
  return std::make_unique<CpuBert>(dynamic_cast<const Bert&>(network), isa, precision);
}

}  // namespace textcrs
