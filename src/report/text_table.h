// A table in plain text.
#pragma once

#include <string>
#include <vector>

namespace textcrs {

using TextRow = std::vector<std::string>;  // UTF-8 cells

// One line per row: the first column to the left, the others to the right, two spaces between them.
// All rows have as many cells.
std::string align(const std::vector<TextRow>& rows);

}  // namespace textcrs
