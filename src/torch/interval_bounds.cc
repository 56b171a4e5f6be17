#include "torch/interval_bounds.h"

#include <stdexcept>

namespace textcrs {

FeatureBounds feature_bounds(const Network& network, const SynonymTable& synonyms,
                             const CopyView& copies, double scale) {
  const std::string& architecture = network.config().architecture;
  if (architecture == "cnn") return cnn_bounds(network, synonyms, copies, scale);
  if (architecture == "bilstm") return bilstm_bounds(network, synonyms, copies, scale);
  throw std::logic_error("feature_bounds: a " + architecture + " has none");
}

// The lead is one linear form of the features: what both classes gain from one cancels.
at::Tensor worst_logits(const Network& network, const FeatureBounds& bounds,
                        const at::Tensor& labels, const TrainingStep* training) {
  const at::Tensor& weight = network.parameters().at("head.weight");
  const at::Tensor& bias = network.parameters().at("head.bias");
  at::Tensor centre = (bounds.low + bounds.high) / 2, half_width = (bounds.high - bounds.low) / 2;
  if (training != nullptr && network.config().dropout > 0) {
    const at::Tensor mask =
        training->mask(centre.size(0), centre.size(1), network.config().dropout, 1)
            .to(centre.device());
    centre = centre * mask;
    half_width = half_width * mask;
  }
  const at::Tensor ahead = weight.unsqueeze(0) - weight.index_select(0, labels).unsqueeze(1);
  return (ahead * centre.unsqueeze(1) + ahead.abs() * half_width.unsqueeze(1)).sum(2) +
         bias.unsqueeze(0) - bias.index_select(0, labels).unsqueeze(1);
}

}  // namespace textcrs
