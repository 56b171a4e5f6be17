// The state of a training run between two steps, on disk.
//
// A folder: state.json (where the run stands, what its epochs gave, and the options it belongs to)
// and state.safetensors (parameters "p.NAME", moments "m.NAME" and "v.NAME", the kept epoch's
// parameters "kept.NAME", and where it is kept the average over the steps "average.NAME").
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/model/weights.h"
#include "train/epoch_choice.h"

namespace textcrs {

// When the state of a run is next saved within an epoch.
class SaveClock {
 public:
  explicit SaveClock(double seconds) : seconds_(seconds) {}
  bool is_due() const { return seconds_since_save() >= seconds_; }
  void saved() { last_ = std::chrono::steady_clock::now(); }

 private:
  double seconds_since_save() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count();
  }

  double seconds_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Checkpoint {
  std::string run;  // the options that decide the weights; a checkpoint of another run is refused
  int epoch = 0;    // counted from 0, the one to go on with
  int batch = 0;    // the next batch of it
  int64_t steps = 0;
  double loss_sum = 0;  // of the epoch so far
  double seconds = 0;   // spent on the run so far
  struct Epoch {
    int number = 0;   // counted from 1
    double loss = 0;  // the mean of its batches
    std::optional<double> accuracy, validation_loss;
  };
  std::vector<Epoch> done;
  EpochChoice choice;  // among the epochs that are done
  Weights tensors;

  // Atomically. Other files of the folder stay.
  void save(const std::filesystem::path& folder) const;
  static Checkpoint load(const std::filesystem::path& folder, const std::string& run);

  // The tensors of one kind ("p."), without it in their names.
  Weights of_kind(const std::string& kind) const;
  void add_kind(const std::string& kind, const Weights& weights);

  // The next epoch begins; this is what the one so far gave.
  void finish_epoch(std::optional<double> accuracy, std::optional<double> validation_loss = {});

  // A bad_input Error naming `folder` unless this stands inside a run of so many epochs of so many
  // batches and has for every parameter a tensor of its shape of each kind ("p.", "m.", ...).
  void check(const std::filesystem::path& folder, int epochs, int batches,
             const Weights& parameters, const std::vector<std::string>& kinds) const;
};

// A failed Error that says where the run stands if the loss is not finite.
void check_loss(double loss, const Checkpoint& state);

// An Error of kind kInterrupted that says where the state was saved; an empty folder: nowhere.
[[noreturn]] void throw_interrupted(const std::filesystem::path& folder);

}  // namespace textcrs
