#include "torch/bert_layers.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <torch/version.h>

#include <cmath>
#include <limits>

#include "torch/copies.h"

namespace textcrs {
namespace {

at::Tensor to_device(const std::vector<int64_t>& values, const at::Device& device) {
  return send(at::tensor(values, at::kLong), device);
}

// Attention in LibTorch's basic operations, on sequences padded to the longest.
at::Tensor padded_attention(const at::Tensor& queries, const at::Tensor& keys_values,
                            const PackedRows& packed, int64_t heads, bool first_only) {
  const int64_t count = packed.count(), longest = packed.longest, width = queries.size(1);
  const int64_t size = width / heads, asked = first_only ? 1 : longest;
  // Padding reads an extra row of zeros, behind the last.
  std::vector<int64_t> padded(static_cast<size_t>(count * longest), packed.rows());
  std::vector<int64_t> back;
  back.reserve(static_cast<size_t>(packed.rows()));
  for (int64_t b = 0; b < count; ++b)
    for (int64_t t = 0; t < packed.starts[b + 1] - packed.starts[b]; ++t) {
      padded[b * longest + t] = packed.starts[b] + t;
      back.push_back(b * longest + t);
    }
  const at::Tensor index = to_device(padded, queries.device());
  const auto pad = [&](const at::Tensor& rows) {
    const at::Tensor zero = at::zeros({1, rows.size(1)}, rows.options());
    return at::cat({rows, zero}).index_select(0, index);
  };
  const auto by_head = [&](const at::Tensor& rows, int64_t length) {  // (B, H, T, d)
    return rows.reshape({count, length, heads, size}).transpose(1, 2);
  };
  const at::Tensor both = pad(keys_values);
  const at::Tensor q = by_head(first_only ? queries : pad(queries), asked);
  const at::Tensor k = by_head(both.narrow(1, 0, width), longest);
  const at::Tensor v = by_head(both.narrow(1, width, width), longest);
  const at::Tensor is_padding = index.eq(packed.rows()).view({count, 1, 1, longest});
  const at::Tensor scores =
      at::matmul(q, k.transpose(2, 3)).div(std::sqrt(static_cast<double>(size)));
  const at::Tensor weights =
      at::softmax(scores.masked_fill(is_padding, -std::numeric_limits<double>::infinity()), -1);
  const at::Tensor attended =
      at::matmul(weights, v).transpose(1, 2).reshape({count * asked, width});
  return first_only ? attended : attended.index_select(0, to_device(back, attended.device()));
}

#if TORCH_VERSION_MAJOR >= 2
// The GPU's fused kernel for sequences of different lengths, which knows half precision only.
at::Tensor fused_attention(const at::Tensor& queries, const at::Tensor& keys_values,
                           const PackedRows& packed, int64_t heads, bool first_only) {
  const int64_t width = queries.size(1), size = width / heads;
  const auto by_head = [&](const at::Tensor& rows) {  // (R, H, d)
    return rows.unflatten(1, {heads, size});
  };
  const at::Tensor starts = first_only ? at::arange(static_cast<int32_t>(packed.count() + 1),
                                                    packed.device_starts.options())
                                       : packed.device_starts;
  const auto attended = at::_flash_attention_forward(
      by_head(queries), by_head(keys_values.narrow(1, 0, width)),
      by_head(keys_values.narrow(1, width, width)), starts, packed.device_starts,
      first_only ? 1 : packed.longest, packed.longest, /*dropout_p=*/0.0, /*is_causal=*/false,
      /*return_debug_mask=*/false);
  return std::get<0>(attended).flatten(1);
}
#endif

at::Tensor attention(const at::Tensor& queries, const at::Tensor& keys_values,
                     const PackedRows& packed, int64_t heads, bool first_only) {
#if TORCH_VERSION_MAJOR >= 2
  if (queries.is_cuda() && queries.scalar_type() != at::kFloat)
    return fused_attention(queries, keys_values, packed, heads, first_only);
#endif
  return padded_attention(queries, keys_values, packed, heads, first_only);
}

// gelu(x W^T + b). On a GPU in half precision without gradients in one step, by the tanh formula,
// which is off by less than half precision is.
at::Tensor inner_layer(const BertLayer& layer, const at::Tensor& states) {
#if TORCH_VERSION_MAJOR >= 2
  if (states.is_cuda() && states.scalar_type() != at::kFloat && !at::GradMode::is_enabled())
    return at::_addmm_activation(layer.inner_bias, states, layer.inner_weight.t(), 1, 1,
                                 /*use_gelu=*/true);
#endif
  return at::gelu(at::linear(states, layer.inner_weight, layer.inner_bias));
}

// LibTorch never frees a clone (it begins without the weak count that the last owner gives back);
// for other devices it knows no other way, and theirs are small.
at::Generator make_generator(const at::Device& device) {
  return device.is_cpu() ? at::make_generator<at::CPUGeneratorImpl>()
                         : at::globalContext().defaultGenerator(device).clone();
}

}  // namespace

PackedRows make_packed_rows(std::vector<int32_t> starts, int longest, const at::Device& device) {
  const at::Tensor device_starts = send(at::tensor(starts, at::kInt), device);
  return {std::move(starts), longest, device_starts};
}

BertLayer make_bert_layer(int layer, const TensorOf& tensor_of, at::ScalarType type) {
  const std::string prefix = "encoder.layer." + std::to_string(layer) + ".";
  const auto get = [&](const std::string& name) { return tensor_of(prefix + name).to(type); };
  const auto stacked = [&](const std::string& part) {
    return at::cat({get("attention.self.query." + part), get("attention.self.key." + part),
                    get("attention.self.value." + part)});
  };
  return {.qkv_weight = stacked("weight"),
          .qkv_bias = stacked("bias"),
          .attended_weight = get("attention.output.dense.weight"),
          .attended_bias = get("attention.output.dense.bias"),
          .attention_gain = get("attention.output.LayerNorm.weight"),
          .attention_shift = get("attention.output.LayerNorm.bias"),
          .inner_weight = get("intermediate.dense.weight"),
          .inner_bias = get("intermediate.dense.bias"),
          .outer_weight = get("output.dense.weight"),
          .outer_bias = get("output.dense.bias"),
          .output_gain = get("output.LayerNorm.weight"),
          .output_shift = get("output.LayerNorm.bias")};
}

HiddenDropout::HiddenDropout(double rate, uint64_t seed, const at::Device& device)
    : rate_(rate), generator_(make_generator(device)) {
  generator_.set_current_seed(seed);
}

at::Tensor HiddenDropout::operator()(const at::Tensor& states) {
  if (rate_ == 0) return states;
  return states * at::empty_like(states).bernoulli_(1 - rate_, generator_).div_(1 - rate_);
}

at::Tensor run_bert_layer(const BertLayer& layer, const BertShape& shape, const at::Tensor& states,
                          const PackedRows& packed, bool first_only, HiddenDropout* dropout) {
  const int64_t width = states.size(1);
  const auto drop = [&](const at::Tensor& x) { return dropout != nullptr ? (*dropout)(x) : x; };
  const auto add_and_normalize = [&](const at::Tensor& x, const at::Tensor& residual,
                                     const at::Tensor& gain, const at::Tensor& shift) {
    return at::layer_norm(x + residual, {width}, gain, shift, shape.epsilon);
  };
  at::Tensor asking = states, queries, keys_values;
  if (first_only) {
    asking = states.index_select(0, packed.device_starts.narrow(0, 0, packed.count()));
    queries = at::linear(asking, layer.qkv_weight.narrow(0, 0, width),
                         layer.qkv_bias.narrow(0, 0, width));
    keys_values = at::linear(states, layer.qkv_weight.narrow(0, width, 2 * width),
                             layer.qkv_bias.narrow(0, width, 2 * width));
  } else {
    const at::Tensor qkv = at::linear(states, layer.qkv_weight, layer.qkv_bias);
    queries = qkv.narrow(1, 0, width);
    keys_values = qkv.narrow(1, width, 2 * width);
  }
  const at::Tensor attended =
      at::linear(attention(queries, keys_values, packed, shape.heads, first_only),
                 layer.attended_weight, layer.attended_bias);
  const at::Tensor middle =
      add_and_normalize(drop(attended), asking, layer.attention_gain, layer.attention_shift);
  const at::Tensor outer =
      at::linear(inner_layer(layer, middle), layer.outer_weight, layer.outer_bias);
  return add_and_normalize(drop(outer), middle, layer.output_gain, layer.output_shift);
}

}  // namespace textcrs
