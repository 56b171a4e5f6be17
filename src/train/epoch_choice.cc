#include "train/epoch_choice.h"

#include <algorithm>
#include <cmath>

namespace textcrs {

int texts_within_chance(double accuracy, size_t texts) {
  constexpr int kMost = 2;
  const auto n = static_cast<double>(texts);
  const double estimate = (n * accuracy + 2) / (n + 4);
  const double error = std::sqrt(n * estimate * (1 - estimate));
  return std::min(kMost, static_cast<int>(error));
}

void EpochChoice::add(int number, std::optional<double> accuracy, size_t texts) {
  const Epoch epoch = {number, accuracy};
  if (!accuracy) {
    kept = epoch;
    return;
  }
  if (!best.accuracy || *accuracy > *best.accuracy) best = epoch;
  const auto right = [&](double share) { return std::lround(share * static_cast<double>(texts)); };
  if (right(*accuracy) >= right(*best.accuracy) - texts_within_chance(*best.accuracy, texts))
    kept = epoch;
}

}  // namespace textcrs
