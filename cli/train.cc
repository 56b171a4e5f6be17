#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "inputs.h"
#include "output_folder.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/spec.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/trainer.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

struct TrainFlags {
  DataFlags data;
  SynonymFlags synonyms;
  PrepareOptions prepare;
  TrainOptions options;
  std::string start_from;  // a model folder; empty: none
  std::string out;
  bool overwrite = false;
};

void print(const PreparedClassifier& prepared) {
  fmt::print("{} texts, {} words; ", prepared.texts.size(), prepared.words);
  if (prepared.covered) fmt::print("the vectors cover {:.2f} % of them; ", 100 * *prepared.covered);
  fmt::print("vocabulary {}\n", prepared.classifier->vocabulary().size());
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
                             p.is_best ? "  (best)" : ""));
    history.push_back({{"epoch", p.epoch},
                       {"loss", p.loss},
                       {"smoothed_validation_accuracy", p.validation_accuracy}});
  };
}

void run(TrainFlags& flags, const std::string& resolved) {
  const auto [out, checkpoint] = open_output(flags.out, flags.overwrite, flags.options.resume);
  flags.options.checkpoint = checkpoint;
  const Dataset dataset = flags.data.load({}, flags.options.seed);
  check_labels(dataset, flags.data.data, "training (--label-column)");
  if (WordNeeds::of_noise(flags.prepare.model.noise).synonyms) flags.synonyms.require();
  flags.prepare.synonyms = flags.synonyms;
  flags.prepare.start_from = flags.start_from;
  flags.prepare.seed = flags.options.seed;
  const PreparedClassifier prepared = prepare_classifier(dataset, flags.prepare);
  print(prepared);
  Classifier* const classifier = prepared.classifier.get();

  StatusLine status;
  nlohmann::ordered_json history = nlohmann::ordered_json::array();
  const TrainResult result = resumable([&] {
    return train(*classifier, prepared.texts, flags.options, reporter(status, history),
                 stop_token());
  });
  status.clear();
  classifier->save(out);
  const nlohmann::ordered_json training = {
      {"best_epoch", result.best_epoch},
      {"best_smoothed_validation_accuracy", result.best_validation_accuracy},
      {"seconds", result.seconds},
      {"texts", prepared.texts.size()},
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

CLI::Validator known_architecture() {
  const auto complaint = [](std::string& name) -> std::string {
    const auto known = architecture_names();
    if (std::find(known.begin(), known.end(), name) != known.end()) return "";
    return fmt::format("found '{}', expected one of: {}{}", name, fmt::join(known, ", "),
                       did_you_mean(name, known));
  };
  return CLI::Validator(complaint, fmt::format("{{{}}}", fmt::join(architecture_names(), ",")));
}

// Gives options that were left out what suits the architecture.
void recommend(CLI::App& command, TrainFlags& flags) {
  const Architecture& architecture = flags.prepare.model.kind();
  const TrainOptions best = TrainOptions::recommended(architecture);
  const auto use = [&](const std::string& name, auto& field, auto value) {
    CLI::Option* const option = command.get_option(name);
    if (option->count() > 0) return;
    field = value;
    option->default_str(shortest(static_cast<double>(value)));
  };
  use("--epochs", flags.options.epochs, best.epochs);
  use("--batch-size", flags.options.batch_size, best.batch_size);
  use("--learning-rate", flags.options.learning_rate, best.learning_rate);
  use("--warm-up", flags.options.warm_up, best.warm_up);
  use("--weight-decay", flags.options.weight_decay, best.weight_decay);
  use("--dropout", flags.prepare.model.dropout, architecture.training.dropout);
  use("--input-dropout", flags.prepare.model.input_dropout, architecture.training.input_dropout);
  if (architecture.reads_pieces && flags.prepare.model.input_dropout > 0)
    throw usage_error("--input-dropout is for word vectors; a bert has --dropout");
}

}  // namespace

void add_train(CLI::App& app) {
  auto* command = app.add_subcommand("train", "Train a base classifier under smoothing noise");
  auto flags = std::make_shared<TrainFlags>();
  flags->prepare.model.noise = "universal:p=0.5";
  TrainOptions& o = flags->options;
  flags->data.add(*command, "train");
  command->add_option("--out", flags->out, "Folder for the model")->required();
  command->add_flag("--overwrite", flags->overwrite, "Replace the folder if it exists");
  command->add_option("--noise", flags->prepare.model.noise,
                      "Smoothing noise (textcrs list noises)");
  flags->synonyms.add(*command);
  command->add_option("--vectors", flags->prepare.vectors,
                      "glove, or a GloVe .txt or wink .json file");
  command
      ->add_option("--architecture", flags->prepare.model.architecture,
                   "The base classifier (textcrs list models)")
      ->check(known_architecture());
  command->add_option("--bert", flags->prepare.bert,
                      "bert: the encoder to begin with, minilm (textcrs data fetch minilm) or a "
                      "folder of Hugging Face's library");
  command->add_option("--start-from", flags->start_from,
                      "Begin with the parameters of this trained model, of the same shape");
  command
      ->add_option_function<std::string>(
          "--precision",
          [flags](const std::string& name) {
            flags->prepare.model.precision = parse_precision(name);
          },
          "What answers and certificates are computed in: on the CPU, and by a bert on a GPU, "
          "where "
          "it is trained in it, too")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->default_str("bf16");
  command
      ->add_option("--hidden", flags->prepare.model.hidden,
                   "Units per direction, or filters per width; a bert brings its own")
      ->check(CLI::Range(1, 10000));
  command
      ->add_option("--slots", flags->prepare.model.slots, "A noisy copy is cut to this many words")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--dropout", flags->prepare.model.dropout,
                   "Dropout of the pooled features; bert: and of hidden states, 0.1")
      ->check(CLI::Range(0.0, 0.99));
  command
      ->add_option("--input-dropout", flags->prepare.model.input_dropout,
                   "Dropout of the word vectors")
      ->check(CLI::Range(0.0, 0.99));
  command
      ->add_option("--min-count", flags->prepare.min_count,
                   "Words seen less often are unknown (to a bert: have no synonyms)")
      ->check(CLI::PositiveNumber);
  command->add_option("--epochs", o.epochs, "Passes over the texts; bert: 3")
      ->check(CLI::Range(1, 10000));
  command->add_option("--batch-size", o.batch_size, "Texts per step; bert: 32")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--accumulate", o.accumulate,
                   "A step's texts go through in so many parts, for less memory")
      ->check(CLI::Range(1, 100000));
  command->add_option("--learning-rate", o.learning_rate, "Peak of the schedule; bert: 5e-05")
      ->check(CLI::PositiveNumber);
  command->add_option("--warm-up", o.warm_up, "Share of the steps until the peak; bert: 0.1")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--weight-decay", o.weight_decay, "Decoupled, as in AdamW; bert: 0.01")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--gradient-clip", o.gradient_clip, "Largest gradient norm; 0: none")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--freeze-layers", o.freeze_layers, "bert: the first layers that stay")
      ->check(CLI::Range(0, 1000));
  command->add_option("--seed", o.seed, "Seed of everything random");
  command
      ->add_option("--validation-share", o.validation_share,
                   "Share of the texts, held out to choose the epoch")
      ->check(CLI::Range(0.0, 0.9));
  command->add_option("--validation-copies", o.validation_copies, "Noisy copies per held-out text")
      ->check(CLI::Range(1, 100000));
  command->add_option("--loader-threads", o.loader_threads, "Threads that draw noise ahead")
      ->check(CLI::Range(1, 256));
  command->add_option("--threads", o.threads, "CPU threads of the training step; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command->add_option("--device", o.device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_flag("--resume", o.resume, "Go on with an interrupted run of the same flags");
  command->footer(
      "Examples:\n"
      "  textcrs train --data imdb --noise universal:p=0.9 --out imdb-universal\n"
      "  textcrs train --data sms.csv --text-column message --label-column spam \\\n"
      "                --noise delete:p=0.3 --epochs 5 --out sms-model\n"
      "  textcrs train --data imdb --architecture bert --noise universal:p=0.5 --device cuda \\\n"
      "                --out imdb-bert\n"
      "Ctrl-C keeps the state in OUT.partial; the same command with --resume goes on.");
  command->callback([flags, command] {
    recommend(*command, *flags);
    run(*flags, command->config_to_str(true));
  });
}

}  // namespace textcrs::cli
