// The map that every slot's noisy vector goes through before the network (docs/certificates.md,
// B5): the Gaussian's mean is added (ModelConfig::noise_mean), then an encoder-decoder of two
// layers reconstructs the clean vector (ModelConfig::reconstruction):
//
//   u = vector + noise + mean,   the network reads   W2 relu(W1 u + b1) + b2.
//
// It does not know the slot, nor the other slots or copies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/model/model_config.h"
#include "textcrs/model/weights.h"

namespace textcrs {

constexpr const char* kNoiseMean = "noise.mean";                // (D), not trained
constexpr const char* kEncoderWeight = "reconstruct.0.weight";  // W1 (H, D)
constexpr const char* kEncoderBias = "reconstruct.0.bias";      // b1 (H)
constexpr const char* kDecoderWeight = "reconstruct.1.weight";  // W2 (D, H)
constexpr const char* kDecoderBias = "reconstruct.1.bias";      // b2 (D)

// The tensors of the model's map; none if it has no map.
void add_slot_map(const ModelConfig& config, std::vector<TensorSpec>& list);

bool is_of_slot_map(std::string_view tensor);

// Why a model can not have the map that the config asks for; nothing if it can.
std::optional<std::string> slot_map_complaint(const ModelConfig& config);

// Fills the fresh tensors of the map in. The mean is that of the embedding's rows from `first_row`
// on. With H >= D the encoder-decoder begins as the identity (with H < 2D, of numbers above -1);
// with fewer units it stays as fresh_tensor() made it.
void begin_slot_map(const ModelConfig& config, const FloatTensor& embedding, int64_t first_row,
                    Weights& weights);

}  // namespace textcrs
