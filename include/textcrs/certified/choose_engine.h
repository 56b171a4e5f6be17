// Which engine runs a model.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

enum class EngineChoice {
  kAuto,       // the project's own kernels if there are any for the model and device, else LibTorch
  kCpu,        // the project's own kernels on the CPU
  kCuda,       // the project's own kernels on a GPU
  kReference,  // LibTorch
};

struct ChosenEngine {
  std::unique_ptr<Engine> engine;
  Precision precision;  // what it computes in
};

// Without a precision the cpu engine computes in the model's; options.precision is not read. The
// classifier must outlive the engine. A usage Error for an engine on the other device, for a
// precision or an ISA asked of another than the cpu engine, and as the engines themselves throw.
ChosenEngine choose_engine(const Classifier& classifier, EngineChoice choice,
                           const std::string& device, std::optional<Precision> precision,
                           const EngineOptions& options);

}  // namespace textcrs
