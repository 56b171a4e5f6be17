#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "output_folder.h"
#include "terminal.h"
#include "textcrs/base/files.h"
#include "textcrs/certified/default_noise.h"
#include "train_flags.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

void print(const PreparedClassifier& prepared) {
  fmt::print("{} texts, {} words; ", prepared.texts.size(), prepared.words);
  if (prepared.covered) fmt::print("the vectors cover {:.2f} % of them; ", 100 * *prepared.covered);
  fmt::print("vocabulary {}\n", prepared.classifier->vocabulary().size());
}

// Which noise and why, what it can prove at most, and how many steps there will be.
void print_plan(const TrainFlags& flags, const PreparedClassifier& prepared) {
  const ModelConfig& config = prepared.classifier->config();
  fmt::print("noise {}", config.noise);
  if (flags.chosen)
    fmt::print(", chosen for {}: {}; --noise names another",
               flags.aim.empty() ? "edits (--for)" : flags.aim, flags.chosen->reason);
  fmt::print("\n");
  const CertifierOptions certifier;
  if (const auto most = most_provable(config.noise, prepared.median_words, config.slots,
                                      config.classes.size(), certifier))
    fmt::print("it proves at most, of {} word{} if all of {} votes agree: {}\n",
               prepared.median_words, prepared.median_words == 1 ? "" : "s",
               certifier.estimation_samples, most->in_words());
  const auto texts = static_cast<int64_t>(flags.trained_texts(prepared.texts.size()));
  const int64_t batch = flags.options.batch_size;
  fmt::print("{} epochs of {} texts in batches of {}: {} steps\n", flags.options.epochs, texts,
             batch, flags.options.epochs * ((texts + batch - 1) / batch));
  flush_output();  // before the progress on stderr
}

TrainReporter reporter(StatusLine& status, nlohmann::ordered_json& history) {
  return [&](const TrainProgress& p) {
    if (!p.epoch_done) {
      status.update(fmt::format("epoch {}/{}  batch {}/{}  loss {:.4f}  {:.0f} texts/s  {} left",
                                p.epoch, p.epochs, p.batch, p.batches, p.loss, p.texts_per_second,
                                duration(p.seconds_left)));
      return;
    }
    status.print(fmt::format("epoch {:>2}/{}  loss {:.4f}  smoothed validation accuracy {:.2f} %{}",
                             p.epoch, p.epochs, p.loss, 100 * p.validation_accuracy,
                             p.is_kept ? "  (kept)" : ""));
    history.push_back({{"epoch", p.epoch},
                       {"loss", p.loss},
                       {"smoothed_validation_accuracy", p.validation_accuracy}});
  };
}

void run(TrainFlags& flags, CLI::App& command) {
  flags.settle(command);
  const auto [out, checkpoint] = open_output(flags.out, flags.overwrite, flags.options.resume);
  flags.options.checkpoint = checkpoint;
  const Dataset dataset = flags.data.load({}, flags.options.seed);
  check_labels(dataset, flags.data.data, "training (--label-column)");
  std::optional<Dataset> validation;
  if (!flags.validation.empty()) validation = flags.load_validation(dataset.classes);
  if (!flags.prepare.choose_noise && WordNeeds::of_noise(flags.prepare.model.noise).synonyms)
    flags.synonyms.require();
  flags.prepare.synonyms = flags.synonyms;
  flags.prepare.start_from = flags.start_from;
  flags.prepare.seed = flags.options.seed;
  const PreparedClassifier prepared = prepare_classifier(dataset, flags.prepare);
  flags.settle(command, prepared);
  const std::string resolved = command.config_to_str(true);
  print(prepared);
  print_plan(flags, prepared);
  Classifier* const classifier = prepared.classifier.get();

  StatusLine status;
  nlohmann::ordered_json history = nlohmann::ordered_json::array();
  const TrainResult result = resumable([&] {
    const TrainReporter report = reporter(status, history);
    return validation ? train(*classifier, prepared.texts, encode_all(*validation, *classifier),
                              flags.options, report, stop_token())
                      : train(*classifier, prepared.texts, flags.options, report, stop_token());
  });
  status.clear();
  classifier->save(out);
  const nlohmann::ordered_json training = {
      {"epoch", result.epoch},
      {"smoothed_validation_accuracy", result.validation_accuracy},
      {"seconds", result.seconds},
      {"texts", prepared.texts.size()},
      {"epochs", history}};
  write_file_atomically(out / "training.json", training.dump(2) + "\n");
  write_file_atomically(out / "train.toml", "[train]\n" + resolved);
  fs::remove_all(flags.options.checkpoint);
  fmt::print(
      "trained {} under {} in {}: epoch {} is kept, smoothed validation accuracy {:.2f} %\n"
      "model: {}\n",
      classifier->config().architecture, classifier->config().noise, duration(result.seconds),
      result.epoch, 100 * result.validation_accuracy, flags.out);
}

}  // namespace

void add_train(CLI::App& app) {
  auto* command = app.add_subcommand("train", "Train a base classifier under smoothing noise");
  auto flags = std::make_shared<TrainFlags>();
  flags->add(*command);
  command->footer(
      "Examples:\n"
      "  textcrs train --data imdb --out imdb-model\n"
      "  textcrs train --data imdb --for deletions --out imdb-deletions\n"
      "  textcrs train --data imdb --noise universal:p=0.95 --out imdb-universal\n"
      "  textcrs train --data sms.csv --text-column message --label-column spam \\\n"
      "                --noise delete:p=0.3 --epochs 5 --out sms-model\n"
      "  textcrs train --data imdb --architecture bert --noise universal:p=0.5 --device cuda \\\n"
      "                --out imdb-bert\n"
      "Ctrl-C keeps the state in OUT.partial; the same command with --resume goes on.");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace textcrs::cli
