#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "flag_values.h"
#include "run_names.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/page/report_page.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> runs, models;
  std::string fallback, out;
  ReportOptions options;
  bool csv = false;
};

// A file of another kind is somebody's work, and would be replaced.
void check_out(const Flags& flags) {
  const std::string wanted = flags.csv ? ".csv" : ".html";
  if (fs::path(flags.out).extension() != wanted)
    throw usage_error(
        fmt::format("--out {}: expected the name of a file that ends in {}", flags.out, wanted));
}

std::vector<ReportedRun> reported_runs(const Flags& flags) {
  if (!flags.fallback.empty() && flags.models.empty())
    throw usage_error("--fallback goes with --model, the votes of the cascade");
  std::vector<ModelFolders> models;
  for (const std::string& model : flags.models) models.push_back({model, flags.fallback});
  std::vector<ReportedRun> runs;
  for (const std::string& argument : flags.runs) {
    RunArgument run = parse_run_argument(argument);
    runs.push_back({std::move(run.name), std::move(run.folder), models});
  }
  return runs;
}

std::string size_in_words(uintmax_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3)
                           : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void run(Flags flags) {
  check_out(flags);
  const std::vector<ReportedRun> runs = reported_runs(flags);
  if (flags.csv) {
    write_texts_csv(runs, flags.out, stop_token());
  } else {
    flags.options.how_to_keep_texts = "A run keeps them if it is made with certify --with-text.";
    flags.options.how_to_colour =
        "textcrs report --model FOLDER --coloured 2, with the model that made the run, does that.";
    StatusLine status;
    write_report(
        runs, flags.options, flags.out,
        [&](const ReportProgress& p) {
          status.update(
              fmt::format("{}: the words of {} of {}", p.run, p.done, counted(p.texts, "example")));
        },
        stop_token());
  }
  put("report: {} ({} of {})\n", flags.out, size_in_words(fs::file_size(flags.out)),
      counted(runs.size(), "run"));
}

}  // namespace

void add_report(CLI::App& app) {
  auto* command = app.add_subcommand(
      "report", "Show runs as one HTML page, or their texts as a table for spreadsheets");
  auto flags = std::make_shared<Flags>();
  command->add_option("--out", flags->out, "The page, FILE.html; with --csv the table, FILE.csv")
      ->required()
      ->type_name(kFile);
  command->add_flag("--csv", flags->csv, "A table with a row per text, instead of the page");
  command->add_option("--title", flags->options.title, "Of the page; default: by the runs")
      ->type_name("TEXT");
  command
      ->add_option("--examples", flags->options.examples,
                   "Texts of each kind that are shown of a run: certified most and least, wrong ..")
      ->check(CLI::Range(0, 100));
  command
      ->add_option("--model", flags->models,
                   "The models that made the runs, to colour the words of the examples; each run "
                   "finds its own")
      ->type_name(kFolder);
  command->add_option("--fallback", flags->fallback, "The model behind the votes of a cascade");
  command
      ->add_option("--coloured", flags->options.coloured,
                   "Of the examples of a kind, those whose words are coloured; default: all where "
                   "words vote, which costs nothing, else none")
      ->check(CLI::Range(0, 100));
  command
      ->add_option("--copies", flags->options.copies,
                   "Noisy copies per word that is coloured, where a network reads them")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("run", flags->runs,
                   "Folders that certify --out or attack --out wrote, each with a name as "
                   "NAME=FOLDER, if wanted")
      ->required()
      ->type_name(kFolder);
  command->footer(
      "Examples:\n"
      "  textcrs certify --model models/imdb-votes --data imdb --with-text --out votes\n"
      "  textcrs report votes --model models/imdb-votes --out votes.html\n"
      "  textcrs report votes universal=imdb-certified fooled --title \"IMDB\" --out imdb.html\n"
      "  textcrs report votes universal=imdb-certified --csv --out texts.csv\n"
      "The page is one file that asks the network for nothing and works from a disk or in a mail:\n"
      "results in words, tables, curves, confusions, calibration, examples, and all texts, to be\n"
      "searched and sorted. An interrupted run is shown as far as it came.");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
