// What a network reads of the slots of copies with a Gaussian on them: vector + noise, through the
// map of the slots. The sum goes on as a whole: the certificate (docs/certificates.md, B5) needs a
// classifier of vector + noise, and one that rounds the two apart is none.
#pragma once

#include <span>
#include <vector>

#include "engine/cpu_slot_map.h"
#include "engine/sequences.h"
#include "textcrs/base/stream.h"

namespace textcrs {

class NoisySlots {
 public:
  struct Source {
    Isa isa;
    std::span<const float> vectors;  // (words, dimension)
    size_t dimension;
    float sigma;
    std::span<const Stream> gaussians;  // of each copy
  };
  // With a map the vectors of all slots are made at once and kept; otherwise they are drawn where
  // they are asked for. All of the arguments must outlive it.
  NoisySlots(const Source& source, const CpuSlotMap& map, const Sequences& sequences);

  // The vector of a slot of a sequence.
  void read(size_t place, int slot, float* out) const;

 private:
  void draw(size_t place, int slot, float* out) const;

  Source source_;
  const Sequences& sequences_;
  std::vector<float> kept_;     // of all slots, sequence by sequence
  std::vector<size_t> starts_;  // of the sequences, in slots
};

}  // namespace textcrs
