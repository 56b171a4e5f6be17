// Tables for people: Markdown, LaTeX, CSV.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/percent.h"
#include "report/table_formats.h"
#include "suite/table_parts.h"
#include "suite/table_provenance.h"
#include "suite/table_shares.h"
#include "textcrs/base/counted.h"

namespace textcrs {
namespace {

// Where a run stands in the list, from 1; 0: it is not there.
size_t number_of(const MadeTable& table, const std::string& step) {
  for (size_t i = 0; i < table.runs.size(); ++i)
    if (table.runs[i].step.name == step) return i + 1;
  return 0;
}

// "1-3, 7": the runs that the numbers of a row are from.
std::string runs_of(const MadeTable& table, const TableRow& row) {
  std::set<size_t> numbers;
  for (const TableCell& cell : row.cells)
    if (const size_t number = number_of(table, cell.step); number > 0) numbers.insert(number);
  std::vector<std::string> parts;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    parts.push_back(first == last ? std::to_string(*first) : fmt::format("{}-{}", *first, *last));
    first = std::next(last);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// A label that is the same as in the row above, with all before it, is left out.
std::vector<TextRow> text_rows(const MadeTable& table) {
  TextRow head = table.headings;
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  head.push_back("runs");
  std::vector<TextRow> rows = {head};
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& row = table.rows[i];
    TextRow text = row.labels;
    for (size_t c = 0; i > 0 && c < text.size() && text[c] == table.rows[i - 1].labels[c]; ++c)
      text[c].clear();
    for (const TableCell& cell : row.cells) text.push_back(cell.in_words());
    text.push_back(runs_of(table, row));
    rows.push_back(std::move(text));
  }
  return rows;
}

// Before which rows something else begins: other data or another model.
std::vector<size_t> rules(const MadeTable& table) {
  std::vector<size_t> places;
  for (size_t i = 1; i < table.rows.size(); ++i)
    if (!std::equal(table.rows[i].labels.begin(), table.rows[i].labels.begin() + 2,
                    table.rows[i - 1].labels.begin()))
      places.push_back(i + 1);
  return places;
}

// What all runs have in common; "" if they do not.
std::string common(const MadeTable& table, std::string (*of)(const TableRun&)) {
  const std::string first = of(table.runs.front());
  const bool all = std::all_of(table.runs.begin(), table.runs.end(),
                               [&](const TableRun& run) { return of(run) == first; });
  return all ? first : "";
}

std::string version_of(const TableRun& run) { return run.step.version; }
std::string machine_of(const TableRun& run) { return run.step.machine; }
std::string seed_of(const TableRun& run) { return setting_of(run, "seed"); }

struct Part {
  const char* before;
  std::string (*of)(const TableRun&);
};
constexpr Part kParts[] = {{"version ", version_of}, {"seed ", seed_of}, {"on ", machine_of}};

// "All runs: version 0.2.0, seed 1, on AMD EPYC 9654, 2 cores."
std::string common_line(const MadeTable& table) {
  std::vector<std::string> parts;
  for (const Part& part : kParts)
    if (const std::string value = common(table, part.of); !value.empty())
      parts.push_back(part.before + value);
  return parts.empty() ? "" : fmt::format("All runs: {}.", fmt::join(parts, ", "));
}

// Over which the shares of a run are; 0: it has none.
size_t texts_of(const MadeTable& table, const TableRun& run) {
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells)
      if (cell.kind == TableCell::Kind::kShare && cell.step == run.step.name) return cell.share.all;
  return 0;
}

// "runs/NAME; noise universal:p=0.9, N = 500; 60 texts counted; seed 2", without what all have in
// common.
std::string run_line(const MadeTable& table, const TableRun& run) {
  std::string line = run.step.folder.string();
  if (const std::string settings = settings_line(run); !settings.empty()) line += "; " + settings;
  if (const size_t texts = texts_of(table, run); texts > 0)
    line += fmt::format("; {} counted", counted(texts, "text"));
  for (const Part& part : kParts)
    if (common(table, part.of).empty() && !part.of(run).empty())
      line += fmt::format("; {}{}", part.before, part.of(run));
  return line;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  return text;
}

std::string csv_number(double value) { return fmt::format("{:.10g}", value); }

// "percent", "value", "count", "texts", "low" and "high", in per cent what is a share.
TextRow csv_cells(const TableCell& cell) {
  if (cell.kind == TableCell::Kind::kNumber || cell.kind == TableCell::Kind::kPublished)
    return {"", csv_number(cell.number), "", "", "", ""};
  if (cell.kind != TableCell::Kind::kShare) return TextRow(6);
  TextRow row = {"", "", std::to_string(cell.share.count), std::to_string(cell.share.all), "", ""};
  if (cell.share.all == 0) return row;
  const ShareInterval interval = interval_of(cell.share);
  row[0] = cell.in_words();
  row[4] = csv_number(100 * interval.low);
  row[5] = csv_number(100 * interval.high);
  return row;
}

}  // namespace

