// Small models with a map of the slots, and what the map does by its definition.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/slot_map.h"
#include "model/small_model.h"

namespace textcrs {

inline ModelConfig with_map(const std::string& architecture, bool noise_mean, int reconstruction) {
  ModelConfig config = small_config(architecture);
  config.noise = "insert:sigma=0.5";
  config.pool_all_slots = true;
  config.noise_mean = noise_mean;
  config.reconstruction = reconstruction;
  return config;
}

// W2 relu(W1 u + b1) + b2.
inline std::vector<double> reconstructed(const Weights& weights, const std::vector<double>& u) {
  const auto layer = [&](const char* weight, const char* bias, const std::vector<double>& in) {
    const std::vector<float>&w = weights.at(weight).values, &b = weights.at(bias).values;
    std::vector<double> out(b.begin(), b.end());
    for (size_t i = 0; i < w.size(); ++i) out[i / in.size()] += double{w[i]} * in[i % in.size()];
    return out;
  };
  std::vector<double> hidden = layer(kEncoderWeight, kEncoderBias, u);
  for (double& x : hidden) x = std::max(x, 0.0);
  return layer(kDecoderWeight, kDecoderBias, hidden);
}

// The mean is added first; each of the two as far as the weights have it.
inline std::vector<double> map_of(const Weights& weights, std::vector<double> z) {
  if (weights.contains(kNoiseMean))
    for (size_t d = 0; d < z.size(); ++d) z[d] += double{weights.at(kNoiseMean).values[d]};
  return weights.contains(kEncoderWeight) ? reconstructed(weights, z) : z;
}

}  // namespace textcrs
