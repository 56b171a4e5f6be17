// BERT in plain loops of double precision, one sequence at a time: what the others
// are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "textcrs/model/model_config.h"
#include "textcrs/model/weights.h"

namespace textcrs {

class PlainBert {
 public:
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;

  // All weights by their names in Hugging Face's checkpoints; of the head "head.weight" and
  // "head.bias".
  PlainBert(const ModelConfig& config, const Weights& weights) : config_(config) {
    for (const auto& [name, tensor] : weights) {
      const int64_t columns = tensor.shape.back();
      for (auto row = tensor.values.begin(); row != tensor.values.end(); row += columns)
        tensors_[name].emplace_back(row, row + columns);
    }
  }

  Rows vectors_of(const std::vector<int32_t>& pieces) const {
    Rows rows;
    for (const int32_t piece : pieces)
      rows.push_back(get("embeddings.word_embeddings.weight")[static_cast<size_t>(piece)]);
    return rows;
  }

  // LayerNorm(vector + position + first token type).
  Rows embed(const Rows& vectors) const {
    Rows rows = vectors;
    for (size_t t = 0; t < rows.size(); ++t) {
      rows[t] = sum(rows[t], get("embeddings.position_embeddings.weight")[t]);
      rows[t] = normalize(sum(rows[t], get("embeddings.token_type_embeddings.weight")[0]),
                          "embeddings.LayerNorm");
    }
    return rows;
  }

  Rows run_layer(const Rows& states, int layer) const {
    const std::string prefix = "encoder.layer." + std::to_string(layer) + ".";
    const Rows q = dense(states, prefix + "attention.self.query"),
               k = dense(states, prefix + "attention.self.key"),
               v = dense(states, prefix + "attention.self.value");
    const Rows attended = dense(attend(q, k, v), prefix + "attention.output.dense");
    Rows result;
    for (size_t t = 0; t < states.size(); ++t) {
      const Row middle =
          normalize(sum(attended[t], states[t]), prefix + "attention.output.LayerNorm");
      Row inner = dense({middle}, prefix + "intermediate.dense")[0];
      for (double& x : inner) x = gelu(x);
      result.push_back(normalize(sum(dense({inner}, prefix + "output.dense")[0], middle),
                                 prefix + "output.LayerNorm"));
    }
    return result;
  }

  Rows states(const Rows& vectors) const {
    Rows rows = embed(vectors);
    for (int layer = 0; layer < config_.bert.layers; ++layer) rows = run_layer(rows, layer);
    return rows;
  }

  // From the vectors of [CLS], the words, [SEP].
  Row logits(const Rows& vectors) const {
    Row pooled = dense({states(vectors)[0]}, "pooler.dense")[0];
    for (double& x : pooled) x = std::tanh(x);
    return dense({pooled}, "head")[0];
  }

  // The score of each piece at a place of a sequence, by the head of BertForMaskedLM.
  Row scores_of_pieces(const Rows& vectors, size_t place) const {
    const std::string head = "cls.predictions.";
    Row inner = dense({states(vectors)[place]}, head + "transform.dense")[0];
    for (double& x : inner) x = gelu(x);
    inner = normalize(inner, head + "transform.LayerNorm");
    const Rows& pieces = get("embeddings.word_embeddings.weight");
    Row scores = get(head + "bias")[0];
    for (size_t piece = 0; piece < scores.size(); ++piece)
      for (size_t d = 0; d < inner.size(); ++d) scores[piece] += pieces[piece][d] * inner[d];
    return scores;
  }

 private:
  static double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

  const Rows& get(const std::string& name) const { return tensors_.at(name); }

  static Row sum(Row a, const Row& b) {
    for (size_t d = 0; d < a.size(); ++d) a[d] += b[d];
    return a;
  }

  Rows dense(const Rows& inputs, const std::string& name) const {
    const Rows& weight = get(name + ".weight");
    const Row& bias = get(name + ".bias")[0];
    Rows outputs;
    for (const Row& input : inputs) {
      Row& output = outputs.emplace_back(bias);
      for (size_t o = 0; o < output.size(); ++o)
        for (size_t i = 0; i < input.size(); ++i) output[o] += weight[o][i] * input[i];
    }
    return outputs;
  }

  Row normalize(Row row, const std::string& name) const {
    const auto size = static_cast<double>(row.size());
    double mean = 0, variance = 0;
    for (const double x : row) mean += x / size;
    for (const double x : row) variance += (x - mean) * (x - mean) / size;
    for (size_t d = 0; d < row.size(); ++d)
      row[d] = (row[d] - mean) / std::sqrt(variance + config_.bert.epsilon) *
                   get(name + ".weight")[0][d] +
               get(name + ".bias")[0][d];
    return row;
  }

  Rows attend(const Rows& q, const Rows& k, const Rows& v) const {
    const auto heads = static_cast<size_t>(config_.bert.heads);
    const size_t size = q[0].size() / heads;
    Rows attended(q.size(), Row(q[0].size()));
    for (size_t h = 0; h < heads; ++h)
      for (size_t t = 0; t < q.size(); ++t) {
        Row weights(k.size());
        double total = 0;
        for (size_t s = 0; s < k.size(); ++s) {
          double score = 0;
          for (size_t d = h * size; d < (h + 1) * size; ++d) score += q[t][d] * k[s][d];
          weights[s] = std::exp(score / std::sqrt(static_cast<double>(size)));
          total += weights[s];
        }
        for (size_t s = 0; s < k.size(); ++s)
          for (size_t d = h * size; d < (h + 1) * size; ++d)
            attended[t][d] += weights[s] / total * v[s][d];
      }
    return attended;
  }

  ModelConfig config_;
  std::map<std::string, Rows> tensors_;
};

}  // namespace textcrs
