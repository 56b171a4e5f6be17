#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.h"
#include "flag_values.h"
#include "suite_checks.h"
#include "suite_plan_table.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/file_lock.h"
#include "textcrs/base/parallel.h"
#include "textcrs/suite/figures.h"
#include "textcrs/suite/reports.h"
#include "textcrs/suite/run_suite.h"
#include "textcrs/suite/tables.h"
#include "trained_models.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string suite, out, models, device;
  std::vector<std::string> data, only;
  std::optional<uint64_t> seed, limit, samples;
  int jobs = 1;
  bool dry_run = false, overwrite = false, no_runs = false;
};

// The name of a data set may have a "=" in it, and so may a path.
std::string name_in(const std::string& argument, const Suite& suite) {
  std::string name = argument.substr(0, argument.find('='));
  for (const SuiteData& data : suite.data)
    if (data.name == argument ||
        (argument.starts_with(data.name + "=") && data.name.size() > name.size()))
      name = data.name;
  return name;
}

// A path may have a "," in it: the one that parts two is the one around which both are there.
size_t comma_between_files(const std::string& files) {
  const size_t first = files.find(',');
  if (first == files.rfind(',')) return first;
  std::error_code ignored;
  if (fs::exists(files, ignored)) return std::string::npos;
  for (size_t at = first; at != std::string::npos; at = files.find(',', at + 1))
    if (fs::exists(files.substr(0, at), ignored) && fs::exists(files.substr(at + 1), ignored))
      return at;
  return first;
}

// "imdb", or "ag-news=train.csv,test.csv".
void read_data(const std::string& argument, const Suite& suite, PlanOptions& options) {
  const std::string name = name_in(argument, suite);
  options.data.push_back(name);
  if (name == argument) return;
  const std::string files = argument.substr(name.size() + 1);
  const size_t comma = comma_between_files(files);
  if (name.empty() || files.empty() || comma == 0 || comma + 1 == files.size())
    throw usage_error(fmt::format("--data {}: expected NAME, or NAME=TRAIN,TEST", argument));
  const std::string train = files.substr(0, comma);
  options.texts[name] = {train, comma == std::string::npos ? train : files.substr(comma + 1)};
}

PlanOptions plan_options(const Flags& flags, const Suite& suite) {
  PlanOptions options;
  for (const std::string& argument : flags.data) read_data(argument, suite, options);
  options.only = flags.only;
  options.device = flags.device;
  options.seed = flags.seed;
  options.limit = flags.limit;
  options.samples = flags.samples;
  return options;
}

void remark_kept(const std::vector<PlannedStep>& plan) {
  for (const PlannedStep& planned : plan) {
    const SuiteStep& step = planned.step;
    if (planned.replaces)
      remark(fmt::format("{}: its command has changed; it is run anew", step.name));
    else if (!planned.instead_of.empty() && step.state != StepState::kDone)
      remark(fmt::format("{}: its command has changed; {} stays, and the new results go to {}",
                         step.name, planned.instead_of, step.folder.string()));
    else if (planned.reused)
      remark(fmt::format("{}: {} is used", step.name, step.folder.string()));
  }
}

SuiteReporter reporter(StatusLine& status) {
  SuiteReporter report;
  report.ended = [&status](const SuiteStep& step) {
    if (step.state == StepState::kDone)
      status.print(fmt::format("{}: done in {}", step.name, duration(step.seconds)));
    else
      status.print(fmt::format("{}: failed, {}", step.name, step.problem));
  };
  report.progress = [&status](const SuiteProgress& p) {
    status.update(fmt::format("{} of {} done; now {}", p.done, counted(p.steps, "step"),
                              fmt::join(p.running, ", ")));
  };
  return report;
}

// What failed, and what was not run because of it.
void check_all_done(const std::vector<PlannedStep>& plan, const fs::path& out) {
  size_t failures = 0, in_vain = 0;
  std::string said;
  for (const PlannedStep& planned : plan) {
    const SuiteStep& step = planned.step;
    in_vain += step.state == StepState::kPlanned;
    if (step.state != StepState::kFailed) continue;
    ++failures;
    said += fmt::format("\n  {}: {}; {}", step.name, step.problem,
                        (out / "logs" / (step.name + ".log")).string());
  }
  if (failures == 0) return;
  flush_output();
  remark(fmt::format("failed:{}", said));
  throw failed(fmt::format(
      "{} of {} failed{}; the same command tries them again", failures,
      counted(plan.size(), "step"),
      in_vain == 0 ? ""
                   : fmt::format(", and {} that need them did not run", counted(in_vain, "step"))));
}

void show_reports(const Suite& suite, const SuiteManifest& manifest, const fs::path& out,
                  StatusLine& status) {
  write_reports(
      plan_reports(suite, manifest, out), out,
      [&](const std::string& name) { status.update(name); }, stop_token());
}

void show_tables(const Suite& suite, const SuiteManifest& manifest, const fs::path& out,
                 StatusLine& status) {
  status.update("tables");
  const fs::path file = published_file();
  std::error_code ignored;
  PublishedNumbers published;
  if (file.is_absolute() && fs::exists(file, ignored)) published = read_published(file);
  const SuiteTables tables = make_tables(suite, manifest, out, published, stop_token());
  for (const UnmadeTable& one : tables.unmade)
    status.print(fmt::format("table {}: not made, {}", one.name, one.reason));
  write_tables(tables, manifest, out);
}

