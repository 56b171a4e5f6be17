#include "page/texts_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "page/attack_view.h"
#include "page/run_names.h"
#include "page/run_view.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/spec.h"
#include "textcrs/page/report_page.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr const char* kEnd = "\r\n";

// Empty where nothing is certified.
std::string radius_cell(const Record& record, const CertifiedSet& set, Operation operation) {
  const double radius = radius_of(record, set, operation);
  if (radius < 0) return "";
  return std::isinf(radius) ? "unlimited" : shortest(radius);
}

std::string unit_cell(const RunView& view, Operation operation) {
  for (const StepCurve& curve : view.sound)
    if (curve.operation == operation) return curve.unit;
  return "";
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "; ") + line;
  return all;
}

void write_head(std::ostream& out) {
  out << "run,id,key,label,prediction,abstained,correct,by_fallback,units,unit,pa,pb,exact,samples";
  for (const Operation operation : kOperations)
    out << ",certified_" << to_string(operation) << ",certified_" << to_string(operation)
        << "_counts";
  for (const Operation operation : kOperations) out << ",not_proved_" << to_string(operation);
  out << ",seconds,warnings,in_words,text" << kEnd;
}

const char* yes_no(bool value) { return value ? "yes" : "no"; }

void write_row(const RunView& view, size_t i, std::ostream& out) {
  const Record& record = view.run.records[i];
  const Certification& c = record.certification;
  out << text_cell(view.name) << ',' << record.id << ',' << text_cell(record.key.value_or(""))
      << ',' << text_cell(record.label.value_or("")) << ',' << text_cell(record.prediction) << ','
      << yes_no(c.abstained) << ',' << (record.label ? yes_no(record.correct()) : "") << ','
      << yes_no(c.by_fallback) << ',' << record.words << ',' << record.unit << ','
      << shortest(c.bounds.pa) << ',' << shortest(c.bounds.pb) << ',' << yes_no(c.exact) << ','
      << c.samples;
  for (const Operation operation : kOperations)
    out << ',' << radius_cell(record, c.sound, operation) << ',' << unit_cell(view, operation);
  for (const Operation operation : kOperations)
    out << ',' << radius_cell(record, c.paper, operation);
  out << ',' << shortest(record.seconds) << ',' << text_cell(joined(record.warnings)) << ','
      << text_cell(view.said[i]) << ',' << text_cell(record.text.value_or("")) << kEnd;
}

}  // namespace

std::string text_cell(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  std::string cell;
  if (!text.empty() && kFormula.find(text.front()) != text.npos) cell += '\'';
  cell += text;
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char letter : cell) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

void write_texts_csv(const std::vector<ReportedRun>& runs, const std::filesystem::path& out,
                     StopToken stop) {
  check_names(runs);
  std::vector<RunView> views;
  for (const ReportedRun& run : runs) {
    stop.check();
    if (is_attack(run.folder))
      throw usage_error(
          fmt::format("{}: found the run of an attack, expected one of a "
                      "certification: the table has a row per certified text",
                      run.folder.string()));
    views.push_back(view_of(printable_line(run.name), run.folder));
  }
  write_file_atomically(out, [&](std::ostream& stream) {
    write_head(stream);
    for (const RunView& view : views)
      for (size_t i = 0; i < view.run.records.size(); ++i) {
        stop.check();
        write_row(view, i, stream);
      }
  });
}

}  // namespace textcrs
