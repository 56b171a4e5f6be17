#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A named choice that results depend on. std::monostate: nothing was chosen.
struct Setting {
  std::string name;  // snake_case: "stop_at_radius"
  std::variant<std::monostate, uint64_t, double, std::string> value;

  bool operator==(const Setting&) const = default;
};

}  // namespace textcrs
