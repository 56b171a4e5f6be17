// The folder of a certification run: run.json, behind a NUL results.jsonl, behind another one
// summary.json. Whatever is read can be summed up, compared and reported, or is refused.
#include "fuzz.h"
#include "textcrs/base/files.h"
#include "textcrs/page/report_page.h"
#include "textcrs/report/comparison.h"
#include "textcrs/report/run_folder.h"
#include "textcrs/report/summary.h"

namespace {

using namespace textcrs;
namespace fs = std::filesystem;

fs::path write_folder(std::string_view input) {
  const fuzz::Halves run(input), results(run.second);
  fuzz::file_with(run.first, "run.json");
  const fs::path folder = fuzz::file_with(results.first, "results.jsonl").parent_path();
  if (results.first.size() < run.second.size())
    fuzz::file_with(results.second, "summary.json");
  else
    fs::remove(folder / "summary.json");
  return folder;
}

void check_comparison(const RunFolder& run) {
  for (const Operation threat : {Operation::kEdit, Operation::kSubstitution}) {
    ComparisonOptions options;
    options.threat = threat;
    const auto comparison = fuzz::accepted(
        [&] {
          return compare_runs({{"a", run}, {"b", run}}, options);
        },
        {ErrorKind::kBadInput, ErrorKind::kUsage});
    if (!comparison) continue;
    fuzz::require(!to_json(*comparison).empty(), "a comparison has figures");
    for (const TableFormat format : {TableFormat::kText, TableFormat::kLatex})
      fuzz::require(!to_text(*comparison, format).empty(), "a comparison is a table");
  }
}

// A report is the same again, and as good as the file.
void check_report(const fs::path& folder) {
  const std::vector<ReportedRun> runs = {{"a run", folder, {}}};
  const fs::path page = folder / "report.html", table = folder / "texts.csv";
  const auto write = [&] {
    write_report(runs, {}, page);
    write_texts_csv(runs, table);
    return read_file(page) + read_file(table);
  };
  const auto written = fuzz::accepted(write, {ErrorKind::kBadInput, ErrorKind::kUsage});
  if (written) fuzz::require(write() == *written, "a report is made of the run alone");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fs::path folder = write_folder(fuzz::text_of(data, size));
  check_report(folder);
  const auto run = fuzz::accepted([&] { return read_run(folder); });
  if (!run) return 0;
  fuzz::require(!run->records.empty(), "a run has a record");
  const auto summary = fuzz::accepted([&] {
    return summarize(run->records, {"negative", "positive"});
  });
  if (summary) fuzz::require(summary->texts == run->records.size(), "a summary has all texts");
  check_comparison(*run);
  return 0;
}
