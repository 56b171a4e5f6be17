// From the labels written in a file to class numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/data/dataset.h"

namespace textcrs {

struct WrittenLabel {
  std::string value;
  size_t line;  // in the file
};

struct LabelSource {
  const std::filesystem::path& path;
  std::string where;                        // for messages: "column 2", "the column \"label\""
  const std::vector<std::string>& classes;  // ReadOptions::classes
};

// Sets dataset.classes and the label of every example from `labels`, one per example in order, as
// ReadOptions::classes says; if the labels were numbers of given classes, dataset.description says
// so. An empty or unknown label, or more than kMostClasses distinct ones when no classes are given,
// is a bad_input Error.
constexpr size_t kMostClasses = 1000;
void assign_labels(Dataset& dataset, const std::vector<WrittenLabel>& labels,
                   const LabelSource& source);

// For the formats whose classes are known: `dataset`, labelled in its own classes, is expressed in
// `classes` if any are given. A class that has no namesake there is a bad_input Error.
void adopt_classes(Dataset& dataset, const std::filesystem::path& path,
                   const std::vector<std::string>& classes);

}  // namespace textcrs
