#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "inputs.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/build_vocabulary.h"
#include "textcrs/train/trainer.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

struct TrainFlags {
  DataFlags data;
  SynonymFlags synonyms;
  ModelConfig model;
  TrainOptions options;
  std::string vectors = "glove";
  std::string out;
  int min_count = 1;
  bool overwrite = false;
};

constexpr int kFrequentWithoutVector = 100;

// "model/" names the folder "model": what is written beside it must not land in it.
fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

std::unique_ptr<Classifier> fresh_model(const TrainFlags& flags, const Dataset& dataset,
                                        const std::vector<std::vector<std::string>>& words) {
  const WordVectors vectors = open_vectors(flags.vectors);
  BuiltVocabulary built = build_vocabulary(words, vectors, flags.min_count, kFrequentWithoutVector);
  fmt::print("{} texts, {} words; the vectors cover {:.2f} % of them; vocabulary {}\n",
             dataset.examples.size(), built.tokens,
             100.0 * static_cast<double>(built.covered_tokens) / static_cast<double>(built.tokens),
             built.vocabulary.size());
  std::fflush(stdout);  // before the progress on stderr
  ModelConfig config = flags.model;
  config.classes = dataset.classes;
  SynonymTable synonyms;
  if (substitutes(config.noise)) synonyms = flags.synonyms.load(built.vocabulary, flags.vectors);
  const auto noise = make_noise(config.noise, {&built.vocabulary, &synonyms, config.slots});
  config.noise = noise->spec();
  config.pool_all_slots = noise->sigma() > 0;
  return Classifier::fresh(config, std::move(built.vocabulary), std::move(synonyms), vectors,
                           flags.options.seed, flags.options.device);
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
                             p.is_best ? "  (best)" : ""));
    history.push_back({{"epoch", p.epoch},
                       {"loss", p.loss},
                       {"smoothed_validation_accuracy", p.validation_accuracy}});
  };
}

void run(TrainFlags& flags, const std::string& resolved) {
  const fs::path out = without_slash(flags.out);
  if (fs::exists(out) && !flags.overwrite)
    throw usage_error(fmt::format("{} exists; choose another --out or add --overwrite", flags.out));
  flags.options.checkpoint = out.string() + ".partial";
  if (fs::exists(flags.options.checkpoint) && !flags.options.resume)
    fmt::print(stderr,
               "{} holds an interrupted run; starting anew (--resume would go on with it)\n",
               flags.options.checkpoint.string());
  const Dataset dataset = flags.data.load({}, flags.options.seed);
  for (const Example& example : dataset.examples)
    if (example.label == kNoLabel)
      throw bad_input(
          fmt::format("{}: text {} has no label; training needs one for every text "
                      "(--label-column)",
                      flags.data.data, example.id));
  const auto words = tokenize_all(dataset);
  const auto classifier = fresh_model(flags, dataset, words);
  const auto texts = encode_all(dataset, words, classifier->vocabulary());

  StatusLine status;
  nlohmann::ordered_json history = nlohmann::ordered_json::array();
  const TrainResult result =
      train(*classifier, texts, flags.options, reporter(status, history), &stop_requested);
  status.clear();
  classifier->save(out);
  const nlohmann::ordered_json training = {
      {"best_epoch", result.best_epoch},
      {"best_smoothed_validation_accuracy", result.best_validation_accuracy},
      {"seconds", result.seconds},
      {"texts", texts.size()},
      {"epochs", history}};
  write_file_atomically(out / "training.json", training.dump(2) + "\n");
  write_file_atomically(out / "train.toml", "[train]\n" + resolved);
  fs::remove_all(flags.options.checkpoint);
  fmt::print(
      "trained {} under {} in {}: best epoch {}, smoothed validation accuracy {:.2f} %\n"
      "model: {}\n",
      classifier->config().architecture, classifier->config().noise, duration(result.seconds),
      result.best_epoch, 100 * result.best_validation_accuracy, flags.out);
}

}  // namespace

void add_train(CLI::App& app) {
  auto* command = app.add_subcommand("train", "Train a base classifier under smoothing noise");
  auto flags = std::make_shared<TrainFlags>();
  flags->model.noise = "universal:p=0.5";
  TrainOptions& o = flags->options;
  flags->data.add(*command, "train");
  command->add_option("--out", flags->out, "Folder for the model")->required();
  command->add_flag("--overwrite", flags->overwrite, "Replace the folder if it exists");
  command->add_option("--noise", flags->model.noise, "Smoothing noise (textcrs list noises)");
  flags->synonyms.add(*command);
  command->add_option("--vectors", flags->vectors, "glove, or a GloVe .txt or wink .json file");
  command->add_option("--architecture", flags->model.architecture, "bilstm or cnn")
      ->check(CLI::IsMember({"bilstm", "cnn"}));
  command
      ->add_option_function<std::string>(
          "--precision",
          [flags](const std::string& name) { flags->model.precision = parse_precision(name); },
          "What answers and certificates are computed in on the CPU, once it is trained")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->default_str("bf16");
  command->add_option("--hidden", flags->model.hidden, "Units a direction, or filters a width")
      ->check(CLI::Range(1, 10000));
  command->add_option("--slots", flags->model.slots, "A noisy copy is cut to this many words")
      ->check(CLI::Range(1, 100000));
  command->add_option("--dropout", flags->model.dropout, "Of the pooled features")
      ->check(CLI::Range(0.0, 0.99));
  command->add_option("--input-dropout", flags->model.input_dropout, "Of the word vectors")
      ->check(CLI::Range(0.0, 0.99));
  command->add_option("--min-count", flags->min_count, "Words seen less often are unknown")
      ->check(CLI::PositiveNumber);
  command->add_option("--epochs", o.epochs, "Passes over the texts")->check(CLI::Range(1, 10000));
  command->add_option("--batch-size", o.batch_size, "Texts a step")->check(CLI::Range(1, 100000));
  command->add_option("--learning-rate", o.learning_rate, "Peak of the one-cycle schedule")
      ->check(CLI::PositiveNumber);
  command->add_option("--weight-decay", o.weight_decay, "Decoupled, as in AdamW")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--gradient-clip", o.gradient_clip, "Largest gradient norm; 0: none")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", o.seed, "Of everything random");
  command->add_option("--validation-share", o.validation_share, "Held out to choose the epoch")
      ->check(CLI::Range(0.0, 0.9));
  command->add_option("--validation-copies", o.validation_copies, "Noisy copies a held-out text")
      ->check(CLI::Range(1, 100000));
  command->add_option("--loader-threads", o.loader_threads, "Threads that draw noise ahead")
      ->check(CLI::Range(1, 256));
  command->add_option("--threads", o.threads, "Of the training step; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command->add_option("--device", o.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_flag("--resume", o.resume, "Go on with an interrupted run of the same flags");
  command->footer(
      "Examples:\n"
      "  textcrs train --data imdb --noise universal:p=0.9 --out imdb-universal\n"
      "  textcrs train --data sms.csv --text-column message --label-column spam \\\n"
      "                --noise delete:p=0.3 --epochs 5 --out sms-model\n"
      "Ctrl-C keeps the state in OUT.partial; the same command with --resume goes on.");
  command->callback([flags, command] { run(*flags, command->config_to_str(true)); });
}

}  // namespace textcrs::cli
