#include "model/vote_table.h"

#include <fmt/format.h>

#include <cmath>

#include "textcrs/base/error.h"

namespace textcrs {

std::vector<int32_t> whole_numbers(const Classifier& classifier, const std::string& name) {
  const std::vector<float>& values = classifier.weights().at(name).values;
  std::vector<int32_t> numbers;
  numbers.reserve(values.size());
  for (const float value : values) {
    if (value != std::floor(value) || std::abs(value) > static_cast<float>(kLargestTableScore))
      throw bad_input(fmt::format("the model's {}: found {}, expected whole numbers up to {}", name,
                                  value, kLargestTableScore));
    numbers.push_back(static_cast<int32_t>(value));
  }
  return numbers;
}

}  // namespace textcrs
