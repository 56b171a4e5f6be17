#include "engine/cuda/bert_layer.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/cpu_model.h"

namespace textcrs {
namespace {

using Values = std::vector<float>;

std::string prefix_of(int layer) { return "encoder.layer." + std::to_string(layer) + "."; }

// Blocks of `size` numbers, with zeros behind each.
Values pad_blocks(const Values& values, size_t size, size_t padded) {
  Values all(values.size() / size * padded);
  for (size_t block = 0; block < values.size() / size; ++block)
    std::copy_n(values.begin() + static_cast<ptrdiff_t>(block * size), size,
                all.begin() + static_cast<ptrdiff_t>(block * padded));
  return all;
}

class BertWeights {
 public:
  BertWeights(const Classifier& classifier, int layer, const GpuProducts& products,
              const GpuQueue& queue)
      : classifier_(classifier),
        prefix_(prefix_of(layer)),
        heads_(classifier.config()),
        products_(products),
        queue_(queue) {}

  GpuDense dense(const std::string& name, GpuDense::Output output) const {
    return {products_, queue_, values(name + ".weight"), values(name + ".bias"), output};
  }
  // Its inputs are heads.
  GpuDense dense_of_heads(const std::string& name) const {
    return {products_, queue_, pad_blocks(values(name + ".weight"), size(), padded()),
            values(name + ".bias"), GpuDense::Output::kBf16};
  }
  // Several whose outputs are heads, side by side.
  GpuDense heads(std::initializer_list<const char*> names) const {
    const auto inputs = static_cast<size_t>(classifier_.config().dimension);
    Values weight, bias;
    for (const char* const part : names) {
      const std::string name = std::string("attention.self.") + part;
      const Values w = pad_blocks(values(name + ".weight"), size() * inputs, padded() * inputs);
      const Values b = pad_blocks(values(name + ".bias"), size(), padded());
      weight.insert(weight.end(), w.begin(), w.end());
      bias.insert(bias.end(), b.begin(), b.end());
    }
    return {products_, queue_, weight, bias, GpuDense::Output::kBf16};
  }

 private:
  const Values& values(const std::string& name) const {
    return values_of(classifier_, prefix_ + name);
  }
  size_t size() const { return static_cast<size_t>(heads_.size); }
  size_t padded() const { return static_cast<size_t>(heads_.padded); }

  const Classifier& classifier_;
  std::string prefix_;
  BertHeads heads_;
  const GpuProducts& products_;
  const GpuQueue& queue_;
};

}  // namespace

BertHeads::BertHeads(const ModelConfig& config)
    : count(config.bert.heads),
      size(config.dimension / config.bert.heads),
      padded(size <= 32 ? 32 : 64) {}

CudaNorm::CudaNorm(const Classifier& classifier, const std::string& name, const GpuQueue& queue) {
  gain.upload(queue, values_of(classifier, name + ".weight"), "weights");
  shift.upload(queue, values_of(classifier, name + ".bias"), "weights");
}

CudaBertLayer::CudaBertLayer(const Classifier& classifier, int layer, const GpuProducts& products,
                             const GpuQueue& queue)
    : attended(
          BertWeights(classifier, layer, products, queue).dense_of_heads("attention.output.dense")),
      inner(BertWeights(classifier, layer, products, queue)
                .dense("intermediate.dense", GpuDense::Output::kGelu)),
      outer(BertWeights(classifier, layer, products, queue)
                .dense("output.dense", GpuDense::Output::kBf16)),
      after_attention(classifier, prefix_of(layer) + "attention.output.LayerNorm", queue),
      after_outer(classifier, prefix_of(layer) + "output.LayerNorm", queue) {
  const BertWeights weights(classifier, layer, products, queue);
  if (layer + 1 < classifier.config().bert.layers) {
    all.emplace(weights.heads({"query", "key", "value"}));
  } else {
    queries.emplace(weights.heads({"query"}));
    keys_values.emplace(weights.heads({"key", "value"}));
  }
}

}  // namespace textcrs
