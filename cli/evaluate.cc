#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cascade_flags.h"
#include "commands.h"
#include "inputs.h"
#include "reporter.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/report/evaluation.h"
#include "textcrs/report/warnings.h"
#include "textcrs/train/prepare.h"

namespace textcrs::cli {
namespace {

struct Flags {
  DataFlags data;
  CascadeFlags cascade;
  std::string model, noise, device = "cpu";
  EvaluationOptions options;
  int threads = 0;
  bool json = false;
};

// `trained_noise` is the model's own.
void print(const Evaluation& evaluation, const Flags& flags, const std::string& trained_noise) {
  const ClassReport& classes = evaluation.classes;
  put("accuracy {:.2f} % on {} of {} ({}), noise {}, {} {} per text\n", 100 * classes.accuracy(),
      counted(classes.texts(), "text"), evaluation.data, flags.data.split, evaluation.noise,
      evaluation.copies, evaluation.copies == 1 ? "copy" : "copies");
  if (const auto other = other_noise_in_words(evaluation.noise, trained_noise); !other.empty())
    put("{}\n", other);
  if (const auto& fallback = evaluation.fallback)
    put("{} of {} answered by the fallback\n", fallback->texts, counted(classes.texts(), "text"));
  put("\n{}\n{}", styled_first_line(Style::kHeading, class_table(classes)),
      styled_first_line(Style::kHeading, confusion_table(classes)));
}

void say(const Evaluation& evaluation, const Flags& flags, const std::string& trained_noise) {
  if (flags.json)
    put("{}\n", to_json(evaluation));
  else
    print(evaluation, flags, trained_noise);
}

Dataset labelled_texts(const Flags& flags, const std::vector<std::string>& classes) {
  Dataset dataset = flags.data.load(classes, flags.options.seed);
  check_labels(dataset, flags.data.data, "an accuracy");
  return dataset;
}

void run_cascade(const Flags& flags) {
  CertifiedOptions options;
  options.noise = flags.noise;
  options.device = flags.device;
  options.engine.threads = flags.threads;
  const auto cascade = flags.cascade.load(flags.model, options);
  const Dataset dataset = labelled_texts(flags, cascade->classes());
  StatusLine status;
  const Evaluation evaluation = evaluate(*cascade, dataset, reporter(status), stop_token());
  status.clear();
  say(evaluation, flags, "");
}

void run(const Flags& flags) {
  if (flags.cascade.given()) return run_cascade(flags);
  const auto classifier = load_with_noise(flags.model);
  const auto noise = make_noise_for(*classifier, flags.noise);
  check_can_run(classifier->config(), *noise);
  const Dataset dataset = labelled_texts(flags, classifier->config().classes);
  const ChosenEngine chosen = choose_engine(*classifier, EngineChoice::kAuto, flags.device,
                                            std::nullopt, {.threads = flags.threads});
  StatusLine status;
  const Evaluation evaluation = evaluate(*classifier, *chosen.engine, *noise, dataset,
                                         flags.options, reporter(status), stop_token());
  status.clear();
  say(evaluation, flags, make_noise_for(*classifier, "")->spec());
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto* command = app.add_subcommand("evaluate", "Measure the accuracy of the smoothed classifier");
  auto flags = std::make_shared<Flags>();
  command->add_option("--model", flags->model, "A model folder")->required();
  flags->data.add(*command, "test");
  flags->cascade.add(*command);
  command->add_option("--noise", flags->noise, "Default: the one it was trained with");
  command->add_option("--copies", flags->options.copies, "Noisy copies that vote on a text")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", flags->options.seed, "Seed of the noise");
  command->add_option("--threads", flags->threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command->add_option("--device", flags->device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "Example:\n"
      "  textcrs evaluate --model imdb-vanilla --data imdb\n"
      "Prints the accuracy, precision, recall and F1 of every class, and which class was taken\n"
      "for which (of more than 20 classes, the most frequent confusions).");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
