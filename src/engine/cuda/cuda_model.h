// A frozen network on a GPU: one class per architecture.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/rows.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// Copies on the card that go through a model together.
struct CudaBatch {
  GpuCopies copies;
  int longest = 0;                                     // no copy has more words
  double sigma = 0;                                    // of the Gaussian on every slot
  const GpuStreamKey* streams = nullptr;               // of the Gaussians, with sigma > 0
  const int32_t* text_of = nullptr;                    // the text that each copy was made of
  std::vector<std::span<const std::string>> own = {};  // the own words of each text
};

// Immutable but for the scratch memory of a call: one call at a time.
class CudaModel {
 public:
  virtual ~CudaModel() = default;

  // The scores (copies, classes) of each copy, cut to the model's slots, an empty one read as a
  // single PAD, into memory of the card. A copy's scores depend on the copy alone, bit by bit.
  virtual void score(const GpuQueue& queue, const CudaBatch& batch, double* scores) = 0;

  // Scratch memory that a copy takes.
  virtual size_t bytes_per_copy(int longest, bool noisy) const = 0;

  // Copies of a batch, which take a few seconds at most, and texts that are worked on at a time.
  virtual uint64_t most_copies() const { return 1 << 18; }
  virtual int texts_at_once() const { return 64; }

  // What else decides the last bits: "cublas 130101"; empty: nothing.
  virtual std::string library() const { return ""; }
};

// The classifier must outlive the model.
std::unique_ptr<CudaModel> make_cuda_bert(const Classifier& classifier, const GpuQueue& queue);
std::unique_ptr<CudaModel> make_cuda_bilstm(const Classifier& classifier, const GpuQueue& queue);
std::unique_ptr<CudaModel> make_cuda_cnn(const Classifier& classifier, const GpuQueue& queue);
std::unique_ptr<CudaModel> make_cuda_linear(const Classifier& classifier, const GpuQueue& queue);

// Whether there are kernels for models of this shape.
bool cuda_bert_runs(const ModelConfig& config);
bool cuda_bilstm_runs(const ModelConfig& config);
bool cuda_cnn_runs(const ModelConfig& config);

}  // namespace textcrs
