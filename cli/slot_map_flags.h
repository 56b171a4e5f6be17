// The flags of `train` that change what the network reads under the insertion noise.
#pragma once

#include "cli11.h"
#include "textcrs/model/model_config.h"
#include "textcrs/train/trainer.h"

namespace textcrs::cli {

void add_slot_map_flags(CLI::App& command, ModelConfig& model, TrainOptions& options);

// A usage Error where they do not go with the other flags.
void check_slot_map_flags(const ModelConfig& model, const TrainOptions& options);

}  // namespace textcrs::cli
