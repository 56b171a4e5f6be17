#include "textcrs/certified/choose_engine.h"

#include "textcrs/base/error.h"
#include "textcrs/torch/backend.h"

namespace textcrs {

ChosenEngine choose_engine(const Classifier& classifier, EngineChoice choice,
                           const std::string& device, std::optional<Precision> precision,
                           const EngineOptions& options) {
  const ModelConfig& config = classifier.config();
  if (choice == EngineChoice::kCpu && device != "cpu")
    throw usage_error("the cpu engine runs on the CPU, not on device " + device);
  if (choice == EngineChoice::kReference || device != "cpu") {
    if (precision || options.isa != "auto")
      throw usage_error("a precision and an ISA can be chosen for the cpu engine only");
    const bool rounds = device != "cpu" && config.kind().reads_pieces;
    return {torch_backend().reference_engine(classifier, device, options),
            rounds ? config.precision : Precision::kFp32};
  }
  EngineOptions own = options;
  own.precision = precision.value_or(config.precision);
  return {make_cpu_engine(classifier, own), own.precision};
}

}  // namespace textcrs
