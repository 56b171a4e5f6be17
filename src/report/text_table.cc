#include "report/text_table.h"

#include <algorithm>

namespace textcrs {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

}  // namespace

std::string align(const std::vector<TextRow>& rows) {
  std::vector<size_t> widths(rows.empty() ? 0 : rows[0].size());
  for (const TextRow& row : rows)
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  std::string text;
  for (const TextRow& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - width_of(row[c]), ' ');
      text += c == 0 ? row[c] + blanks : "  " + blanks + row[c];
    }
    text += '\n';
  }
  return text;
}

}  // namespace textcrs