// Tables, figures and the report are made of what is done, so they are made again each time.
void show(const Suite& suite, const SuiteManifest& manifest, const fs::path& out) {
  StatusLine status;
  show_tables(suite, manifest, out, status);
  status.update("figures");
  const SuiteFigures figures = make_figures(suite, manifest, out, available_cores(), stop_token());
  for (const UndrawnFigure& one : figures.undrawn)
    status.print(fmt::format("figure {}{}: not drawn, {}", one.name,
                             one.panel.empty() ? "" : ", " + one.panel, one.reason));
  try {
    write_figures(
        figures, out, [&](const std::string& name) { status.update("figure " + name); },
        stop_token());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kFailed) throw;
    status.print(fmt::format("figures are not drawn: {}", error.what()));  // without gnuplot
  }
  show_reports(suite, manifest, out, status);
}

void show_only(const Suite& suite, const fs::path& out) {
  read_manifest(out);  // nothing is made where there is none
  const FileLock lock(out / "lock");
  const SuiteManifest manifest = read_manifest(out);
  if (manifest.suite != suite.name)
    throw usage_error(fmt::format("{}: holds the suite '{}', not '{}'", out.string(),
                                  manifest.suite, suite.name));
  show(suite, manifest, out);
  put("results: {}\n", out.string());
}

void run(Flags flags, const CLI::App& program) {
  outlive_readers();
  if (flags.dry_run && flags.no_runs)
    throw usage_error("--dry-run writes nothing, and --no-runs tables and figures: choose one");
  const Suite suite = read_suite(find_suite(flags.suite));
  check_flags(suite, program);
  if (flags.out.empty()) flags.out = "suite-" + suite.name;
  if (flags.no_runs) return show_only(suite, flags.out);
  SettleOptions settle;
  settle.out = flags.out;
  settle.models = flags.models;
  settle.overwrite = flags.overwrite;
  settle.was_trained_so = was_trained_so;
  const std::vector<PlannedStep> unsettled = plan_suite(suite, plan_options(flags, suite));
  std::vector<PlannedStep> plan = unsettled;
  settle_plan(suite, plan, settle);
  check_commands(suite, plan);
  const std::string missing = missing_assets(plan);
  if (flags.dry_run) {
    put("{}", plan_table(suite, plan, flags.out, flags.jobs));
    if (!missing.empty()) put("Missing: {}\n", missing);
    return;
  }
  if (!missing.empty()) throw usage_error(missing);
  const FileLock lock(fs::path(flags.out) / "lock");  // nothing is made before all is checked
  plan = unsettled;
  SuiteManifest manifest = settle_plan(suite, plan, settle);
  remark_kept(plan);
  remark(plan_in_words(plan, flags.out, flags.jobs));
  RunSuiteOptions options;
  options.out = flags.out;
  options.program = fs::read_symlink("/proc/self/exe");
  options.jobs = flags.jobs;
  if (flags.jobs > 1) options.threads = std::max(1, available_cores() / flags.jobs);
  StatusLine status;
  run_steps(plan, manifest, options, reporter(status), stop_token());
  status.clear();
  show(suite, manifest, flags.out);
  check_all_done(plan, flags.out);
  put("results: {}\n", flags.out);
}

}  // namespace

void add_suite(CLI::App& app) {
  auto* command =
      app.add_subcommand("suite", "Run all that a suite lists, and make its tables and figures");
  auto flags = std::make_shared<Flags>();
  command->add_option("suite", flags->suite, "quick, paper, .. or a file")
      ->required()
      ->type_name(kSuite);
  command
      ->add_option("--data", flags->data,
                   "Only these data sets of the suite; NAME=TRAIN,TEST says where its texts are")
      ->type_name("DATA");
  command->add_option("--out", flags->out, "Folder for all results")
      ->default_str("suite-NAME")
      ->type_name(kFolder);
  command
      ->add_option("--models", flags->models,
                   "A folder of models that are used where they were trained by the same flags")
      ->type_name(kFolder);
  command->add_option("--jobs", flags->jobs, "Steps at once; a GPU trains 4 to 8 at once")
      ->check(CLI::Range(1, 256));
  command->add_option("--device", flags->device, "Where to compute; default: the suite's")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_option("--limit", flags->limit,
                      "Texts per certification and attack; default: the suite's");
  command
      ->add_option("--samples", flags->samples,
                   "N of a certification: noisy copies per text; default: the suite's")
      ->check(CLI::Range(1, 1000000000));
  command->add_option("--seed", flags->seed, "Of everything random; default: the suite's");
  command
      ->add_option("--only", flags->only,
                   "Only steps that are all of these words: train, certify, .. or the name of a "
                   "model, method, level, attack; and what they need")
      ->type_name("WORD");
  command->add_flag("--dry-run", flags->dry_run,
                    "Print the plan: what is done, what it takes, how much disk; run nothing");
  command->add_flag("--no-runs", flags->no_runs,
                    "Run nothing: tables, figures and the report of what is done, of all data");
  command
      ->add_flag("--overwrite", flags->overwrite,
                 "Replace results whose command has changed; otherwise they stay, beside the new")
      ->configurable(false);
  command->footer(
      "Examples:\n"
      "  textcrs suite quick --dry-run\n"
      "  textcrs suite quick --out my-suite\n"
      "  textcrs suite paper --data imdb --device cuda --jobs 6\n"
      "  textcrs suite paper --data ag-news=ag/train.csv,ag/test.csv --only bilstm deletion\n"
      "Every step is a command of this program, printed by --dry-run and kept in OUT/suite.json;\n"
      "what it says is in OUT/logs. After an interruption the same command goes on; a changed\n"
      "suite runs what has changed. docs/suites.md says how to write one.");
  command->callback([flags, &app] { run(*flags, app); });
}

}  // namespace textcrs::cli
