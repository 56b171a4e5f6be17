#include "base/safe_decimals.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>

namespace textcrs {
namespace {

// The nearest decimal number or, if that lies on the wrong side, its neighbour on the right one:
// half a unit away from the value, that neighbour is the nearest.
template <typename Wrong>
std::string rounded(double value, int digits, double direction, const Wrong& wrong) {
  const std::string nearest = fmt::format("{:.{}g}", value, digits);
  double shown = 0;
  std::from_chars(nearest.data(), nearest.data() + nearest.size(), shown);
  if (!wrong(shown)) return nearest;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
  return fmt::format("{:.{}g}", value + direction * unit / 2, digits);
}

}  // namespace

std::string rounded_down(double value, int digits) {
  return rounded(value, digits, -1, [value](double shown) { return shown > value; });
}

std::string rounded_up(double value, int digits) {
  return rounded(value, digits, 1, [value](double shown) { return shown < value; });
}

std::string confidence_percent(double alpha) {
  constexpr double kNotWritten = 1e-12;   // relative: what lies beyond the digits of a double
  constexpr int kFewest = 6, kMost = 16;  // decimals; 100 with kMost of them fits into 64 bits
  int decimals = kFewest;
  int64_t unit = 1'000'000;
  for (; decimals < kMost && 100 * alpha * static_cast<double>(unit) < 1; ++decimals) unit *= 10;
  const double risk = 100 * alpha * static_cast<double>(unit);
  const int64_t confidence = 100 * unit - static_cast<int64_t>(std::ceil(risk * (1 - kNotWritten)));
  std::string text = fmt::format("{}.{:0{}}", confidence / unit, confidence % unit, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace textcrs
