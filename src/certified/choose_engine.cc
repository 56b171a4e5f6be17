#include "textcrs/certified/choose_engine.h"

#include "textcrs/base/error.h"
#include "textcrs/engine/cuda_backend.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

void check_device(EngineChoice choice, const std::string& device) {
  if (choice == EngineChoice::kCpu && device != "cpu")
    throw usage_error("the cpu engine runs on the CPU, not on device " + device);
  if (choice == EngineChoice::kCuda && device != "cuda")
    throw usage_error("the cuda engine runs on a GPU, not on device " + device);
}

// Null for the reference engine.
const CudaBackend* own_kernels(const ModelConfig& config, EngineChoice choice,
                               const std::string& device) {
  if (choice == EngineChoice::kCuda) return &cuda_backend();
  if (choice != EngineChoice::kAuto || device != "cuda") return nullptr;
  const CudaBackend* const found = find_cuda_backend();
  return found != nullptr && found->runs(config) ? found : nullptr;
}

}  // namespace

ChosenEngine choose_engine(const Classifier& classifier, EngineChoice choice,
                           const std::string& device, std::optional<Precision> precision,
                           const EngineOptions& options) {
  const ModelConfig& config = classifier.config();
  check_device(choice, device);
  if (choice != EngineChoice::kReference && device == "cpu") {
    EngineOptions own = options;
    own.precision = precision.value_or(config.precision);
    return {make_cpu_engine(classifier, own), own.precision};
  }
  if (precision || options.isa != "auto")
    throw usage_error("a precision and an ISA can be chosen for the cpu engine only");
  if (const CudaBackend* const own = own_kernels(config, choice, device))
    return {own->engine(classifier, options), Precision::kBf16};
  const bool rounds = device != "cpu" && config.kind().reads_pieces;
  return {torch_backend().reference_engine(classifier, device, options),
          rounds ? config.precision : Precision::kFp32};
}

}  // namespace textcrs
