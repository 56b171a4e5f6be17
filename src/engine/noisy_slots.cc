#include "engine/noisy_slots.h"

#include <algorithm>

#include "kernels/normals.h"

namespace textcrs {

NoisySlots::NoisySlots(const Source& source, const CpuSlotMap& map, const Sequences& sequences)
    : source_(source), sequences_(sequences) {
  if (map.is_identity()) return;
  size_t slots = 0;
  for (size_t place = 0; place < sequences.size(); ++place) {
    starts_.push_back(slots);
    slots += static_cast<size_t>(sequences.length_at(place));
  }
  kept_.resize(slots * source.dimension);
  for (size_t place = 0; place < sequences.size(); ++place)
    for (int slot = 0; slot < sequences.length_at(place); ++slot)
      draw(place, slot,
           kept_.data() + (starts_[place] + static_cast<size_t>(slot)) * source.dimension);
  CpuSlotMap::Work work;
  map.apply(kept_, work);
}

void NoisySlots::read(size_t place, int slot, float* out) const {
  if (starts_.empty())
    draw(place, slot, out);
  else
    std::copy_n(kept_.data() + (starts_[place] + static_cast<size_t>(slot)) * source_.dimension,
                source_.dimension, out);
}

void NoisySlots::draw(size_t place, int slot, float* out) const {
  const size_t dimension = source_.dimension;
  const std::span<float> values(out, dimension);
  normals_at(source_.isa, source_.gaussians[sequences_.copy_at(place)],
             static_cast<size_t>(slot) * dimension, values);
  const float* const vector =
      source_.vectors.data() + static_cast<size_t>(sequences_.word(place, slot)) * dimension;
  for (size_t d = 0; d < dimension; ++d) values[d] = vector[d] + source_.sigma * values[d];
}

}  // namespace textcrs
