#include "attack_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>

#include "flag_values.h"
#include "textcrs/base/error.h"
#include "textcrs/data/catalogue.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

// "name=folder", or a folder, which is then called by its own name.
NamedModel named_model(const std::string& argument) {
  const size_t sign = argument.find('=');
  if (sign != std::string::npos && !fs::is_directory(argument)) {
    if (sign == 0) throw usage_error(argument + ": expected a name before the '='");
    return {argument.substr(0, sign), argument.substr(sign + 1)};
  }
  fs::path folder = fs::path(argument).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return {folder.filename().string(), argument};
}

bool has_training_split(const std::string& data) {
  if (fs::is_directory(data)) return true;
  for (const Asset& asset : assets())
    if (asset.name == data) return true;
  return false;
}

}  // namespace

void AttackFlags::add(CLI::App& command) {
  command.add_option("--model", model, "The model to attack, a folder")->required();
  command
      .add_option("--recipe", recipe,
                  "The attack and its thresholds: textfooler, word-reorder:share=0.2, ..")
      ->required()
      ->type_name(kRecipe);
  data.add(command, "test");
  command
      .add_option("--against", against,
                  "Further models, NAME=FOLDER: what they answer for the edited texts, and whether "
                  "their certificates of the clean ones cover these")
      ->type_name(kFolder);
  command.add_option("--out", out, "Folder for the results")->required();
  command.add_flag("--overwrite", overwrite, "Start anew, whatever results are there")
      ->configurable(false);
  command.add_option("--queries", limits.queries, "Budget of queries per text; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--seed", options.seed, "Of what the attack draws, and of the noise");
  command.add_option("--noise", options.noise,
                     "Of the model that is attacked; default: the one it was trained with");
  command.add_option("--copies", copies, "Noisy copies whose votes are a smoothed model's scores")
      ->check(CLI::Range(1, 1000000));
  options.certifier.estimation_samples = 20000;
  command
      .add_option("--samples", options.certifier.estimation_samples,
                  "N: noisy copies per text of a certificate")
      ->check(CLI::Range(1, 1000000000));
  command
      .add_option("--selection-samples", options.certifier.selection_samples,
                  "N0: copies that choose the class")
      ->check(CLI::Range(1, 1000000000));
  command.add_option("--alpha", options.certifier.alpha,
                     "Probability that a text's certificate is wrong");
  command.add_option("--vectors", sources.vectors,
                     "textfooler: the vectors of its replacements; glove or a file");
  command.add_option(
      "--synonyms", sources.replacements,
      "textfooler: its replacements; glove (the nearest by the vectors), wordnet, or a "
      "JSON file {word: [words]}");
  command.add_option("--wordnet", sources.wordnet, "Synonyms and parts of speech")
      ->type_name(kFolder);
  command.add_option("--encoder", sources.encoder, "Sentence similarity: a pretrained BERT")
      ->type_name(kEncoder);
  command
      .add_option("--masked-lm", sources.masked_words,
                  "bae-insert: a folder that textcrs pretrain made")
      ->type_name(kFolder);
  command
      .add_option("--reference", reference,
                  "good-words, universal-trigger, frontier: labelled texts that the adversary has "
                  "seen; default: the training texts of --data")
      ->type_name(kData);
  command.add_option("--threads", options.engine.threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command.add_option("--device", options.device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
}

std::vector<NamedModel> AttackFlags::defences() const {
  std::vector<NamedModel> models;
  std::set<std::string> names = {"target"};
  for (const std::string& argument : against) {
    models.push_back(named_model(argument));
    if (!names.insert(models.back().name).second)
      throw usage_error(
          fmt::format("--against {}: the name '{}' is taken, NAME=FOLDER gives another", argument,
                      models.back().name));
  }
  return models;
}

std::unique_ptr<CertifiedClassifier> AttackFlags::load_defence(const std::string& folder,
                                                               const std::string& noise) const {
  CertifiedOptions chosen = options;
  chosen.noise = noise;
  chosen.engine.threads = 1;
  if (chosen.device != "cpu") {
    // Votes are added up and intervals are bounded on the CPU, wherever the others run.
    const ModelConfig config = ModelConfig::load(fs::path(folder) / "config.json");
    const bool plain = config.noise == kNoNoise && (noise.empty() || noise == kNoNoise);
    if (plain && (config.kind().casts_votes || config.intervals)) chosen.device = "cpu";
  }
  return load_certified(folder, chosen);
}

std::vector<LabelledWords> AttackFlags::load_reference(const AttackTarget& target) const {
  DataFlags seen = data;
  seen.limit = 0;
  seen.id_column = "";
  seen.flag = "--reference";
  seen.split = "train";
  if (!reference.empty())
    seen.data = reference;
  else if (!has_training_split(data.data))
    throw usage_error(fmt::format(
        "--recipe {} learns from labelled texts, and {} has no training texts beside it: expected "
        "--reference with some",
        recipe, data.data));
  std::vector<LabelledWords> texts;
  for (const Example& example : seen.load(target.classes(), options.seed).examples)
    if (example.label != kNoLabel) texts.push_back({target.words(example.text), example.label});
  return texts;
}

}  // namespace textcrs::cli
