#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "output_folder.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/files.h"
#include "textcrs/certified/default_noise.h"
#include "textcrs/certified/tune_votes.h"
#include "textcrs/noise/noise.h"
#include "textcrs/report/vote_frontier.h"
#include "train_flags.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNotes = "training.json";

void remark_texts(const PreparedClassifier& prepared) {
  std::string line =
      counted(prepared.texts.size(), "text") + ", " + counted(prepared.words, "word") + "; ";
  if (prepared.covered)
    line += fmt::format("the vectors cover {:.2f} % of them; ", 100 * *prepared.covered);
  remark(line + fmt::format("vocabulary {}", prepared.classifier->vocabulary().size()));
}

double sentences_per_text(const std::vector<EncodedText>& texts) {
  size_t sentences = 0;
  for (const EncodedText& text : texts) sentences += text.sentence_ends->size();
  return static_cast<double>(sentences) / static_cast<double>(texts.size());
}

// Which noise and why, what it can prove at most, and how many steps there will be.
void remark_plan(const TrainFlags& flags, const PreparedClassifier& prepared) {
  const ModelConfig& config = prepared.classifier->config();
  if (config.units == Units::kSentences)
    remark(fmt::format("sentences vote, {:.1f} per text; training prepares for {} of sentences",
                       sentences_per_text(prepared.texts),
                       counted(static_cast<int64_t>(flags.options.votes.edits), "edit")));
  if (config.intervals)
    remark(fmt::format("interval bounds over the candidates of all words at once ({})",
                       config.synonyms));
  std::string noise = "noise " + config.noise;
  if (flags.chosen)
    noise += fmt::format(", chosen for {}: {}; --noise names another",
                         flags.aim.empty() ? "edits (--for)" : flags.aim, flags.chosen->reason);
  remark(noise);
  const CertifierOptions certifier;
  if (const auto most =
          most_provable(config.noise, prepared.median_words, config.slots, config.classes.size(),
                        certifier, &prepared.classifier->vocabulary()))
    remark(fmt::format("it proves at most, of {} if all of {} votes agree: {}",
                       counted(prepared.median_words, "word"), certifier.estimation_samples,
                       most->in_words()));
  const auto texts = static_cast<int64_t>(flags.trained_texts(prepared.texts));
  const int64_t batch = flags.options.batch_size;
  remark(fmt::format("{} of {} in batches of {}: {}", counted(flags.options.epochs, "epoch"),
                     counted(texts, "text"), batch,
                     counted(flags.options.epochs * ((texts + batch - 1) / batch), "step")));
}

nlohmann::ordered_json or_null(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

// What the epochs are compared by. Under noise it is that of the smoothed classifier.
struct Accuracy {
  std::string in_words;
  std::string key;  // in training.json

  static Accuracy of(const ModelConfig& config) {
    if (config.intervals)
      return {"mean of validation accuracy and certified accuracy",
              "mean_of_validation_and_certified_accuracy"};
    return {config.noise == kNoNoise ? "validation accuracy" : "smoothed validation accuracy",
            "smoothed_validation_accuracy"};
  }
};

TrainReporter reporter(StatusLine& status, const Accuracy& accuracy) {
  return [&status, accuracy](const TrainProgress& p) {
    if (!p.epoch_done) {
      status.update(fmt::format("epoch {}/{}  batch {}/{}  loss {:.4f}  {:.0f} texts/s  {} left",
                                p.epoch, p.epochs, p.batch, p.batches, p.loss, p.texts_per_second,
                                duration(p.seconds_left)));
      return;
    }
    std::string line = fmt::format("epoch {:>2}/{}  loss {:.4f}", p.epoch, p.epochs, p.loss);
    if (p.validation_accuracy)
      line += fmt::format("  {} {:.2f} %{}", accuracy.in_words, 100 * *p.validation_accuracy,
                          p.is_best ? "  (best so far)" : "");
    status.print(line);
  };
}

// "epoch 9 is kept, smoothed validation accuracy 92.00 % (the best: 94.00 %, epoch 7)"
std::string in_words(const TrainResult& result, const std::string& accuracy) {
  std::string text = fmt::format("epoch {} is kept, ", result.epoch);
  if (!result.validation_accuracy) return text + "no held-out texts";
  text += fmt::format("{} {:.2f} %", accuracy, 100 * *result.validation_accuracy);
  if (*result.best_accuracy > *result.validation_accuracy)
    text += fmt::format(" (the best: {:.2f} %, epoch {})", 100 * *result.best_accuracy,
                        result.best_epoch);
  return text;
}

// Tries the settings of a model that casts votes, says what each proved on held-out texts, and
// takes the best.
std::vector<VoteTrial> choose_setting(TrainFlags& flags, const PreparedClassifier& prepared,
                                      bool temperature_given) {
  std::vector<VoteSetting> settings =
      settings_to_try(prepared.median_words, prepared.classifier->synonyms().size() > 0);
  VoteOptions& votes = flags.options.votes;
  if (temperature_given) {
    for (VoteSetting& setting : settings) setting.temperature = votes.temperature;
    settings.erase(std::unique(settings.begin(), settings.end()), settings.end());
  }
  TuneOptions options;
  options.training = flags.options;
  options.threads = flags.options.threads;
  options.file = flags.options.checkpoint / "trials.json";
  StatusLine status;
  const auto report = [&](const TuneProgress& p) {
    status.update(fmt::format("{} of {} tried", p.done, counted(p.settings, "setting")));
  };
  report({0, settings.size()});
  std::vector<VoteTrial> trials = resumable([&] {
    return tune_votes(*prepared.classifier, prepared.texts, settings, options, report,
                      stop_token());
  });
  status.clear();
  remark(
      fmt::format("certified accuracy in % on {} % of the texts, held out; area: up to {} edits\n",
                  100 * options.held_out, options.most_edits) +
      frontier_table(trials));
  const VoteSetting best = best_of(trials).setting;
  votes.edits = best.edits;
  votes.temperature = best.temperature;
  return trials;
}

nlohmann::ordered_json to_json(const std::vector<VoteTrial>& trials) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const VoteTrial& trial : trials)
    json.push_back({{"edits", trial.setting.edits},
                    {"temperature", trial.setting.temperature},
                    {"certified_accuracy", trial.certified}});
  return json;
}

