#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "certified_json.h"

namespace textcrs::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* kOperations[] = {"substitution", "reordering", "insertion", "deletion",
                                       "edit"};
constexpr size_t kMostColumns = 8;

// 1, 2, 5, 10, ... (times a power of ten) up to the largest radius, the last kMostColumns of them.
std::vector<double> radius_grid(double largest) {
  std::vector<double> grid;
  const int top = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  for (int power = top - 2; power <= top; ++power)
    for (int digit : {1, 2, 5}) {
      const double radius =
          power >= 0 ? digit * std::pow(10.0, power) : digit / std::pow(10.0, -power);
      if (radius <= largest) grid.push_back(radius);
    }
  if (grid.size() > kMostColumns) grid.erase(grid.begin(), grid.end() - kMostColumns);
  return grid;
}

double radius_of(const ordered_json& record, const std::string& mode, const char* operation) {
  if (!record.value("correct", false) || !record.contains(mode)) return -1;
  const auto& set = record[mode];
  if (!set.value("certified", false) || !set.contains(operation)) return -1;
  return radius_from_json(set[operation]);
}

ordered_json curve(const std::vector<double>& radii, double texts) {
  double largest = 0;
  bool whole = true;
  for (double radius : radii) {
    if (std::isinf(radius) || radius < 0) continue;
    largest = std::max(largest, radius);
    whole = whole && radius == std::floor(radius);
  }
  std::vector<double> grid = radius_grid(largest);
  if (whole) std::erase_if(grid, [](double radius) { return radius < 1; });
  grid.insert(grid.begin(), 0);
  if (std::count(radii.begin(), radii.end(), kUnlimited) > 0) grid.push_back(kUnlimited);
  ordered_json points = ordered_json::array();
  for (double radius : grid) {
    const auto certified =
        std::count_if(radii.begin(), radii.end(), [&](double r) { return r >= radius; });
    points.push_back({{"radius", radius_json(radius)},
                      {"certified_accuracy", static_cast<double>(certified) / texts}});
  }
  return points;
}

}  // namespace

ordered_json summarize(const std::vector<ordered_json>& records) {
  size_t labelled = 0, right = 0, abstained = 0;
  double seconds = 0;
  uint64_t samples = 0;
  for (const auto& record : records) {
    abstained += record.value("abstained", false);
    seconds += record.value("seconds", 0.0);
    samples += record.value("samples", uint64_t{0});
    if (!record.contains("correct")) continue;
    ++labelled;
    right += record["prediction"] == record["label"];
  }
  ordered_json summary = {{"texts", records.size()},
                          {"labelled", labelled},
                          {"abstained", abstained},
                          {"samples", samples},
                          {"seconds", seconds}};
  if (labelled == 0) return summary;
  summary["accuracy"] = static_cast<double>(right) / static_cast<double>(labelled);
  for (const std::string mode : {"sound", "paper"}) {
    for (const char* operation : kOperations) {
      std::vector<double> radii;
      bool stated = false;
      for (const auto& record : records) {
        stated = stated || (record.contains(mode) && record[mode].contains(operation));
        if (record.contains("correct")) radii.push_back(radius_of(record, mode, operation));
      }
      if (stated) summary[mode][operation] = curve(radii, static_cast<double>(labelled));
    }
  }
  return summary;
}

std::string table(const ordered_json& summary, const std::string& mode) {
  if (!summary.contains(mode)) return "";
  std::string text;
  for (const auto& [operation, points] : summary[mode].items()) {
    std::string head = fmt::format("{:<13} radius  ", operation),
                row = fmt::format("{:<13} %       ", "");
    for (const auto& point : points) {
      const auto& radius = point["radius"];
      head += fmt::format("{:>8}",
                          radius.is_string() ? "any" : fmt::format("{}", radius.get<double>()));
      row += fmt::format("{:>8.1f}", 100 * point["certified_accuracy"].get<double>());
    }
    text += fmt::format("{}\n{}\n", head, row);
  }
  return text;
}

}  // namespace textcrs::cli
