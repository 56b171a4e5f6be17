// Tables for programs.
#include <nlohmann/json.hpp>

#include "suite/table_shares.h"
#include "textcrs/suite/tables.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

ordered_json run_to_json(const TableRun& run) {
  ordered_json json = {{"step", run.step.name},
                       {"kind", run.step.kind},
                       {"folder", run.step.folder.string()},
                       {"command", run.step.command},
                       {"needs", run.step.needs},
                       {"version", run.step.version},
                       {"machine", run.step.machine},
                       {"seconds", run.step.seconds}};
  if (!run.settings.empty()) json["settings"] = run.settings;
  return json;
}

ordered_json runs_to_json(const std::vector<TableRun>& runs) {
  ordered_json json = ordered_json::array();
  for (const TableRun& run : runs) json.push_back(run_to_json(run));
  return json;
}

size_t number_of(const MadeTable& table, const TableCell& cell) {
  size_t number = 0;
  while (number < table.runs.size() && table.runs[number].step.name != cell.step) ++number;
  return number + 1;
}

ordered_json cell_to_json(const MadeTable& table, const TableCell& cell,
                          const std::string& column) {
  ordered_json json = {{"column", column}};
  switch (cell.kind) {
    case TableCell::Kind::kEmpty:
      break;
    case TableCell::Kind::kMissing:
      json["missing"] = cell.step;
      break;
    case TableCell::Kind::kPublished:
      json["published"] = cell.number;
      break;
    case TableCell::Kind::kNumber:
      json["value"] = cell.number;
      json["run"] = number_of(table, cell);
      break;
    case TableCell::Kind::kShare:
      json["count"] = cell.share.count;
      json["texts"] = cell.share.all;
      if (cell.share.all > 0) {
        const ShareInterval interval = interval_of(cell.share);
        json["share"] = share_of(cell.share);
        json["low"] = interval.low;
        json["high"] = interval.high;
      }
      json["run"] = number_of(table, cell);
      break;
  }
  return json;
}

ordered_json row_to_json(const MadeTable& table, const TableRow& row) {
  ordered_json json = {{"labels", ordered_json::object()}, {"cells", ordered_json::array()}};
  for (size_t i = 0; i < row.labels.size(); ++i) json["labels"][table.headings[i]] = row.labels[i];
  for (size_t c = 0; c < row.cells.size(); ++c)
    if (row.cells[c].kind != TableCell::Kind::kEmpty)
      json["cells"].push_back(cell_to_json(table, row.cells[c], table.columns[c]));
  return json;
}

}  // namespace

std::string to_json(const MadeTable& table) {
  ordered_json json = {{"table", table.name},      {"kind", table.kind},
                       {"title", table.title},     {"headings", table.headings},
                       {"columns", table.columns}, {"rows", ordered_json::array()}};
  for (const TableRow& row : table.rows) json["rows"].push_back(row_to_json(table, row));
  json["notes"] = table.notes;
  json["runs"] = runs_to_json(table.runs);
  json["models"] = runs_to_json(table.models);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace textcrs
