// The door to kernels of the project's own on an NVIDIA GPU. They lie in a library of their own,
// libtextcrs_cuda, that is built where CUDA's compiler is and loaded when it is first asked for; it
// needs CUDA's driver and, for a BERT, cuBLAS.
#pragma once

#include <memory>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

class CudaBackend {
 public:
  virtual ~CudaBackend() = default;

  // Whether it has kernels for the model's architecture, shape and precision on the current card
  // (compute capability 8.0 or more) and, for a BERT, cuBLAS can be loaded. A BERT's width and
  // inner width are multiples of 8, the width at most 1024, a head at most 64; a BiLSTM has at most
  // 768 units; its vectors, and those of a CNN, have at most 768 dimensions.
  virtual bool runs(const ModelConfig& config) const = 0;

  // The model on the current card. Noisy copies are drawn there, the same as on the CPU, bit by
  // bit; a copy's scores depend on the copy alone, for any batch and any number of texts. The
  // classifier must outlive the engine. A usage Error for a model that it does not run and
  // where there is no card, a failed Error without cuBLAS for a BERT, or with too little memory; so
  // for the engine's calls. Of the options, batch_size is the most copies that go through the model
  // together.
  virtual std::unique_ptr<Engine> engine(const Classifier& classifier,
                                         const EngineOptions& options = {}) const = 0;
};

// Loads the library; a failed Error that names it if it is not there. Thread-safe.
const CudaBackend& cuda_backend();
// Null instead of the error.
const CudaBackend* find_cuda_backend();

}  // namespace textcrs
