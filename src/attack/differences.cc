// A shortest list of edits between two texts (Levenshtein's distance over words), read back from
// its table.
#include <algorithm>
#include <cstdint>

#include "textcrs/attack/edited_text.h"

namespace textcrs {

std::vector<WordDifference> differences(const std::vector<std::string>& original,
                                        const std::vector<std::string>& edited) {
  // What both begin and end with is not part of the table.
  size_t first = 0, a = original.size(), b = edited.size();
  while (first < a && first < b && original[first] == edited[first]) ++first;
  while (a > first && b > first && original[a - 1] == edited[b - 1]) --a, --b;
  const size_t rows = a - first, columns = b - first, stride = columns + 1;

  std::vector<uint32_t> distance((rows + 1) * stride);
  for (size_t i = 0; i <= rows; ++i)
    for (size_t j = 0; j <= columns; ++j) {
      uint32_t& here = distance[i * stride + j];
      if (i == 0 || j == 0) {
        here = static_cast<uint32_t>(i + j);
        continue;
      }
      const bool same = original[first + i - 1] == edited[first + j - 1];
      here = std::min({distance[(i - 1) * stride + j - 1] + (same ? 0 : 1),
                       distance[(i - 1) * stride + j] + 1, distance[i * stride + j - 1] + 1});
    }

  std::vector<WordDifference> list;
  for (size_t i = rows, j = columns; i > 0 || j > 0;) {
    const uint32_t here = distance[i * stride + j];
    const bool same = i > 0 && j > 0 && original[first + i - 1] == edited[first + j - 1];
    if (i > 0 && j > 0 && here == distance[(i - 1) * stride + j - 1] + (same ? 0 : 1)) {
      --i, --j;
      if (!same) list.push_back({first + i, original[first + i], edited[first + j]});
    } else if (i > 0 && here == distance[(i - 1) * stride + j] + 1) {
      --i;
      list.push_back({first + i, original[first + i], std::nullopt});
    } else {
      --j;
      list.push_back({first + i, std::nullopt, edited[first + j]});
    }
  }
  std::reverse(list.begin(), list.end());
  return list;
}

}  // namespace textcrs
