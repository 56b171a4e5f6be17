#include "train/weight_average.h"

#include <algorithm>

namespace textcrs {

double WeightAverage::share(int64_t number) const {
  return std::max(1 - decay_, 10 / (static_cast<double>(number) + 9));
}

void WeightAverage::add(const Weights& parameters, int64_t number) {
  if (number == 1) {
    values_ = parameters;
    return;
  }
  const auto step = static_cast<float>(share(number));
  for (auto& [name, tensor] : values_) {
    const std::vector<float>& now = parameters.at(name).values;
    for (size_t i = 0; i < now.size(); ++i) tensor.values[i] += step * (now[i] - tensor.values[i]);
  }
}

}  // namespace textcrs