nlohmann::ordered_json to_json(const TrainResult& result, const Accuracy& accuracy, size_t texts) {
  nlohmann::ordered_json epochs = nlohmann::ordered_json::array();
  for (const TrainResult::Epoch& epoch : result.epochs)
    epochs.push_back({{"epoch", epoch.number},
                      {"loss", epoch.loss},
                      {accuracy.key, or_null(epoch.validation_accuracy)}});
  return {{"epoch", result.epoch},     {accuracy.key, or_null(result.validation_accuracy)},
          {"seconds", result.seconds}, {"texts", texts},
          {"epochs", epochs},          {"run", result.run}};
}

void run(TrainFlags& flags, CLI::App& command) {
  outlive_readers();
  const std::string given = command.config_to_str();
  flags.settle(command);
  const OutputFolder out({.verb = "train",
                          .notes = kNotes,
                          .out = flags.out,
                          .given = given,
                          .overwrite = flags.overwrite,
                          .resume = flags.options.resume});
  if (out.is_finished()) {
    put("model: {}\n", flags.out);
    return;
  }
  flags.options.checkpoint = out.checkpoint();
  flags.options.resume = out.resume();
  const Dataset dataset = flags.data.load({}, flags.options.seed);
  check_labels(dataset, flags.data.data, "training (--label-column)");
  std::optional<Dataset> validation;
  if (!flags.validation.empty()) validation = flags.load_validation(dataset.classes);
  if (!flags.prepare.choose_noise && flags.canonical.empty() &&
      WordNeeds::of_noise(flags.prepare.model.noise).synonyms)
    flags.synonyms.require();
  flags.prepare.synonyms = flags.synonyms;
  flags.read_canonical();
  flags.prepare.start_from = flags.start_from;
  flags.prepare.seed = flags.options.seed;
  PreparedClassifier prepared = prepare_classifier(dataset, flags.prepare);
  flags.settle(command, prepared);
  const std::string resolved = command.config_to_str(true);
  remark_texts(prepared);
  remark_plan(flags, prepared);
  flags.noisy.ask_teacher(dataset, prepared, flags.options);
  Classifier* const classifier = prepared.classifier.get();
  flags.options.votes.word_vectors = prepared.word_vectors;
  flags.options.votes.dimension = prepared.dimension;
  std::vector<VoteTrial> trials;
  if (flags.choose_setting) {
    trials = choose_setting(flags, prepared, command.count("--temperature") > 0);
    // An interrupted choice leaves no state of the training itself.
    flags.options.resume = flags.options.resume && fs::exists(out.checkpoint() / "state.json");
  }

  StatusLine status;
  const Accuracy accuracy = Accuracy::of(classifier->config());
  const TrainResult result = resumable([&] {
    const TrainReporter report = reporter(status, accuracy);
    return validation ? train(*classifier, prepared.texts, encode_all(*validation, *classifier),
                              flags.options, report, stop_token())
                      : train(*classifier, prepared.texts, flags.options, report, stop_token());
  });
  status.clear();
  nlohmann::ordered_json training = to_json(result, accuracy, prepared.texts.size());
  if (classifier->config().kind().casts_votes) {
    training["edits"] = flags.options.votes.edits;
    training["temperature"] = flags.options.votes.temperature;
  }
  flags.noisy.record(flags.options, training);
  if (!trials.empty()) training["trials"] = to_json(trials);
  write_folder_atomically(out.folder(), [&](const fs::path& folder) {
    classifier->save(folder);
    write_file_atomically(folder / kNotes, training.dump(2) + "\n");
    write_file_atomically(folder / "train.toml", "[train]\n" + resolved);
  });
  remove_folder_atomically(out.checkpoint());
  const ModelConfig& config = classifier->config();
  put("trained {}{} in {}: {}\nmodel: {}\n", config.architecture,
      config.noise == kNoNoise ? "" : " under " + config.noise, duration(result.seconds),
      in_words(result, accuracy.in_words), flags.out);
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
      "  textcrs train --data imdb --units sentences --out imdb-sentences\n"
      "The state is in OUT.partial after every epoch, every two minutes, and after Ctrl-C; the\n"
      "same command with --resume goes on.");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace textcrs::cli
