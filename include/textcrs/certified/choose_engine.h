// Which engine runs a model.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

enum class EngineChoice {
  kAuto,       // kCpu on the CPU, kReference elsewhere
  kCpu,        // the project's own kernels
  kReference,  // LibTorch
};

struct ChosenEngine {
  std::unique_ptr<Engine> engine;
  Precision precision;  // what it computes in
};

// Without a precision the cpu engine computes in the model's; options.precision is not read. The
// classifier must outlive the engine. A usage Error for the cpu engine on another device, for a
// precision or an ISA asked of the reference engine, and as the engines themselves throw.
ChosenEngine choose_engine(const Classifier& classifier, EngineChoice choice,
                           const std::string& device, std::optional<Precision> precision,
                           const EngineOptions& options);

}  // namespace textcrs
