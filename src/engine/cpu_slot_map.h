// The map of the slots (src/model/slot_map.h) in the kernels of one ISA.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/dense.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// Immutable; thread-safe. What becomes of a row depends on the row alone, bit by bit.
class CpuSlotMap {
 public:
  // The classifier must outlive it. In bf16 what is multiplied is rounded before.
  CpuSlotMap(const Classifier& classifier, Isa isa, Precision precision);

  bool is_identity() const { return mean_.empty() && !encoder_; }

  // The buffers of a call.
  struct Work {
    std::vector<float> hidden;
    AlignedBytes scratch;
  };
  // Rows (rows, dimension), in place.
  void apply(std::span<float> rows, Work& work) const;

 private:
  size_t dimension_;
  std::span<const float> mean_;  // empty: none
  std::optional<Dense> encoder_, decoder_;
};

}  // namespace textcrs
