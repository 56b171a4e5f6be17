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

constexpr const char* kNotes = "pretraining.json";

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

PretrainReporter reporter(StatusLine& status) {
  return [&status](const PretrainProgress& p) {
    if (!p.epoch_done) {
      status.update(fmt::format(
          "epoch {}/{}  batch {}/{}  loss {:.4f}  {:.1f} sequences/s  {} left", p.epoch, p.epochs,
          p.batch, p.batches, p.loss, p.sequences_per_second, duration(p.seconds_left)));
      return;
    }
    status.print(fmt::format("epoch {:>2}/{}  loss {:.4f}  {}", p.epoch, p.epochs, p.loss,
                             describe(p.validation)));
  };
}

ordered_json to_json(const PretrainResult& result, size_t texts) {
  ordered_json epochs = ordered_json::array();
  for (const PretrainResult::Epoch& done : result.epochs) {
    ordered_json epoch = {{"epoch", done.number}, {"loss", done.loss}};
    if (done.validation) {
      epoch["validation_loss"] = done.validation->loss;
      epoch["validation_accuracy"] = done.validation->accuracy;
    }
    epochs.push_back(epoch);
  }
  return {{"texts", texts},
          {"sequences", result.sequences},
          {"seconds", result.seconds},
          {"epochs", epochs},
          {"run", result.run}};
}

void run(PretrainFlags& flags, const CLI::App& command) {
  outlive_readers();
  const OutputFolder out({.verb = "pretrain",
                          .notes = kNotes,
                          .out = flags.out,
                          .given = command.config_to_str(),
                          .overwrite = flags.overwrite,
                          .resume = flags.options.resume});
  if (out.is_finished()) {
    put("encoder: {}\n", flags.out);
    return;
  }
  flags.options.checkpoint = out.checkpoint();
  flags.options.resume = out.resume();
  const std::unique_ptr<MaskedLm> model =
      torch_backend().masked_lm(asset_or_path(flags.bert), flags.device, flags.options.seed);
  const std::vector<WordText> texts = read_texts(flags, *model);

  StatusLine status;
  const PretrainResult result = resumable(
      [&] { return pretrain(*model, texts, flags.options, reporter(status), stop_token()); });
  status.clear();
  write_folder_atomically(out.folder(), [&](const fs::path& folder) {
    model->save(folder);
    write_file_atomically(folder / kNotes, to_json(result, texts.size()).dump(2) + "\n");
    write_file_atomically(folder / "pretrain.toml", "[pretrain]\n" + command.config_to_str(true));
  });
  remove_folder_atomically(out.checkpoint());
  put("pretrained on {} ({}) in {}: {}\nencoder: {}\n", counted(texts.size(), "text"),
      counted(result.sequences, "sequence"), duration(result.seconds), describe(result.validation),
      flags.out);
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
      "The state is in OUT.partial after every epoch, every two minutes, and after Ctrl-C; the\n"
      "same command with --resume goes on.");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace textcrs::cli
