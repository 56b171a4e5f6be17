#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "inputs.h"
#include "textcrs/base/error.h"
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
  const auto classifier = Classifier::load(flags.model, flags.device);
  const ModelConfig& config = classifier->config();
  const auto noise = make_noise(flags.noise.empty() ? config.noise : flags.noise,
                                {&classifier->vocabulary(), &classifier->synonyms(), config.slots});
  if (noise->sigma() > 0 && config.architecture == "bert" && !config.pool_all_slots)
    throw usage_error(
        fmt::format("noise {} does not fit {}, which was trained under {}: a bert of the insertion "
                    "noise reads a word a slot",
                    noise->spec(), flags.model, config.noise));
  const Dataset dataset = flags.data.load(config.classes, flags.seed);
  for (const Example& example : dataset.examples)
    if (example.label == kNoLabel)
      throw bad_input(fmt::format("{}: text {} has no label, so there is no accuracy to measure",
                                  flags.data.data, example.id));
  const int copies = noise->spec() == "none" ? 1 : flags.copies;
  const double accuracy = smoothed_accuracy(
      *classifier, *noise,
      encode_all(dataset, split_all(dataset, *classifier), classifier->vocabulary()), copies,
      flags.seed, flags.threads);
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
