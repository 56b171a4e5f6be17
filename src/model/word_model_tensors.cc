// The models of words: bilstm, cnn, votes.
#include <cmath>

#include "kernels/cnn.h"
#include "model/slot_map.h"
#include "model/tensors.h"
#include "model/vote_windows.h"

namespace textcrs {

void add_head(const ModelConfig& config, int64_t features, std::vector<TensorSpec>& list) {
  const auto classes = static_cast<int64_t>(config.classes.size());
  list.push_back({.name = "head.weight",
                  .shape = {classes, features},
                  .bound = 1 / std::sqrt(static_cast<double>(features))});
  list.push_back({.name = "head.bias", .shape = {classes}});
}

std::vector<TensorSpec> bilstm_tensors(const ModelConfig& config) {
  const int64_t units = config.hidden, gates = 4 * units;
  const double bound = 1 / std::sqrt(static_cast<double>(units));
  std::vector<TensorSpec> list;
  for (const char* suffix : {"", "_reverse"}) {
    const auto name = [&](const char* part) { return std::string("lstm.") + part + suffix; };
    list.push_back(
        {.name = name("weight_ih_l0"), .shape = {gates, config.dimension}, .bound = bound});
    list.push_back({.name = name("weight_hh_l0"), .shape = {gates, units}, .bound = bound});
    // Remember by default: the forget gates start at sigmoid(1).
    list.push_back(
        {.name = name("bias_ih_l0"), .shape = {gates}, .ones_from = units, .ones_to = 2 * units});
    list.push_back({.name = name("bias_hh_l0"), .shape = {gates}});
  }
  add_slot_map(config, list);
  add_head(config, 2 * units, list);
  return list;
}

std::vector<TensorSpec> cnn_tensors(const ModelConfig& config) {
  std::vector<TensorSpec> list;
  for (const int width : kCnnWidths) {
    const double bound = 1 / std::sqrt(static_cast<double>(width * config.dimension));
    const std::string name = "conv" + std::to_string(width);
    list.push_back({.name = name + ".weight",
                    .shape = {config.hidden, config.dimension, width},
                    .bound = bound});
    list.push_back({.name = name + ".bias", .shape = {config.hidden}, .bound = bound});
  }
  add_slot_map(config, list);
  add_head(config, static_cast<int64_t>(kCnnWidths.size()) * config.hidden, list);
  return list;
}

std::vector<TensorSpec> vote_tensors(const ModelConfig& config) {
  const auto classes = static_cast<int64_t>(config.classes.size());
  std::vector<TensorSpec> list = {{.name = kVoteBias, .shape = {classes}}};
  for (int width = 2; width <= config.votes.windows; ++width)
    list.push_back({.name = window_scores(width), .shape = {config.votes.window_rows, classes}});
  return list;
}

}  // namespace textcrs
