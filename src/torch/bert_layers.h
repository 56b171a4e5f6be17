// BERT's encoder on packed sequences: their rows one after the other, no padding between them.
#pragma once

#include <torch/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/model/model_config.h"

namespace textcrs {

// Which rows belong together.
struct PackedRows {
  std::vector<int32_t> starts;  // (B + 1)
  int longest = 0;
  at::Tensor device_starts;  // `starts` where the rows are

  int64_t count() const { return static_cast<int64_t>(starts.size()) - 1; }
  int64_t rows() const { return starts.back(); }
};
PackedRows make_packed_rows(std::vector<int32_t> starts, int longest, const at::Device& device);

// The tensors of one layer, in the type that is computed in. Weights are (outputs, inputs).
struct BertLayer {
  at::Tensor qkv_weight, qkv_bias;  // queries, keys and values one below the other
  at::Tensor attended_weight, attended_bias, attention_gain, attention_shift;
  at::Tensor inner_weight, inner_bias, outer_weight, outer_bias, output_gain, output_shift;
};

// Names as in Hugging Face's checkpoints: "encoder.layer.0.attention.self.query.weight".
using TensorOf = std::function<at::Tensor(const std::string& name)>;
BertLayer make_bert_layer(int layer, const TensorOf& tensor_of, at::ScalarType type);

// Dropout of hidden states in training; draws from a generator of its own.
class HiddenDropout {
 public:
  // The masks depend on the seed and the order of the calls alone.
  HiddenDropout(double rate, uint64_t seed, const at::Device& device);
  at::Tensor operator()(const at::Tensor& states);

 private:
  double rate_;
  at::Generator generator_;
};

// (R, D) to (R, D), or with `first_only` to (B, D): the first row of each sequence, all that the
// last layer is asked for. `dropout` is null but in training.
at::Tensor run_bert_layer(const BertLayer& layer, const BertShape& shape, const at::Tensor& states,
                          const PackedRows& packed, bool first_only, HiddenDropout* dropout);

}  // namespace textcrs
