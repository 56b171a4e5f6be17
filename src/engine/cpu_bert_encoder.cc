#include "engine/cpu_bert_encoder.h"

#include <algorithm>
#include <initializer_list>

#include "kernels/layer_norm.h"

namespace textcrs {
namespace {

// What follows a product.
struct Then {
  bool residual = false;  // it is added to what is there
  bool gelu = false;
};

void multiply(const Dense& dense, size_t rows, const float* input, size_t input_stride,
              float* output, size_t output_stride, AlignedBytes& scratch, Then then = {}) {
  dense.run({.rows = static_cast<int>(rows),
             .input = input,
             .input_stride = static_cast<std::ptrdiff_t>(input_stride),
             .output = output,
             .output_stride = static_cast<std::ptrdiff_t>(output_stride),
             .residual = then.residual ? output : nullptr,
             .gelu = then.gelu},
            scratch);
}

}  // namespace

CpuBertEncoder::CpuBertEncoder(const ModelConfig& shape, const ValuesOf& values_of, Isa isa,
                               Precision precision)
    : isa_(isa),
      width_(static_cast<size_t>(shape.dimension)),
      epsilon_(static_cast<float>(shape.bert.epsilon)),
      positions_(values_of("embeddings.position_embeddings.weight")),
      embedded_{values_of("embeddings.LayerNorm.weight"), values_of("embeddings.LayerNorm.bias")},
      attention_(isa, precision, shape.bert.heads, shape.dimension / shape.bert.heads) {
  // All rows are of the first token type.
  const auto& types = values_of("embeddings.token_type_embeddings.weight");
  for (size_t i = 0; i < positions_.size(); ++i) positions_[i] += types[i % width_];
  for (int layer = 0; layer < shape.bert.layers; ++layer)
    layers_.push_back(make_layer(values_of, layer, isa, precision));
}

CpuBertEncoder::Layer CpuBertEncoder::make_layer(const ValuesOf& values_of, int layer, Isa isa,
                                                 Precision precision) {
  const std::string prefix = "encoder.layer." + std::to_string(layer) + ".";
  const auto values = [&](const std::string& name) -> const std::vector<float>& {
    return values_of(prefix + name);
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

void CpuBertEncoder::add_row(const float* vector, Work& work) const {
  const float* const position =
      positions_.data() + (work.states.size() / width_ - work.rows()) * width_;
  for (size_t d = 0; d < width_; ++d) work.states.push_back(vector[d] + position[d]);
}

void CpuBertEncoder::normalize(const Normalization& by, size_t rows, float* states) const {
  const auto stride = static_cast<std::ptrdiff_t>(width_);
  layer_norm(isa_, {.rows = static_cast<int>(rows),
                    .width = static_cast<int>(width_),
                    .input = states,
                    .input_stride = stride,
                    .output = states,
                    .output_stride = stride,
                    .gain = by.gain.data(),
                    .bias = by.bias.data(),
                    .epsilon = epsilon_});
}

void CpuBertEncoder::run(Rows wanted, Work& work) const {
  normalize(embedded_, work.rows(), work.states.data());
  work.qkv.resize(work.rows() * 3 * width_);
  for (const Layer& layer : layers_)
    run_layer(layer, wanted == Rows::kFirstOfEach && &layer == &layers_.back(), work);
}

// With `first_rows` the first row of each sequence alone asks: they become the states.
void CpuBertEncoder::run_layer(const Layer& layer, bool first_rows, Work& work) const {
  const size_t row = 3 * width_;
  AlignedBytes& scratch = work.scratch;
  multiply(layer.keys_values, work.rows(), work.states.data(), width_, work.qkv.data() + width_,
           row, scratch);
  if (first_rows) {
    for (size_t b = 1; b < work.sequences(); ++b)  // the first is where it belongs
      std::copy_n(work.states.data() + work.starts[b] * width_, width_,
                  work.states.data() + b * width_);
    work.attended.resize(work.sequences() * width_);
    multiply(layer.queries, work.sequences(), work.states.data(), width_, work.attended.data(),
             width_, scratch);
    for (size_t b = 0; b < work.sequences(); ++b)
      std::copy_n(work.attended.data() + b * width_, width_,
                  work.qkv.data() + work.starts[b] * row);
  } else {
    multiply(layer.queries, work.rows(), work.states.data(), width_, work.qkv.data(), row, scratch);
  }
  const size_t asking = first_rows ? work.sequences() : work.rows();
  work.attended.resize(asking * width_);
  for (size_t b = 0; b < work.sequences(); ++b) {
    const size_t start = work.starts[b], length = work.starts[b + 1] - start;
    attention_.run({.length = static_cast<int>(length),
                    .queries = static_cast<int>(first_rows ? 1 : length),
                    .qkv = work.qkv.data() + start * row,
                    .stride = static_cast<std::ptrdiff_t>(row),
                    .output = work.attended.data() + (first_rows ? b : start) * width_,
                    .output_stride = static_cast<std::ptrdiff_t>(width_)},
                   scratch);
  }
  float* const states = work.states.data();
  multiply(layer.attended, asking, work.attended.data(), width_, states, width_, scratch,
           {.residual = true});
  normalize(layer.after_attention, asking, states);
  const auto inner = static_cast<size_t>(layer.inner.outputs());
  work.inner.resize(asking * inner);
  multiply(layer.inner, asking, states, width_, work.inner.data(), inner, scratch, {.gelu = true});
  multiply(layer.outer, asking, work.inner.data(), inner, states, width_, scratch,
           {.residual = true});
  normalize(layer.after_outer, asking, states);
}

}  // namespace textcrs
