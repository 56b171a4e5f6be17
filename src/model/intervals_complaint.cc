#include "model/intervals_complaint.h"

#include <fmt/format.h>

namespace textcrs {

std::optional<std::string> intervals_complaint(const ModelConfig& config) {
  if (!config.intervals) return std::nullopt;
  if (config.architecture != "cnn" && config.architecture != "bilstm")
    return fmt::format("architecture is {}, expected cnn or bilstm with interval bounds",
                       config.architecture);
  if (config.noise != "none")
    return fmt::format("noise is {}, expected none with interval bounds", config.noise);
  if (config.units != Units::kWords)
    return fmt::format("units is {}, expected words with interval bounds", to_string(config.units));
  if (config.synonyms.empty()) return "synonyms are not given, expected some with interval bounds";
  // A word would be replaced by what its cluster's first word has as candidates, not by its own.
  if (!config.canonical.empty()) return "canonical is given, expected none with interval bounds";
  if (config.reconstruction > 0)
    return "reconstruction is given, expected none with interval bounds";
  return std::nullopt;
}

}  // namespace textcrs
