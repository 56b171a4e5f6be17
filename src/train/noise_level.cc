#include "train/noise_level.h"

#include <fmt/format.h>

#include <algorithm>

#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"

namespace textcrs {

std::optional<std::string> with_level(const std::string& text, double level) {
  for (const std::string key : {"p", "sigma"}) {
    size_t begin = text.find(":" + key + "=");
    if (begin == std::string::npos) begin = text.find("," + key + "=");
    if (begin == std::string::npos) continue;
    const size_t value = begin + key.size() + 2, end = text.find(',', value);
    return text.substr(0, value) + shortest(level) +
           (end == std::string::npos ? "" : text.substr(end));
  }
  return std::nullopt;
}

std::optional<std::string> levels_complaint(const std::string& spec, const NoiseLevels& levels) {
  if (!with_level(spec, levels.low))
    return fmt::format("noise {} has no level, p or sigma, that could vary", spec);
  if (!(levels.low <= levels.high))
    return fmt::format("the level of the noise is to vary from {} to {}: expected low to high",
                       shortest(levels.low), shortest(levels.high));
  return std::nullopt;
}

StepNoise::StepNoise(std::string spec, const NoiseContext& context,
                     std::optional<NoiseLevels> levels, uint64_t seed)
    : spec_(std::move(spec)),
      context_(context),
      levels_(levels),
      seed_(seed),
      noise_(make_noise(spec_, context)) {
  if (!levels_) return;
  if (const auto complaint = levels_complaint(spec_, *levels_)) throw usage_error(*complaint);
  for (const double level : {levels_->low, levels_->high})
    make_noise(*with_level(spec_, level), context_);
}

double StepNoise::level(int64_t step) const {
  Stream stream(seed_, 0, static_cast<uint32_t>(step), lane::kNoiseLevel);
  const double level = levels_->low + (levels_->high - levels_->low) * stream.uniform();
  return std::min(level, levels_->high);  // rounding could pass it
}

std::shared_ptr<const Noise> StepNoise::at(int64_t step) const {
  if (!levels_) return noise_;
  return make_noise(*with_level(spec_, level(step)), context_);
}

}  // namespace textcrs
