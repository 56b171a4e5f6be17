#include "textcrs/model/units.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"

namespace textcrs {

std::string_view to_string(Units units) {
  return units == Units::kSentences ? "sentences" : "words";
}

Units parse_units(std::string_view name) {
  for (const Units units : {Units::kWords, Units::kSentences})
    if (name == to_string(units)) return units;
  throw usage_error(fmt::format("units is '{}', expected words or sentences", name));
}

}  // namespace textcrs
