// A table in the formats that papers and spreadsheets read. The first row names the columns; all
// rows have as many cells, in UTF-8. The first column is to the left, the others to the right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/text_table.h"

namespace textcrs {

std::string markdown_table(const std::vector<TextRow>& rows);
std::string csv_table(const std::vector<TextRow>& rows);    // RFC 4180, but lines end in "\n"
std::string latex_table(const std::vector<TextRow>& rows);  // of the package booktabs

// Plain text inside a document of LaTeX.
std::string latex_text(std::string_view text);

}  // namespace textcrs
