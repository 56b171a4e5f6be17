#include "textcrs/base/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

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
    const bool is_flag = equals == std::string_view::npos;
    if (item.empty() || equals == 0 || (!is_flag && equals + 1 == item.size()))
      spec.fail(fmt::format("found '{}', expected key=value", item));
    const auto [it, fresh] = spec.values_.emplace(
        item.substr(0, equals), is_flag ? std::string_view() : item.substr(equals + 1));
    if (!fresh) spec.fail(fmt::format("'{}' is given twice", it->first));
    if (comma == std::string_view::npos) return spec;
    rest.remove_prefix(comma + 1);
  }
}

bool Spec::has(std::string_view key) const { return values_.find(key) != values_.end(); }

bool Spec::flag(std::string_view key) const {
  const auto it = values_.find(key);
  if (it == values_.end()) return false;
  if (!it->second.empty())
    fail(fmt::format("found '{}={}', expected '{}' alone", key, it->second, key));
  return true;
}

const std::string& Spec::value(std::string_view key) const {
  const auto it = values_.find(key);
  if (it == values_.end()) fail(fmt::format("'{}' is missing", key));
  if (it->second.empty()) fail(fmt::format("found '{}', expected {}=value", key, key));
  return it->second;
}

double Spec::number(std::string_view key, double low, double high) const {
  const std::string& digits = value(key);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(number))
    fail(fmt::format("{} is '{}', expected a number", key, digits));
  if (number < low || number > high)
    fail(fmt::format("{} is {}, expected {} to {}", key, digits, shortest(low), shortest(high)));
  return number;
}

double Spec::number_inside(std::string_view key, double low, double high) const {
  const double number = this->number(key, -kInfinity, kInfinity);
  if (!(low < number && number < high))
    fail(fmt::format("{} is {}, expected strictly between {} and {}", key, value(key),
                     shortest(low), shortest(high)));
  return number;
}

double Spec::positive(std::string_view key) const {
  const double number = this->number(key, -kInfinity, kInfinity);
  if (!(number > 0)) fail(fmt::format("{} is {}, expected a positive number", key, value(key)));
  return number;
}

int Spec::integer(std::string_view key, int low, int high) const {
  const double number = this->number(key, low, high);
  if (number != std::floor(number))
    fail(fmt::format("{} is {}, expected a whole number", key, shortest(number)));
  return static_cast<int>(number);
}

int Spec::integer_or(std::string_view key, int fallback, int low, int high) const {
  return has(key) ? integer(key, low, high) : fallback;
}

std::string Spec::choice(std::string_view key, const std::vector<std::string>& choices) const {
  const std::string& chosen = value(key);
  if (std::find(choices.begin(), choices.end(), chosen) == choices.end())
    fail(fmt::format("{} is '{}', expected one of: {}{}", key, chosen, fmt::join(choices, ", "),
                     did_you_mean(chosen, choices)));
  return chosen;
}

std::string Spec::choice_or(std::string_view key, std::string_view fallback,
                            const std::vector<std::string>& choices) const {
  return has(key) ? choice(key, choices) : std::string(fallback);
}

std::string Spec::text_or(std::string_view key, std::string_view fallback) const {
  return has(key) ? value(key) : std::string(fallback);
}

void Spec::allow_only(const std::vector<std::string>& known) const {
  for (const auto& [key, ignored] : values_) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    fail(fmt::format("'{}' is not a parameter of {}; known: {}{}", key, name_,
                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                     did_you_mean(key, known)));
  }
}

void Spec::fail(const std::string& why) const {
  throw usage_error(fmt::format("'{}': {}", text_, why));
}

std::string shortest(double value) { return fmt::format("{}", value); }

}  // namespace textcrs
