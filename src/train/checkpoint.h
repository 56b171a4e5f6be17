// The state of a training run between two steps, on disk.
//
// A folder: state.json (where the run stands, and the options it belongs to) and state.safetensors
// (parameters "p.NAME", moments "m.NAME" and "v.NAME", the best epoch's parameters "best.NAME").
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace textcrs {

struct Checkpoint {
  std::string run;  // the options that decide the weights; a checkpoint of another run is refused
  int epoch = 0;    // counted from 0, the one to go on with
  int batch = 0;    // the next batch of it
  int64_t steps = 0;
  double loss_sum = 0;  // of the epoch so far
  double best_accuracy = -1;
  int best_epoch = 0;
  std::map<std::string, at::Tensor> tensors;

  void save(const std::filesystem::path& folder) const;  // atomically
  static Checkpoint load(const std::filesystem::path& folder, const std::string& run);

  // A bad_input Error naming `folder` unless this stands inside a run of so many epochs of so many
  // batches and has for every parameter a tensor of its shape of each kind ("p.", "m.", ...).
  void check(const std::filesystem::path& folder, int epochs, int batches,
             const std::map<std::string, at::Tensor>& parameters,
             const std::vector<std::string>& kinds) const;
};

// An Error of kind kInterrupted that says where the state was saved; an empty folder: nowhere.
[[noreturn]] void throw_interrupted(const std::filesystem::path& folder);

}  // namespace textcrs
