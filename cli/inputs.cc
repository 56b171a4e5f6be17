#include "inputs.h"

#include <fmt/format.h>

#include <filesystem>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/text/catalogue.h"

namespace textcrs::cli {
namespace {

const Asset* asset_named(const std::string& name) {
  for (const Asset& asset : assets())
    if (asset.name == name) return &asset;
  return nullptr;
}

}  // namespace

void DataFlags::add(CLI::App& app, const std::string& default_split) {
  split = default_split;
  app.add_option("--data", data, "Fetched data by name (textcrs data list), or a file or folder");
  app.add_option("--format", format, "auto, or one of: textcrs list formats");
  app.add_option("--split", split, "train or test, where the data has both");
  app.add_option("--text-column", text_column, "Column of the text; several: title+description");
  app.add_option("--label-column", label_column, "Column of the label");
  app.add_option("--limit", limit, "Use only this many texts, the same share of every class");
}

Dataset DataFlags::load(const std::vector<std::string>& classes, uint64_t seed) const {
  ReadOptions options;
  options.format = format;
  options.split = split;
  options.text_column = text_column;
  options.label_column = label_column;
  options.classes = classes;
  const Asset* asset = asset_named(data);
  options.path = asset != nullptr && !std::filesystem::exists(data) ? asset_main_file(*asset)
                                                                    : std::filesystem::path(data);
  if (asset == nullptr && !std::filesystem::exists(data)) {
    if (data.find_first_of("/.") != std::string::npos)
      throw bad_input(fmt::format("{}: there is no such file or folder", data));
    throw usage_error(
        fmt::format("--data {}: neither a file or folder nor the name of known data "
                    "(textcrs data list)",
                    data));
  }
  Dataset dataset = read_dataset(options);
  keep_stratified(dataset, limit, seed);
  return dataset;
}

WordVectors open_vectors(const std::string& source) {
  if (const Asset* asset = asset_named(source)) return open_word_vectors(asset_main_file(*asset));
  return open_word_vectors(source);
}

void SynonymFlags::add(CLI::App& app) {
  app.add_option("--synonyms", source,
                 "For substitution noises: glove, wordnet, or a JSON file {word: [words]}");
  app.add_option("--synonym-count", count, "glove: candidates a word")->check(CLI::Range(1, 1000));
  app.add_option("--synonym-floor", floor, "glove: the least cosine similarity")
      ->check(CLI::Range(-1.0, 1.0));
}

SynonymTable SynonymFlags::load(const Vocabulary& vocabulary, const std::string& vectors) const {
  if (source.empty())
    throw usage_error("a substitution noise needs --synonyms: glove, wordnet or a JSON file");
  if (source == "glove")
    return SynonymTable::from_vectors(open_vectors(vectors), vocabulary, count, floor).symmetric();
  if (source == "wordnet")
    return SynonymTable::from_wordnet(asset_main_file(find_asset("wordnet")), vocabulary)
        .symmetric();
  return SynonymTable::from_json(source, vocabulary).symmetric();
}

bool substitutes(const std::string& noise) { return Spec::parse(noise).name() == "substitute"; }

std::filesystem::path bert_folder(const std::string& source) {
  const Asset* asset = asset_named(source);
  return asset != nullptr && !std::filesystem::exists(source) ? asset_main_file(*asset)
                                                              : std::filesystem::path(source);
}

std::vector<std::vector<std::string>> split_all(const Dataset& dataset,
                                                const Classifier& classifier) {
  return split_all(dataset, [&](std::string_view text) { return classifier.words(text); });
}

std::vector<std::vector<std::string>> split_all(const Dataset& dataset, const SplitWords& split) {
  constexpr size_t kChunk = 64;
  std::vector<std::vector<std::string>> words(dataset.examples.size());
  parallel_for((words.size() + kChunk - 1) / kChunk, available_cores(), [&](size_t chunk) {
    for (size_t i = chunk * kChunk; i < std::min(words.size(), (chunk + 1) * kChunk); ++i)
      words[i] = split(dataset.examples[i].text);
  });
  return words;
}

std::vector<EncodedText> encode_all(const Dataset& dataset,
                                    const std::vector<std::vector<std::string>>& words,
                                    const Vocabulary& vocabulary) {
  std::vector<EncodedText> texts;
  texts.reserve(words.size());
  for (size_t i = 0; i < words.size(); ++i)
    texts.push_back(
        {dataset.examples[i].id, vocabulary.encode(words[i]), dataset.examples[i].label});
  return texts;
}

}  // namespace textcrs::cli
