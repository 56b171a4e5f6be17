#include "model/slot_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace textcrs {
namespace {

constexpr int kMostUnits = 10000;
constexpr float kShift = 1;  // of numbers that are to pass one ReLU

FloatTensor mean_of_rows(const FloatTensor& table, int64_t first_row) {
  const int64_t rows = table.shape[0], width = table.shape[1];
  std::vector<double> sums(static_cast<size_t>(width));
  for (int64_t row = first_row; row < rows; ++row)
    for (int64_t d = 0; d < width; ++d)
      sums[static_cast<size_t>(d)] += double{table.values[static_cast<size_t>(row * width + d)]};
  FloatTensor mean{{width}, std::vector<float>(sums.size())};
  const auto count = static_cast<double>(std::max<int64_t>(rows - first_row, 1));
  for (size_t d = 0; d < sums.size(); ++d) mean.values[d] = static_cast<float>(sums[d] / count);
  return mean;
}

// Units that come in pairs, u = relu(u) - relu(-u), or one per number, u = relu(u + 1) - 1. The
// decoder reads nothing of the units beyond them, which are as they are.
void make_identity(size_t dimension, size_t units, Weights& weights) {
  std::vector<float>& encoder = weights.at(kEncoderWeight).values;
  std::vector<float>& decoder = weights.at(kDecoderWeight).values;
  const bool pairs = units >= 2 * dimension;
  const size_t used = pairs ? 2 * dimension : dimension;
  std::fill_n(encoder.begin(), used * dimension, 0.0f);
  std::fill(decoder.begin(), decoder.end(), 0.0f);
  for (size_t unit = 0; unit < used; ++unit) {
    const size_t d = unit % dimension;
    const float sign = unit < dimension ? 1.0f : -1.0f;
    encoder[unit * dimension + d] = sign;
    decoder[d * units + unit] = sign;
  }
  if (pairs) return;
  std::fill_n(weights.at(kEncoderBias).values.begin(), used, kShift);
  std::fill(weights.at(kDecoderBias).values.begin(), weights.at(kDecoderBias).values.end(),
            -kShift);
}

}  // namespace

void add_slot_map(const ModelConfig& config, std::vector<TensorSpec>& list) {
  const int64_t dimension = config.dimension, units = config.reconstruction;
  if (config.noise_mean)
    list.push_back({.name = kNoiseMean, .shape = {dimension}, .is_trained = false});
  if (units == 0) return;
  // Bounds that keep the size of the numbers, through a ReLU and behind it.
  list.push_back({.name = kEncoderWeight,
                  .shape = {units, dimension},
                  .bound = std::sqrt(6 / static_cast<double>(dimension))});
  list.push_back({.name = kEncoderBias, .shape = {units}});
  list.push_back({.name = kDecoderWeight,
                  .shape = {dimension, units},
                  .bound = std::sqrt(3 / static_cast<double>(units))});
  list.push_back({.name = kDecoderBias, .shape = {dimension}});
}

bool is_of_slot_map(std::string_view tensor) {
  return tensor == kNoiseMean || tensor.starts_with("reconstruct.");
}

std::optional<std::string> slot_map_complaint(const ModelConfig& config) {
  if (!config.maps_slots()) return std::nullopt;
  if (config.units != Units::kWords)
    return fmt::format(
        "noise_mean or reconstruction is given, expected none: {} vote without noise",
        to_string(config.units));
  if (config.kind().casts_votes)
    return fmt::format(
        "noise_mean or reconstruction is given, expected none: a {} model has no "
        "vectors",
        config.architecture);
  if (config.kind().reads_pieces && config.reconstruction > 0)
    return fmt::format("reconstruction is {}, expected 0: a {} has no encoder-decoder",
                       config.reconstruction, config.architecture);
  if (config.kind().reads_pieces && !config.pool_all_slots)
    return "noise_mean is true, expected pool_all_slots with it";
  if (config.reconstruction > kMostUnits)
    return fmt::format("reconstruction is {}, expected 0 to {}", config.reconstruction, kMostUnits);
  return std::nullopt;
}

void begin_slot_map(const ModelConfig& config, const FloatTensor& embedding, int64_t first_row,
                    Weights& weights) {
  if (config.noise_mean) weights[kNoiseMean] = mean_of_rows(embedding, first_row);
  const auto dimension = static_cast<size_t>(config.dimension);
  const auto units = static_cast<size_t>(config.reconstruction);
  if (units >= dimension) make_identity(dimension, units, weights);
}

}  // namespace textcrs
