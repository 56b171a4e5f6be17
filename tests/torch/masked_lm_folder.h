// A tiny masked language model on disk.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/masked_lm_network.h"

namespace textcrs {

inline const std::string kDense = "cls.predictions.transform.dense";
inline const std::string kNorm = "cls.predictions.transform.LayerNorm";
inline const std::string kBias = "cls.predictions.bias";
inline const std::string kDecoder = "cls.predictions.decoder.weight";

// Two sequences, three places.
inline const MaskedRows kRows = {.pieces = {2, 57, 58, 4, 3, 2, 60, 4, 4, 61, 3},
                                 .starts = {0, 5, 11},
                                 .longest = 6,
                                 .places = {3, 7, 9}};

class MaskedLmFolder : public testing::Test {
 protected:
  Weights head() const {
    const int64_t width = tiny_.width, pieces = static_cast<int64_t>(tiny_.pieces.size());
    Weights all;
    for (const auto& [name, shape] :
         std::map<std::string, std::vector<int64_t>>{{kDense + ".weight", {width, width}},
                                                     {kDense + ".bias", {width}},
                                                     {kNorm + ".weight", {width}},
                                                     {kNorm + ".bias", {width}},
                                                     {kBias, {pieces}}})
      all[name] = fresh_tensor({.name = name, .shape = shape, .bound = name == kBias ? 1 : 0.5}, 9);
    for (float& x : all[kNorm + ".weight"].values) x += 1;
    return all;
  }
  // With the tensors of `more` beside the encoder's, and without those named in `without`.
  std::filesystem::path write(const std::string& prefix, const Weights& more,
                              const std::set<std::string>& without = {}) const {
    const std::filesystem::path folder = folder_.path() / "bert";
    tiny_.write(folder);
    Weights all = more;
    for (const auto& [name, tensor] : tiny_.tensors()) all[prefix + name] = tensor;
    for (const std::string& name : without) all.erase(name);
    save_weights(folder / "model.safetensors", all);
    return folder;
  }
  static std::unique_ptr<MaskedLm> load(const std::filesystem::path& folder, uint64_t seed = 1) {
    return torch_backend().masked_lm(folder, "cpu", seed);
  }
  static std::unique_ptr<MaskedLmNetwork> network(const std::filesystem::path& folder,
                                                  uint64_t seed = 1) {
    return std::make_unique<MaskedLmNetwork>(folder, PretrainedBert(folder, seed), at::kCPU);
  }
  static at::Tensor scores(const MaskedLmNetwork& network, const MaskedRows& rows = kRows) {
    const at::NoGradGuard no_grad;
    return network.scores(rows, nullptr);
  }
  static at::Tensor scores_of(const std::filesystem::path& folder, uint64_t seed = 1) {
    return scores(*network(folder, seed));
  }
  static void assign(const MaskedLmNetwork& network, const std::string& name,
                     const at::Tensor& values) {
    const at::NoGradGuard no_grad;
    at::Tensor parameter = network.parameters().at(name);
    parameter.copy_(values);
  }
  static Weights saved(const std::filesystem::path& folder) {
    return load_weights(folder / "model.safetensors");
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
};

}  // namespace textcrs