std::string TableCell::in_words() const {
  switch (kind) {
    case Kind::kEmpty:
      return "";
    case Kind::kMissing:
      return "-";
    case Kind::kNumber:
    case Kind::kPublished:
      return fmt::format("{:.{}f}", number, decimals);
    case Kind::kShare:
      break;
  }
  if (share.all == 0) return "-";
  return fmt::format("{:.1f}",
                     proved ? percent_from_below(share_of(share)) : 100 * share_of(share));
}

std::string to_markdown(const MadeTable& table) {
  std::string text = fmt::format("# {}\n\n{}\n", markdown_text(one_line(table.title)),
                                 markdown_table(text_rows(table), table.headings.size()));
  for (const std::string& note : table.notes) text += fmt::format("* {}\n", markdown_text(note));
  text += fmt::format("\n## Runs\n\n{}\n", markdown_text(common_line(table)));
  text += "Intervals and commands are in the CSV and JSON of the same name.\n\n";
  for (size_t i = 0; i < table.runs.size(); ++i)
    text += fmt::format("{}. {}: {}\n", i + 1, markdown_text(table.runs[i].step.name),
                        markdown_text(run_line(table, table.runs[i])));
  return text;
}

std::string to_latex(const MadeTable& table) {
  std::string text = "% Needs the package booktabs. The last column numbers the runs below.\n";
  for (size_t i = 0; i < table.runs.size(); ++i)
    text += one_line(fmt::format("% {} {}: {}", i + 1, table.runs[i].step.name,
                                 run_line(table, table.runs[i]))) +
            "\n";
  text += one_line(fmt::format("% {}", common_line(table))) + "\n";
  text += fmt::format("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n{}",
                      latex_text(one_line(table.title)), table.name,
                      latex_table(text_rows(table), table.headings.size(), rules(table)));
  text += "\\par\\raggedright\\footnotesize\n";
  for (const std::string& note : table.notes)
    text += fmt::format("{}.\\par\n", latex_text(one_line(note)));
  return text + "\\end{table}\n";
}

std::string to_csv(const MadeTable& table) {
  TextRow head = {"table"};
  head.insert(head.end(), table.headings.begin(), table.headings.end());
  for (const char* name : {"column", "source", "percent", "value", "count", "texts", "low", "high",
                           "step", "folder", "run_noise", "seed", "version", "machine"})
    head.push_back(name);
  std::vector<TextRow> rows = {head};
  for (const TableRow& row : table.rows)
    for (size_t c = 0; c < row.cells.size(); ++c) {
      const TableCell& cell = row.cells[c];
      if (cell.kind == TableCell::Kind::kEmpty) continue;
      TextRow text = {table.name};
      text.insert(text.end(), row.labels.begin(), row.labels.end());
      const bool published = cell.kind == TableCell::Kind::kPublished;
      text.insert(text.end(), {table.columns[c], published ? "published" : "ours"});
      const TextRow values = csv_cells(cell);
      text.insert(text.end(), values.begin(), values.end());
      text.push_back(cell.step);
      const size_t run = number_of(table, cell.step);
      if (run > 0) {
        const TableRun& from = table.runs[run - 1];
        text.insert(text.end(), {from.step.folder.string(), setting_of(from, "noise"),
                                 seed_of(from), from.step.version, from.step.machine});
      }
      text.resize(head.size());
      rows.push_back(std::move(text));
    }
  return csv_table(rows);
}

}  // namespace textcrs
