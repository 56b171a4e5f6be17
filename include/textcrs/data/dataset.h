// Labelled texts, and the readers that bring them in.
//
// A reader is a function registered under the name of its format; adding one means a source, a
// test, a line in the registry (src/data/dataset.cc) and a row in docs/formats.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

constexpr int kNoLabel = -1;

struct Example {
  uint32_t id = 0;       // place in the split (docs/formats.md), whatever the limit; keys the noise
  std::string text;      // valid UTF-8 without NUL
  int label = kNoLabel;  // index into Dataset::classes
  std::optional<std::string> key = {};  // what the data set itself calls the text
};

struct Dataset {
  std::string name;
  std::vector<std::string> classes;
  std::vector<Example> examples;
};

struct ReadOptions {
  std::filesystem::path path;        // a file, or a folder for the formats that are folders
  std::string format = "auto";       // a registered name, or auto: by the file's name and content
  std::string split = "test";        // "train" or "test", for the formats that hold both
  std::string text_column = "text";  // csv, tsv, jsonl; several joined by '+': "title+description"
  // A csv, tsv or jsonl file without the column "label" has no labels; without a column of any
  // other name, which somebody must have asked for, it is malformed.
  std::string label_column = "label";
  // Example::key, in csv, tsv and jsonl. A file without the column "id" has no keys; without a
  // column of any other name it is malformed. Empty: no keys are read.
  std::string id_column = "id";
  // The classes labels are looked up in, by name (ASCII case ignored) or else by number from 0.
  // Empty: the distinct labels of the file, sorted (numerically if all are numbers), or the
  // format's own. The formats that name their classes (docs/formats.md) are matched by name only.
  std::vector<std::string> classes;
};

using DatasetReader = std::function<Dataset(const ReadOptions&)>;

struct DatasetFormat {
  std::string name;
  std::string summary;
  DatasetReader read;
};
const std::vector<DatasetFormat>& dataset_formats();

// Reads with the named (or detected) format. Malformed content is a bad_input Error that names
// file, line or byte, what was found and what was expected. An empty data set is an Error too.
Dataset read_dataset(const ReadOptions& options);

// At most `limit` examples, the same share of every class as in the whole (largest remainder),
// chosen by `seed`, in their original order. limit 0: all.
void keep_stratified(Dataset& dataset, size_t limit, uint64_t seed);

}  // namespace textcrs
