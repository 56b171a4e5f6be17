// Running a frozen model on many noisy copies of one text: what certification spends its time on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/kernels/isa.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

// The samples [begin, end) of one text. Sample s is the copy drawn from Stream(seed, example, s).
struct SampleRange {
  uint64_t seed = 0;
  uint32_t example = 0;
  uint32_t begin = 0, end = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;

  // The base classifier's votes over the samples, one count a class. Depends on (seed, example,
  // sample) alone: the same for any number of threads and any batch size.
  virtual std::vector<int64_t> votes(std::span<const WordId> text, const Noise& noise,
                                     const SampleRange& range) const = 0;

  // The class of each copy. It depends on the copy, and its Gaussian, alone, not on the other
  // copies (exact certification, docs/certificates.md, B9, needs it).
  virtual std::vector<int> classify(const CopyBatch& batch) const = 0;
};

struct EngineOptions {
  int threads = 0;     // 0: all cores
  int batch_size = 0;  // copies a forward pass; 0: what suits the device
  // Of the cpu engine. The precision is part of the classifier that is certified; the ISA may
  // change the last bits of a sum.
  Precision precision = Precision::kBf16;
  std::string isa = "auto";  // textcrs/kernels/isa.h
};

// The cpu engine: own kernels, no LibTorch in the loop, tens of times faster than the reference on
// the CPU. A copy's class depends on the copy alone. The classifier must be on the CPU and outlive
// it. A usage Error for an ISA that is not there or does not know the precision.
std::unique_ptr<Engine> make_cpu_engine(const Classifier& classifier,
                                        const EngineOptions& options = {});

// The reference engine: LibTorch, on the device the classifier was loaded to. The classifier must
// outlive it.
std::unique_ptr<Engine> make_reference_engine(const Classifier& classifier,
                                              const EngineOptions& options = {});

}  // namespace textcrs
