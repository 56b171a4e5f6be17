#include "plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace textcrs::plot {
namespace {

constexpr double kSlack = 1e-9;

// 1000000: 10^6, in letters that every font has: 1M; 20000: 20k.
std::string label_of(double value) {
  if (std::abs(value) >= 1e12) return fmt::format("{:.3g}", value);
  if (std::abs(value) >= 1e9) return fmt::format("{:.4g}G", value / 1e9);
  if (std::abs(value) >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.6g}", value);
}

std::vector<Tick> linear(Range range, size_t count) {
  const double span = range.most - range.least;
  double power = std::pow(10, std::floor(std::log10(span)) - 2);
  double step = power;
  for (bool fits = false; !fits; power *= 10)
    for (const double digit : {1.0, 2.0, 5.0}) {
      step = digit * power;
      fits = std::floor(range.most / step + kSlack) - std::ceil(range.least / step - kSlack) + 1 <=
             static_cast<double>(count);
      if (fits) break;
    }
  std::vector<Tick> ticks;
  for (double i = std::ceil(range.least / step - kSlack); i * step <= range.most + kSlack * span;
       ++i) {
    const double at = i == 0 ? 0 : i * step;
    ticks.push_back({at, label_of(at)});
  }
  return ticks;
}

std::vector<Tick> powers(Range range, const std::vector<double>& digits, int stride) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.least))),
            last = static_cast<int>(std::ceil(std::log10(range.most)));
  for (int power = first; power <= last; ++power) {
    if (power % stride != 0) continue;
    for (const double digit : digits) {
      const double at = digit * std::pow(10, power);
      if (at >= range.least * (1 - kSlack) && at <= range.most * (1 + kSlack))
        ticks.push_back({at, label_of(at)});
    }
  }
  return ticks;
}

}  // namespace

std::vector<Tick> choose_ticks(Range range, size_t count, bool logarithmic) {
  if (!logarithmic) return linear(range, std::max<size_t>(count, 2));
  for (const auto& digits : {std::vector<double>{1, 2, 5}, std::vector<double>{1}}) {
    std::vector<Tick> ticks = powers(range, digits, 1);
    if (ticks.size() < 2) return linear(range, std::max<size_t>(count, 2));
    if (ticks.size() <= count) return ticks;
  }
  for (int stride = 2;; ++stride) {
    std::vector<Tick> ticks = powers(range, {1}, stride);
    if (ticks.size() <= count || stride > 600) return ticks;
  }
}

}  // namespace textcrs::plot
