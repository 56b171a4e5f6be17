#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "inputs.h"
#include "output_folder.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/files.h"
#include "textcrs/data/sources.h"
#include "textcrs/text/wordpiece.h"
#include "textcrs/torch/backend.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/pretrainer.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct PretrainFlags {
  DataFlags data;
  PretrainOptions options;
  std::string bert = "minilm", out, device = "cpu";
  bool overwrite = false;
};

std::vector<WordText> read_texts(const PretrainFlags& flags, const MaskedLm& model) {
  const Dataset dataset = flags.data.load({}, flags.options.seed);
  std::vector<std::vector<std::string>> words = split_all(
      dataset, [&](std::string_view text) { return bert_words(model.wordpiece(), text); });
  std::vector<WordText> texts;
  for (size_t i = 0; i < words.size(); ++i)
    texts.push_back({dataset.examples[i].id, std::move(words[i])});
  return texts;
}

std::string describe(const std::optional<GuessQuality>& quality) {
  return quality ? fmt::format("validation loss {:.4f}, {:.2f} % of the masked pieces guessed",
                               quality->loss, 100 * quality->accuracy)
                 : "no texts held out";
}

PretrainReporter reporter(StatusLine& status, ordered_json& history) {
  return [&](const PretrainProgress& p) {
    if (!p.epoch_done) {
      status.update(fmt::format(
          "epoch {}/{}  batch {}/{}  loss {:.4f}  {:.1f} sequences/s  {} left", p.epoch, p.epochs,
          p.batch, p.batches, p.loss, p.sequences_per_second, duration(p.seconds_left)));
      return;
    }
    status.print(fmt::format("epoch {:>2}/{}  loss {:.4f}  {}", p.epoch, p.epochs, p.loss,
                             describe(p.validation)));
    ordered_json epoch = {{"epoch", p.epoch}, {"loss", p.loss}};
    if (p.validation) {
      epoch["validation_loss"] = p.validation->loss;
      epoch["validation_accuracy"] = p.validation->accuracy;
    }
    history.push_back(epoch);
  };
}

void run(PretrainFlags& flags, const std::string& resolved) {
  const auto [out, checkpoint] = open_output(flags.out, flags.overwrite, flags.options.resume);
  flags.options.checkpoint = checkpoint;
  const std::unique_ptr<MaskedLm> model =
      torch_backend().masked_lm(asset_or_path(flags.bert), flags.device, flags.options.seed);
  const std::vector<WordText> texts = read_texts(flags, *model);

  StatusLine status;
  ordered_json history = ordered_json::array();
  const PretrainResult result = resumable([&] {
    return pretrain(*model, texts, flags.options, reporter(status, history), stop_token());
  });
  status.clear();
  model->save(out);
  const ordered_json pretraining = {{"texts", texts.size()},
                                    {"sequences", result.sequences},
                                    {"seconds", result.seconds},
                                    {"epochs", history}};
  write_file_atomically(out / "pretraining.json", pretraining.dump(2) + "\n");
  write_file_atomically(out / "pretrain.toml", "[pretrain]\n" + resolved);
  fs::remove_all(flags.options.checkpoint);
  fmt::print("pretrained on {} ({}) in {}: {}\nencoder: {}\n", counted(texts.size(), "text"),
             counted(result.sequences, "sequence"), duration(result.seconds),
             describe(result.validation), flags.out);
}

}  // namespace

void add_pretrain(CLI::App& app) {
  auto* command =
      app.add_subcommand("pretrain", "Teach a BERT to guess masked words of texts without labels");
  auto flags = std::make_shared<PretrainFlags>();
  PretrainOptions& o = flags->options;
  flags->data.add(*command, "train");
  command->add_option("--bert", flags->bert,
                      "The encoder to begin with: minilm (textcrs data fetch minilm) or a folder "
                      "of Hugging Face's library");
  command->add_option("--out", flags->out, "Folder for the encoder and its head")->required();
  command->add_flag("--overwrite", flags->overwrite, "Replace the folder if it exists");
  command->add_option("--epochs", o.epochs, "Passes over the texts")->check(CLI::Range(1, 10000));
  command->add_option("--batch-size", o.batch_size, "Sequences per step")
      ->check(CLI::Range(1, 100000));
  command->add_option("--length", o.length, "Pieces per sequence; longer texts become several")
      ->check(CLI::Range(3, 100000));
  command->add_option("--learning-rate", o.learning_rate, "Peak of the schedule")
      ->check(CLI::PositiveNumber);
  command->add_option("--warm-up", o.warm_up, "Share of the steps until the peak")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--weight-decay", o.weight_decay, "Decoupled, as in AdamW")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--gradient-clip", o.gradient_clip, "Largest gradient norm; 0: none")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--dropout", o.dropout, "Dropout of hidden states")
      ->check(CLI::Range(0.0, 0.99));
  command->add_flag("--freeze-embeddings", o.freeze_embeddings,
                    "Leave the vectors of the pieces and positions as they are");
  command->add_option("--seed", o.seed, "Seed of everything random");
  command
      ->add_option("--validation-share", o.validation_share,
                   "Share of the texts, held out to measure the guesses")
      ->check(CLI::Range(0.0, 0.9));
  command->add_option("--threads", o.threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command->add_option("--device", flags->device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_flag("--resume", o.resume, "Go on with an interrupted run of the same flags");
  command->footer(
      "Examples:\n"
      "  textcrs pretrain --data imdb --bert minilm --device cuda --out imdb-minilm\n"
      "  textcrs train --data imdb --architecture bert --bert imdb-minilm --out imdb-bert\n"
      "Ctrl-C keeps the state in OUT.partial; the same command with --resume goes on.");
  command->callback([flags, command] { run(*flags, command->config_to_str(true)); });
}

}  // namespace textcrs::cli
