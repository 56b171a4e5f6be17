// Running a frozen model on many noisy copies of texts: what certification spends its time on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/lanes.h"
#include "textcrs/kernels/isa.h"
#include "textcrs/model/classifier.h"
#include "textcrs/model/copy_batch.h"
#include "textcrs/noise/noise.h"

namespace TEXTCRS_API textcrs {

// The samples [begin, end) of one text. Sample s is the copy drawn from Stream(seed, example, s),
// its words from one lane and its Gaussian from another.
struct SampleRange {
  uint64_t seed = 0;
  uint32_t example = 0;
  uint32_t begin = 0, end = 0;
  uint32_t words_lane = lane::kWords, gaussian_lane = lane::kGaussian;
};

struct TextSamples {
  Text text;
  SampleRange range;
};

// Const and thread-safe.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;

  // The base classifier's votes over the samples of each text, one count per class. Depends on
  // (seed, example, sample) alone: the same for any number of threads and any batch size. (The
  // reference engine on a GPU: for the same batch size and the same texts.)
  virtual std::vector<std::vector<int64_t>> votes(std::span<const TextSamples> texts,
                                                  const Noise& noise) const = 0;
  // Whether the last bits of a score depend on the copies beside it, so that a copy whose best two
  // classes are within rounding of each other may vote otherwise in another batch.
  virtual bool votes_depend_on_batch() const = 0;
  std::vector<int64_t> votes(Text text, const Noise& noise, const SampleRange& range) const {
    const TextSamples one{text, range};
    return votes(std::span(&one, 1), noise)[0];
  }

  // The scores of each copy, row-major (copies, classes). In the reference engine their last bits
  // depend on the batch.
  virtual std::vector<double> scores(const CopyBatch& batch) const = 0;

  // The class of the highest score of each copy, ties to the lowest index. It depends on the copy,
  // and its Gaussian, alone, not on the other copies (exact certification, docs/certificates.md,
  // B9, needs it).
  virtual std::vector<int> classify(const CopyBatch& batch) const = 0;

  // Copies that take seconds: whoever can be interrupted asks for so many at a time. A multiple of
  // kSampleTile.
  virtual uint64_t part_size() const = 0;

  // Texts to ask about at a time, each by a thread of its own, so that the device is kept busy. The
  // cpu and the reference engine use their threads for the copies of one text.
  virtual int texts_at_once() const { return 1; }
  // The same where each text is only so many copies, which may leave threads without any.
  virtual int texts_at_once_of(uint64_t /*copies*/) const { return texts_at_once(); }
};

struct EngineOptions {
  int threads = 0;     // 0: all cores
  int batch_size = 0;  // copies per forward pass; 0: what suits the device
  // Of the cpu engine. The precision is part of the classifier that is certified; the ISA may
  // change the last bits of a sum.
  Precision precision = Precision::kBf16;
  std::string isa = "auto";  // textcrs/kernels/isa.h
};

// The cpu engine: own kernels, tens of times faster than the reference on the CPU. A copy's scores
// depend on the copy alone. The classifier must outlive it. A usage Error for an ISA that is not
// there or does not know the precision. (The reference engine: textcrs/torch/backend.h.)
std::unique_ptr<Engine> make_cpu_engine(const Classifier& classifier,
                                        const EngineOptions& options = {});

}  // namespace textcrs
