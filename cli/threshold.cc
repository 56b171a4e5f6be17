#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.h"
#include "inputs.h"
#include "reporter.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/certified/load.h"
#include "textcrs/report/threshold_choice.h"
#include "textcrs/train/prepare.h"

namespace textcrs::cli {
namespace {

struct Flags {
  DataFlags data;
  std::string model, fallback;
  std::optional<double> accuracy;  // in per cent
  CertifiedOptions options;
  bool json = false;
};

std::string figures_in_words(const ThresholdFigures& figures) {
  return fmt::format("--threshold {}: accuracy {:.2f} %, the votes answer {:.1f} % of the texts",
                     shortest(figures.threshold), 100 * figures.accuracy, 100 * figures.by_votes);
}

void print(const ThresholdReport& report, const ThresholdChoice& choice, const Flags& flags,
           const std::optional<ThresholdFigures>& chosen) {
  put("{} with the fallback {}: {} of {} ({})\n\n", flags.model, flags.fallback,
      counted(report.texts, "text"), report.data, flags.data.split);
  put("In per cent of the texts; for each number of edits the certified accuracy\n{}",
      styled_first_line(Style::kHeading, table(choice.overview(chosen))));
  if (chosen) put("\n{}\n", figures_in_words(*chosen));
}

void run(const Flags& flags) {
  const auto cascade = load_cascade(flags.model, flags.fallback, 0, flags.options);
  const Dataset dataset = flags.data.load(cascade->classes(), flags.options.seed);
  check_labels(dataset, flags.data.data, "an accuracy");
  StatusLine status;
  const int64_t strongest = cascade->votes().strongest_vote();
  const ThresholdChoice choice(ask_both(*cascade, dataset, reporter(status), stop_token()),
                               strongest);
  status.clear();
  ThresholdReport report{cascade->description().model,
                         cascade->description().fallback,
                         dataset.name,
                         dataset.examples.size(),
                         strongest,
                         std::nullopt};
  if (flags.accuracy) report.wanted = *flags.accuracy / 100;
  const auto chosen = report.wanted ? choice.smallest_for(*report.wanted) : std::nullopt;
  if (flags.json)
    put("{}\n", to_json(report, choice));
  else
    print(report, choice, flags, chosen);
  flush_output();
  if (report.wanted && !chosen)
    throw failed(fmt::format("no threshold has an accuracy of {} % on these texts; the best: {}",
                             shortest(*flags.accuracy), figures_in_words(choice.best())));
}

}  // namespace

void add_threshold(CLI::App& app) {
  auto* command = app.add_subcommand(
      "threshold", "Choose how clear votes must be to answer instead of a fallback");
  auto flags = std::make_shared<Flags>();
  command->add_option("--model", flags->model, "The folder of a model that casts votes")
      ->required();
  command
      ->add_option("--fallback", flags->fallback,
                   "A model trained without noise that answers where the votes are not clear")
      ->required();
  flags->data.add(*command, "test");
  command
      ->add_option("--accuracy", flags->accuracy,
                   "In per cent: name the smallest threshold that has it")
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--threads", flags->options.engine.threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command->add_option("--device", flags->options.device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "Example:\n"
      "  textcrs threshold --model imdb-votes --fallback imdb-bert --data held-out.csv \\\n"
      "                    --accuracy 89\n"
      "  textcrs certify --model imdb-votes --fallback imdb-bert --threshold 2.5 --data imdb \\\n"
      "                  --out imdb-cascade\n"
      "Take texts that neither model was trained on, and others than those you report on.");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
