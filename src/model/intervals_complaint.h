// Which models can have interval bounds.
#pragma once

#include <optional>
#include <string>

#include "textcrs/model/model_config.h"

namespace textcrs {

// Why a model with `intervals` can not be certified by them; nothing if it can, or has none.
std::optional<std::string> intervals_complaint(const ModelConfig& config);

}  // namespace textcrs
