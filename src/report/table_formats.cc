#include "report/table_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace textcrs {
namespace {

std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

template <typename Write>
std::vector<std::string> cells(const TextRow& row, const Write& write) {
  std::vector<std::string> list;
  for (const std::string& cell : row) list.push_back(write(cell));
  return list;
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\textbackslash{}";
    else if (c == '~')
      escaped += "\\textasciitilde{}";
    else if (c == '^')
      escaped += "\\textasciicircum{}";
    else if (c == '<')
      escaped += "$<$";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      escaped += fmt::format("\\{}", c);
    else
      escaped += c;
  }
  return escaped;
}

std::string markdown_table(const std::vector<TextRow>& rows) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(cells(rows[i], markdown_text), " | "));
    if (i > 0) continue;
    text += "|---|";
    for (size_t c = 1; c < rows[i].size(); ++c) text += "---:|";
    text += '\n';
  }
  return text;
}

std::string csv_table(const std::vector<TextRow>& rows) {
  std::string text;
  for (const TextRow& row : rows) text += fmt::format("{}\n", fmt::join(cells(row, csv_text), ","));
  return text;
}

std::string latex_table(const std::vector<TextRow>& rows) {
  const size_t columns = rows.empty() ? 0 : rows[0].size();
  std::string text =
      "\\begin{tabular}{l" + std::string(columns > 0 ? columns - 1 : 0, 'r') + "}\n\\toprule\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("{} \\\\\n", fmt::join(cells(rows[i], latex_text), " & "));
    if (i == 0) text += "\\midrule\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace textcrs
