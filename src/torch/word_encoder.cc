#include "torch/word_encoder.h"

#include <algorithm>
#include <map>

namespace textcrs {
namespace {

constexpr double kFreshBound = 0.05;  // of the weights, beside the identity

// A box for every word of the vocabulary: (V, D) each.
std::pair<FloatTensor, FloatTensor> boxes_of(const Classifier& classifier) {
  const FloatTensor& vectors = classifier.weights().at(classifier.config().kind().embedding);
  const auto dimension = static_cast<size_t>(classifier.config().dimension);
  FloatTensor low = vectors, high = vectors;
  for (WordId word = 0; word < classifier.vocabulary().size(); ++word)
    for (const WordId candidate : classifier.synonyms().of(word))
      for (size_t d = 0; d < dimension; ++d) {
        const size_t at = static_cast<size_t>(word) * dimension + d;
        const float value = vectors.values[static_cast<size_t>(candidate) * dimension + d];
        low.values[at] = std::min(low.values[at], value);
        high.values[at] = std::max(high.values[at], value);
      }
  return {std::move(low), std::move(high)};
}

}  // namespace

WordEncoder::WordEncoder(const Classifier& classifier, int hidden, uint64_t seed,
                         const at::Device& device)
    : vectors_(
          to_tensor(classifier.weights().at(classifier.config().kind().embedding)).to(device)) {
  const auto [low, high] = boxes_of(classifier);
  low_ = to_tensor(low).to(device);
  high_ = to_tensor(high).to(device);
  const int64_t dimension = vectors_.size(1), units = hidden > 0 ? hidden : 2 * dimension;
  const auto fresh = [&](const char* name, std::vector<int64_t> shape) {
    return to_tensor(
        fresh_tensor({.name = name, .shape = std::move(shape), .bound = kFreshBound}, seed));
  };
  at::Tensor in = fresh("encoder.0.weight", {units, dimension});
  at::Tensor out = fresh("encoder.2.weight", {dimension, units});
  // relu(x) - relu(-x) = x: a coordinate takes two units, as long as there are any.
  for (int64_t d = 0; d < std::min(dimension, units / 2); ++d) {
    in[2 * d][d] += 1;
    in[2 * d + 1][d] -= 1;
    out[d][2 * d] += 1;
    out[d][2 * d + 1] -= 1;
  }
  parameters_ = {{"encoder.0.weight", in},
                 {"encoder.0.bias", at::zeros({units})},
                 {"encoder.2.weight", out},
                 {"encoder.2.bias", at::zeros({dimension})}};
  for (auto& [name, tensor] : parameters_)
    tensor = tensor.to(device).detach().set_requires_grad(true);
}

at::Tensor WordEncoder::table() const {
  const at::Tensor inner = at::relu(
      at::linear(vectors_, parameters_.at("encoder.0.weight"), parameters_.at("encoder.0.bias")));
  const at::Tensor all =
      at::linear(inner, parameters_.at("encoder.2.weight"), parameters_.at("encoder.2.bias"));
  return at::cat({at::zeros_like(all.narrow(0, kPad, 1)), all.narrow(0, 1, all.size(0) - 1)}, 0);
}

at::Tensor WordEncoder::widths(const CopyView& copies, int slots) const {
  std::map<int64_t, float> shares;  // of each word in all means
  for (const auto& copy : copies.copies) {
    const size_t seen = std::min(copy.size(), static_cast<size_t>(slots));
    for (size_t s = 0; s < seen; ++s) shares[copy[s]] += 1 / static_cast<float>(seen);
  }
  std::vector<int64_t> words;
  std::vector<float> weights;
  for (const auto& [word, share] : shares) {
    words.push_back(word);
    weights.push_back(share);
  }
  const at::Device device = vectors_.device();
  const at::Tensor rows = at::tensor(words, at::kLong).to(device);
  const at::Tensor low = low_.index_select(0, rows), high = high_.index_select(0, rows);
  const at::Tensor& in = parameters_.at("encoder.0.weight");
  const at::Tensor centre =
      at::linear((low + high) / 2, in, parameters_.at("encoder.0.bias"));  // (words, units)
  const at::Tensor spread = at::linear((high - low) / 2, in.abs());
  const at::Tensor width = at::relu(centre + spread) - at::relu(centre - spread);
  const at::Tensor of_words = at::linear(width, parameters_.at("encoder.2.weight").abs());
  // The root of 0 has no gradient; words without candidates have no width.
  const at::Tensor lengths = (of_words.square().sum(1) + 1e-12).sqrt();
  return (lengths * at::tensor(weights).to(device)).sum();
}

}  // namespace textcrs
