#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "flag_values.h"
#include "run_names.h"
#include "split.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/report/comparison.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> runs;
  std::string threat, data, radii, format = "text", out;
  ComparisonOptions options;
  bool json = false;
};

NamedRun load_run(const std::string& argument) {
  const RunArgument run = parse_run_argument(argument);
  return {run.name, read_run(run.folder)};
}

std::optional<double> parse_radius(const std::string& text) {
  if (text == "any") return kUnlimited;
  int radius = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), radius);
  if (error != std::errc() || end != text.data() + text.size() || radius < 1) return std::nullopt;
  return radius;
}

std::vector<double> parse_radii(const std::string& list) {
  std::vector<double> radii;
  if (list.empty()) return radii;
  for (const std::string& text : split(list, ",")) {
    const std::optional<double> radius = parse_radius(text);
    if (!radius || (!radii.empty() && *radius <= radii.back()))
      throw usage_error(fmt::format(
          "--radii {}: expected ascending whole numbers from 1 on, as 1,2,4, and 'any' at the end",
          list));
    radii.push_back(*radius);
  }
  return radii;
}

// Whether texts of this name, as runs keep it, are those of --data: a name, or a path.
bool is_name_of(const std::string& data, const std::string& found) {
  fs::path path = data;
  if (path.extension() == ".gz") path.replace_extension();
  return found == data || found == path.filename() || found == path.stem();
}

void check_data(const std::vector<NamedRun>& runs, const std::string& data) {
  for (const NamedRun& named : runs)
    if (const std::string found = named.run.data_name(); !data.empty() && !is_name_of(data, found))
      throw usage_error(fmt::format("--data {}: the run {} is about {}", data, named.name, found));
}

std::string table(const Comparison& comparison, const std::string& format, bool to_file) {
  if (format == "json") return to_json(comparison) + "\n";
  if (format == "markdown") return to_text(comparison, TableFormat::kMarkdown);
  if (format == "csv") return to_text(comparison, TableFormat::kCsv);
  if (format == "latex") return to_text(comparison, TableFormat::kLatex);
  const std::string text = to_text(comparison, TableFormat::kText);
  return to_file ? text : styled_first_line(Style::kHeading, text);
}

// What the library refuses, with the flag that helps.
Comparison compare(const std::vector<NamedRun>& runs, const ComparisonOptions& options) {
  try {
    return compare_runs(runs, options);
  } catch (const OtherTexts& other) {
    if (!other.missing()) throw;
    throw usage_error(
        fmt::format("{}; --common compares the texts that all runs have", other.what()));
  }
}

void run(Flags flags) {
  flags.options.threat = parse_operation(flags.threat);
  flags.options.radii = parse_radii(flags.radii);
  if (flags.options.candidates && flags.options.threat != Operation::kSubstitution)
    throw usage_error("--candidates goes with --threat substitution");
  std::vector<NamedRun> runs;
  for (const std::string& argument : flags.runs) runs.push_back(load_run(argument));
  check_data(runs, flags.data);
  const Comparison comparison = compare(runs, flags.options);
  const std::string text =
      table(comparison, flags.json ? "json" : flags.format, !flags.out.empty());
  if (flags.out.empty())
    put("{}", text);
  else
    write_file_atomically(flags.out, text);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto* command =
      app.add_subcommand("compare", "Compare what certified runs prove about the same texts");
  auto flags = std::make_shared<Flags>();
  command
      ->add_option("--threat", flags->threat,
                   "What the adversary may do, counted in words (reordering: in places)")
      ->check(CLI::IsMember({"substitution", "deletion", "insertion", "reordering", "edit"}))
      ->required();
  command->add_option("--data", flags->data, "The data set that all runs must be about");
  command
      ->add_option("--candidates", flags->options.candidates,
                   "Substitutions by candidates of this table, as the runs name it, or any: by any "
                   "word; default: the table that all runs with candidates are about")
      ->type_name("TABLE");
  command
      ->add_option("--radii", flags->radii,
                   "As 1,2,4 or 2,10,any; default: 1,2,3,5,10, of reorderings 2,4,8,16,32,any")
      ->type_name("LIST");
  command
      ->add_option("--against", flags->options.against,
                   "The run that the others are tested against; default: the first")
      ->type_name("RUN");
  command->add_flag("--common", flags->options.common,
                    "Compare the texts that all runs have; default: all must have the same");
  command->add_option("--format", flags->format, "How to print it")
      ->check(CLI::IsMember({"text", "markdown", "csv", "json", "latex"}));
  command->add_flag("--json", flags->json, "One JSON object, as --format json");
  command->add_option("--out", flags->out, "File for the table; default: standard output")
      ->type_name(kFile);
  command
      ->add_option("run", flags->runs,
                   "Folders that certify --out wrote, each with a name as NAME=FOLDER, if wanted")
      ->required()
      ->type_name(kFolder);
  command->footer(
      "Example:\n"
      "  textcrs compare --threat edit universal=imdb-certified votes=votes-certified\n"
      "  textcrs compare --threat substitution --radii 1,5,any --format markdown safer staircase\n"
      "A run is credited with what its certificate proves against the threat and nothing else;\n"
      "where that is nothing, the table says 0 and why. Each run is tested against the first on\n"
      "the same texts (McNemar, exact).");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
