#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "inputs.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/smoothed_accuracy.h"

namespace textcrs::cli {
namespace {

struct Flags {
  DataFlags data;
  std::string model, noise, device = "cpu";
  int copies = 100;
  int threads = 0;
  uint64_t seed = 1;
};

void run(const Flags& flags) {
  const auto classifier = Classifier::load(flags.model);
  const auto noise = make_noise_for(*classifier, flags.noise);
  check_can_run(classifier->config(), *noise);
  const Dataset dataset = flags.data.load(classifier->config().classes, flags.seed);
  check_labels(dataset, flags.data.data, "an accuracy");
  const ChosenEngine chosen = choose_engine(*classifier, EngineChoice::kAuto, flags.device,
                                            std::nullopt, {.threads = flags.threads});
  const int copies = noise->spec() == "none" ? 1 : flags.copies;
  const double accuracy = smoothed_accuracy(*chosen.engine, *noise,
                                            encode_all(dataset, *classifier), copies, flags.seed);
  fmt::print("accuracy {:.2f} % on {} texts of {} ({}), noise {}, {} {} a text\n", 100 * accuracy,
             dataset.examples.size(), dataset.name, flags.data.split, noise->spec(), copies,
             copies == 1 ? "copy" : "copies");
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto* command = app.add_subcommand("evaluate", "Measure the accuracy of the smoothed classifier");
  auto flags = std::make_shared<Flags>();
  command->add_option("--model", flags->model, "A model folder")->required();
  flags->data.add(*command, "test");
  command->add_option("--noise", flags->noise, "Default: the one it was trained with");
  command->add_option("--copies", flags->copies, "Noisy copies that vote on a text")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", flags->seed, "Of the noise");
  command->add_option("--threads", flags->threads, "0: all cores")->check(CLI::Range(0, 4096));
  command->add_option("--device", flags->device, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->footer("Example:\n  textcrs evaluate --model imdb-vanilla --data imdb");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
