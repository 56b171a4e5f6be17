#include "inputs.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/data/missing_column.h"

namespace textcrs::cli {
namespace {

const char* flag_of(MissingColumn::Role role) {
  switch (role) {
    case MissingColumn::Role::kText:
      return "--text-column";
    case MissingColumn::Role::kLabel:
      return "--label-column";
    case MissingColumn::Role::kId:
      break;
  }
  return "--id-column";
}

// What the library can not find, with the flags that decide it.
Dataset read_columns(const ReadOptions& options) {
  try {
    return read_dataset(options);
  } catch (const MissingColumn& missing) {
    std::string message = missing.what();
    message += fmt::format("{} {} says which it is", message.ends_with('?') ? "" : ";",
                           flag_of(missing.role()));
    if (missing.may_lack_header()) message += "; if the first row is a text, add --no-header";
    throw bad_input(message);
  }
}

}  // namespace

void DataFlags::add(CLI::App& app, const std::string& default_split) {
  split = default_split;
  app.add_option("--data", data, "Fetched data by name (textcrs data list), or a file or folder");
  app.add_option("--format", format, "auto, or one of: textcrs list formats");
  app.add_option("--split", split, "train or test, where the data has both");
  app.add_option("--text-column", text_column,
                 "Column of the text, or its number; several: title+description");
  app.add_option("--label-column", label_column,
                 "Column of the label, or its number; \"\": there are no labels");
  app.add_flag("--header", header, "csv, tsv: the first row names the columns");
  app.add_flag("--no-header", no_header, "csv, tsv: the first row is a text; default: judged");
  app.add_option("--limit", limit, "Use only this many texts, the same share of every class");
}

Dataset DataFlags::load(const std::vector<std::string>& classes, uint64_t seed) const {
  ReadOptions options;
  options.format = format;
  options.split = split;
  options.text_column = text_column;
  options.label_column = label_column;
  options.id_column = id_column;
  if (header && no_header) throw usage_error("expected --header or --no-header, not both");
  if (header || no_header) options.header = header;
  options.classes = classes;
  options.path = asset_or_path(data);
  if (!is_there(options.path)) {
    if (data.find_first_of("/.") != std::string::npos)
      throw bad_input(fmt::format("{}: there is no such file or folder", data));
    throw usage_error(
        fmt::format("{} {}: neither a file or folder nor the name of known data "
                    "(textcrs data list)",
                    flag, data));
  }
  Dataset dataset = read_columns(options);
  remark("read " + dataset.description);
  keep_stratified(dataset, limit, seed);
  return dataset;
}

void SynonymFlags::add(CLI::App& app) {
  app.add_option(
      "--synonyms", source,
      "Candidates of each word, for substitution noises, gaussian, votes and interval bounds: "
      "glove, wordnet, or a JSON file {word: [words]}");
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
