// A noise whose level is drawn anew for every step of training.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "textcrs/noise/noise.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// The spec with another level: p of delete, universal and mask, sigma of insert. Nothing of a noise
// that has neither.
std::optional<std::string> with_level(const std::string& spec, double level);

// Why the noise of a spec can not have these levels; nothing if it can.
std::optional<std::string> levels_complaint(const std::string& spec, const NoiseLevels& levels);

// Const and thread-safe.
class StepNoise {
 public:
  // Without levels every step has the noise of the spec. A usage Error for levels that it can not
  // have.
  StepNoise(std::string spec, const NoiseContext& context, std::optional<NoiseLevels> levels,
            uint64_t seed);

  const Noise& itself() const { return *noise_; }

  // Uniform on [low, high], by (seed, step). There must be levels.
  double level(int64_t step) const;
  std::shared_ptr<const Noise> at(int64_t step) const;

 private:
  std::string spec_;
  NoiseContext context_;
  std::optional<NoiseLevels> levels_;
  uint64_t seed_;
  std::shared_ptr<const Noise> noise_;
};

}  // namespace textcrs
