#include "data/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "textcrs/base/error.h"

namespace textcrs {

std::vector<std::string> text_column_names(const ReadOptions& options) {
  std::vector<std::string> names;
  const std::string_view all = options.text_column;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find('+', at), all.size());
    if (end == at)
      throw usage_error(
          fmt::format("text column \"{}\": found an empty name, expected names joined "
                      "by '+'",
                      all));
    names.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

bool label_is_required(const ReadOptions& options) {
  return options.label_column != ReadOptions().label_column;
}

bool id_is_required(const ReadOptions& options) {
  return !options.id_column.empty() && options.id_column != ReadOptions().id_column;
}

std::optional<std::string> key_of(std::string cell) {
  if (cell.empty()) return std::nullopt;
  return cell;
}

}  // namespace textcrs
