// The door to LibTorch, which is needed for training, for the reference engine and for a GPU, and
// for nothing else. It lies in a library of its own, libtextcrs_torch, that is loaded when it is
// first asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"
#include "textcrs/torch/learner.h"
#include "textcrs/torch/masked_lm.h"

namespace TEXTCRS_API textcrs {

// Devices are "cpu" or "cuda"; a usage Error for anything else and for cuda where there is none.
class TorchBackend {
 public:
  virtual ~TorchBackend() = default;

  // The model in LibTorch. The classifier must outlive the engine. precision and isa are not read.
  virtual std::unique_ptr<Engine> reference_engine(const Classifier& classifier,
                                                   const std::string& device,
                                                   const EngineOptions& options = {}) const = 0;

  // The model with gradients, which begins with the classifier's weights. The classifier must
  // outlive it.
  virtual std::unique_ptr<ClassifierLearner> learner(const Classifier& classifier,
                                                     const LearnerOptions& options) const = 0;

  // A folder as Hugging Face's library writes it (config.json, *.safetensors, tokenizer.json or
  // vocab.txt). An encoder alone gets a fresh head, by `seed`. Anything that does not fit together,
  // a head in parts or one with weights of its own is a bad_input Error.
  virtual std::unique_ptr<MaskedLm> masked_lm(const std::filesystem::path& folder,
                                              const std::string& device,
                                              uint64_t seed = 1) const = 0;
};

// Loads the library; a failed Error that names it and says what it is for if it is not there.
// Thread-safe, but the first call sets OPENBLAS_CORETYPE where OpenBLAS would choose slow kernels
// (src/torch/fast_blas.h): no other thread may be reading the environment then. A program with
// threads calls it before they start, or sets the variable itself.
const TorchBackend& torch_backend();

}  // namespace textcrs
