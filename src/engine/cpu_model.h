// A frozen network on the CPU: one class per architecture.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "textcrs/kernels/isa.h"
#include "textcrs/model/classifier.h"
#include "textcrs/model/copy_batch.h"

namespace textcrs {

// Immutable but for the tables it fills as it goes; thread-safe.
class CpuModel {
 public:
  virtual ~CpuModel() = default;

  // The scores (copies, classes) of each copy, cut to the model's slots, an empty one read as a
  // single PAD. A copy's scores depend on the copy alone, not on its neighbours.
  virtual void score(const CopyView& copies, std::span<double> scores) const = 0;

  // Whether the order of a copy's words changes its scores.
  virtual bool reads_order() const { return true; }

  // Copies of a pool that are drawn and scored together. Few stay in the cache; many are for models
  // that sort them.
  virtual size_t copies_at_once() const { return 1024; }

  // Copies that take seconds on a few cores, a multiple of kSampleTile.
  virtual uint64_t part_size() const { return 8192; }
};

// The classifier must outlive the model.
std::unique_ptr<CpuModel> make_cpu_bilstm(const Classifier& classifier, Isa isa,
                                          Precision precision);
std::unique_ptr<CpuModel> make_cpu_cnn(const Classifier& classifier, Isa isa, Precision precision);
std::unique_ptr<CpuModel> make_cpu_bert(const Classifier& classifier, Isa isa, Precision precision);
std::unique_ptr<CpuModel> make_cpu_votes(const Classifier& classifier, Isa isa,
                                         Precision precision);

// std::logic_error unless there is a score for every copy and class and, with sigma, a Gaussian for
// every copy.
void check_scores(const CopyView& copies, size_t classes, std::span<const double> scores);

// The ISA for products that are not worth rounding.
inline Isa fp32_isa(Isa isa) {
  return isa == Isa::kAvx512Bf16 || isa == Isa::kAmx ? Isa::kAvx512 : isa;
}

// The values of a tensor of the classifier.
inline const std::vector<float>& values_of(const Classifier& classifier, std::string_view name) {
  return classifier.weights().at(std::string(name)).values;
}

}  // namespace textcrs
