#include "textcrs/suite/reports.h"

#include <fmt/format.h>

#include <algorithm>

#include "suite/shown_steps.h"
#include "textcrs/suite/plan.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

// "BiLSTM, deletion, low", "BiLSTM, plain: TextFooler".
std::string words_of(const SuiteStep& step) {
  std::string words = step.tag("model-title");
  for (const char* key : {"method-title", "level", "variant"}) add_part(words, step.tag(key));
  if (const std::string attack = step.tag("attack-title"); !attack.empty()) words += ": " + attack;
  return words;
}

bool is_reported(const SuiteStep& step) { return step.kind == "certify" || step.kind == "attack"; }

// The model that made a run: that of the training it needs first.
std::vector<ModelFolders> model_of(const SuiteStep& run, const std::vector<SuiteStep>& steps,
                                   const fs::path& out) {
  if (run.needs.empty()) return {};
  for (const SuiteStep& step : steps)
    if (step.kind == "train" && step.name == run.needs.front()) return {{folder_of(step, out), {}}};
  return {};
}

}  // namespace

std::vector<SuiteReport> plan_reports(const Suite& suite, const SuiteManifest& manifest,
                                      const fs::path& out) {
  const std::vector<SuiteStep> steps = done_steps(manifest);
  std::vector<SuiteReport> reports;
  for (const SuiteStep& step : steps) {
    if (!is_reported(step) || !is_complete(step, out)) continue;
    const std::string data = step.tag("data");
    auto report = std::find_if(reports.begin(), reports.end(),
                               [&](const SuiteReport& one) { return one.data == data; });
    if (report == reports.end())
      report = reports.insert(
          report, {data, fmt::format("{}: {}", step.tag("data-title"), suite.title), {}});
    const auto is_taken = [&](auto same) {
      return std::any_of(report->runs.begin(), report->runs.end(), same);
    };
    const fs::path folder = folder_of(step, out);
    if (is_taken([&](const ReportedRun& other) { return other.folder == folder; }))
      continue;  // the same results by another name
    std::string name = words_of(step);
    if (is_taken([&](const ReportedRun& other) { return other.name == name; }))
      name = fmt::format("{} ({})", name, step.name);
    report->runs.push_back({name, folder, model_of(step, steps, out)});
  }
  return reports;
}

std::vector<fs::path> write_reports(const std::vector<SuiteReport>& reports, const fs::path& out,
                                    const std::function<void(const std::string&)>& begun,
                                    StopToken stop) {
  std::vector<fs::path> files;
  for (const SuiteReport& report : reports) {
    const fs::path file = out / fmt::format("report-{}.html", report.data);
    if (begun) begun(file.filename().string());
    ReportOptions options;
    options.title = report.title;
    options.how_to_keep_texts = "In a suite, certify = { with-text = true } keeps the texts.";
    write_report(report.runs, options, file, {}, stop);
    files.push_back(file);
  }
  return files;
}

}  // namespace textcrs
