// Labelled texts, and the readers that bring them in.
//
// A file is opened (and unpacked, if gzip made it), its format is recognised, it is read, and how
// it was read is said in a sentence. Adding a format means a source, a test, a line in the registry
// (src/data/dataset.cc) and a row in docs/formats.md, which has the rules.
#pragma once

#include <cstdint>
#include <filesystem>
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
  // How it was read, for a reader to check: "a.csv as csv without a header: label in column 1, text
  // in column 2; classes: ham, spam".
  std::string description = {};
};

struct ReadOptions {
  std::filesystem::path path;   // a file, or a folder for the formats that are folders
  std::string format = "auto";  // a registered name, or auto: by the file's name and content
  std::string split = "test";   // "train" or "test", for the formats that hold both
  // csv, tsv, json, jsonl: the columns of the text ("title+description": several, joined by a
  // space) and of the label. Upper and lower case of ASCII letters are alike where no name is the
  // same. In csv and tsv a number that is no column's name is a place, from 1. Without a header,
  // columns that are not asked for are chosen by their content. A file under a header without the
  // column "label" has no labels; without any other that is asked for, it is a MissingColumn Error.
  // An empty label_column: no labels.
  std::string text_column = "text";
  std::string label_column = "label";
  // Example::key. A file without the column "id" has no keys; one without a column of any other
  // name is a MissingColumn Error. Empty: no keys are read.
  std::string id_column = "id";
  std::optional<bool> header;  // csv, tsv: whether the first row has the names; empty: judged
  // The classes labels are looked up in, by name: the same one, or else the only one that differs
  // in the case of ASCII letters. Labels are numbers of classes, from 0, if none of the file's is a
  // name and the names are not all numbers themselves. Any other label is a bad_input Error.
  // Empty: the distinct labels of the file, sorted (numerically if all are numbers), or the
  // format's own. The formats that name their classes (docs/formats.md) are matched by name only.
  std::vector<std::string> classes;
};

struct DatasetFormat {
  std::string name;
  std::string summary;
};
const std::vector<DatasetFormat>& dataset_formats();

// Reads with the named (or detected) format. Malformed content is a bad_input Error that names
// file, line or byte, what was found and what was expected. An empty data set is an Error too.
Dataset read_dataset(const ReadOptions& options);

// At most `limit` examples, the same share of every class as in the whole (largest remainder),
// chosen by `seed`, in their original order. limit 0: all.
void keep_stratified(Dataset& dataset, size_t limit, uint64_t seed);

}  // namespace textcrs
