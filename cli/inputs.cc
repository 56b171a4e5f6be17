#include "inputs.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "textcrs/base/error.h"

namespace textcrs::cli {
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
  options.id_column = id_column;
  options.classes = classes;
  options.path = asset_or_path(data);
  if (!std::filesystem::exists(options.path)) {
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

void SynonymFlags::add(CLI::App& app) {
  app.add_option("--synonyms", source,
                 "For substitution noises: glove, wordnet, or a JSON file {word: [words]}");
  app.add_option("--synonym-count", count, "glove: candidates per word")
      ->check(CLI::Range(1, 1000));
  app.add_option("--synonym-floor", floor, "glove: the least cosine similarity")
      ->check(CLI::Range(-1.0, 1.0));
}

void SynonymFlags::require() const {
  if (source.empty())
    throw usage_error("a substitution noise needs --synonyms: glove, wordnet or a JSON file");
}

}  // namespace textcrs::cli
