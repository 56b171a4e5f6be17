// A table in the formats that papers and spreadsheets read. The first row names the columns; all
// rows have as many cells, in UTF-8. The first `left` columns are to the left, the others to the
// right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/text_table.h"

namespace textcrs {

std::string markdown_table(const std::vector<TextRow>& rows, size_t left = 1);
std::string csv_table(const std::vector<TextRow>& rows);  // RFC 4180, but lines end in "\n"
// Of the package booktabs, with a rule below the first row and before the `rules`.
std::string latex_table(const std::vector<TextRow>& rows, size_t left = 1,
                        const std::vector<size_t>& rules = {});

// Plain text inside a document of Markdown, in one line.
std::string markdown_text(std::string_view text);

// Plain text inside a document of LaTeX.
std::string latex_text(std::string_view text);

}  // namespace textcrs
