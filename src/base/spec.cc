#include "textcrs/base/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "textcrs/base/error.h"

namespace textcrs {

Spec Spec::parse(std::string_view text) {
  Spec spec;
  spec.text_ = text;
  const size_t colon = text.find(':');
  spec.name_ = text.substr(0, colon);
  if (spec.name_.empty()) spec.fail("expected name or name:key=value,...");
  if (colon == std::string_view::npos) return spec;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size())
      spec.fail(fmt::format("found '{}', expected key=value", item));
    const auto [it, fresh] = spec.values_.emplace(item.substr(0, equals), item.substr(equals + 1));
    if (!fresh) spec.fail(fmt::format("'{}' is given twice", it->first));
    if (comma == std::string_view::npos) return spec;
    rest.remove_prefix(comma + 1);
  }
}

bool Spec::has(std::string_view key) const { return values_.find(key) != values_.end(); }

double Spec::number(std::string_view key, double low, double high) const {
  const auto it = values_.find(key);
  if (it == values_.end()) fail(fmt::format("'{}' is missing", key));
  const std::string& digits = it->second;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(fmt::format("{} is '{}', expected a number", key, digits));
  if (value < low || value > high)
    fail(fmt::format("{} is {}, expected {} to {}", key, digits, shortest(low), shortest(high)));
  return value;
}

double Spec::number_or(std::string_view key, double fallback, double low, double high) const {
  return has(key) ? number(key, low, high) : fallback;
}

int Spec::integer(std::string_view key, int low, int high) const {
  const double value = number(key, low, high);
  if (value != std::floor(value))
    fail(fmt::format("{} is {}, expected a whole number", key, shortest(value)));
  return static_cast<int>(value);
}

int Spec::integer_or(std::string_view key, int fallback, int low, int high) const {
  return has(key) ? integer(key, low, high) : fallback;
}

std::string Spec::choice_or(std::string_view key, std::string_view fallback,
                            const std::vector<std::string>& choices) const {
  const auto it = values_.find(key);
  const std::string value(it == values_.end() ? fallback : std::string_view(it->second));
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    fail(fmt::format("{} is '{}', expected one of: {}", key, value, fmt::join(choices, ", ")));
  return value;
}

void Spec::allow_only(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : values_) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    fail(fmt::format("'{}' is not a parameter of {}; known: {}", key, name_,
                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

void Spec::fail(const std::string& why) const {
  throw usage_error(fmt::format("'{}': {}", text_, why));
}

std::string shortest(double value) { return fmt::format("{}", value); }

}  // namespace textcrs
