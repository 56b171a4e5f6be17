// A tiny masked language model on disk.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "model/tiny_masked_lm.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/masked_lm_network.h"

namespace textcrs {

// Two sequences, three places.
inline const MaskedRows kRows = {.pieces = {2, 57, 58, 4, 3, 2, 60, 4, 4, 61, 3},
                                 .starts = {0, 5, 11},
                                 .longest = 6,
                                 .places = {3, 7, 9}};

class MaskedLmFolder : public testing::Test {
 protected:
  Weights head() const { return masked_lm_head(tiny_); }
  // With the tensors of `more` beside the encoder's, and without those named in `without`.
  std::filesystem::path write(const std::string& prefix, const Weights& more,
                              const std::set<std::string>& without = {}) const {
    const std::filesystem::path folder = folder_.path() / "bert";
    write_masked_lm(tiny_, folder, prefix, more, without);
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
