#include "textcrs/base/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace textcrs {
namespace {

bool same(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

// The optimal string alignment distance: no character is edited twice.
size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& least = edits[i][j] = std::max(i, j);  // right where one is empty, else too many
      if (i == 0 || j == 0) continue;
      least = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                        edits[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        least = std::min(least, edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& known) {
  constexpr size_t kLongest = 100;  // more is no misspelling
  if (name.size() > kLongest) return std::nullopt;
  std::optional<std::string> nearest;
  size_t fewest = kLongest;
  for (const std::string& candidate : known) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (3 * (longer - shorter) > longer) continue;  // a file may name its columns by megabytes
    const size_t edits = edits_between(name, candidate);
    if (edits >= fewest || 3 * edits > longer) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(name, known);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace textcrs
