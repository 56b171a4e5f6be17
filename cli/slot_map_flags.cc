#include "slot_map_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::cli {

void add_slot_map_flags(CLI::App& command, ModelConfig& model, TrainOptions& options) {
  command.add_flag(
      "--noise-mean", model.noise_mean,
      "insert, gaussian: the Gaussian's mean is that of the word vectors (OGN of the paper)");
  command
      .add_option(
          "--reconstruct", model.reconstruction,
          "insert, gaussian: units of an encoder-decoder in front of the network, which learns to "
          "give the clean word vectors back (ESR of the paper); 0: none")
      ->check(CLI::Range(0, 10000));
  command
      .add_option("--reconstruction-weight", options.reconstruction_weight,
                  "--reconstruct: the weight of its mean squared error in the loss")
      ->check(CLI::NonNegativeNumber);
}

// A saved configuration names every flag: a weight of the default's value is none that was asked
// for.
void check_slot_map_flags(const ModelConfig& model, const TrainOptions& options) {
  if (options.reconstruction_weight != TrainOptions().reconstruction_weight &&
      model.reconstruction == 0)
    throw usage_error("--reconstruction-weight is for --reconstruct");
  if (!model.maps_slots()) return;
  if (model.reconstruction > 0 && model.kind().reads_pieces)
    throw usage_error("--reconstruct is for models of word vectors; a bert has --noise-mean");
  const char* const flag = model.noise_mean ? "--noise-mean" : "--reconstruct";
  if (model.kind().casts_votes)
    throw usage_error(
        fmt::format("{} is for models of word vectors; a {} has none", flag, model.architecture));
  if (model.noise.empty() || !Spec::parse(model.noise).has("sigma"))
    throw usage_error(
        fmt::format("{} is for a Gaussian on word vectors: found {}, expected --noise "
                    "insert:sigma=S or gaussian:sigma=S",
                    flag, model.noise.empty() ? "no noise" : model.noise));
}

}  // namespace textcrs::cli
