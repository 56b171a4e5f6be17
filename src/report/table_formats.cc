#include "report/table_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace textcrs {
namespace {

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

std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

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
    else if (c == '>')
      escaped += "$>$";
    else if (c == '|')
      escaped += "\\textbar{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      escaped += fmt::format("\\{}", c);
    else
      escaped += c;
  }
  return escaped;
}

std::string markdown_table(const std::vector<TextRow>& rows, size_t left) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(cells(rows[i], markdown_text), " | "));
    if (i > 0) continue;
    text += '|';
    for (size_t c = 0; c < rows[i].size(); ++c) text += c < left ? "---|" : "---:|";
    text += '\n';
  }
  return text;
}

std::string csv_table(const std::vector<TextRow>& rows) {
  std::string text;
  for (const TextRow& row : rows) text += fmt::format("{}\n", fmt::join(cells(row, csv_text), ","));
  return text;
}

std::string latex_table(const std::vector<TextRow>& rows, size_t left,
                        const std::vector<size_t>& rules) {
  const size_t columns = rows.empty() ? 0 : rows[0].size();
  std::string text = "\\begin{tabular}{";
  for (size_t c = 0; c < columns; ++c) text += c < left ? 'l' : 'r';
  text += "}\n\\toprule\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    if (std::find(rules.begin(), rules.end(), i) != rules.end()) text += "\\midrule\n";
    const std::string row = fmt::format("{}", fmt::join(cells(rows[i], latex_text), " & "));
    const bool optional = row.starts_with('[') || row.starts_with('*');  // of the \\ before it
    text += fmt::format("{}{} \\\\\n", optional ? "{}" : "", row);
    if (i == 0) text += "\\midrule\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace textcrs
