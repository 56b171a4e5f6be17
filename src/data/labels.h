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

// Sets dataset.classes and the label of every example from `labels`, one per example in order, as
// ReadOptions::classes says. An empty or unknown label, or more than kMostClasses distinct ones
// when no classes are given, is a bad_input Error.
constexpr size_t kMostClasses = 1000;
void assign_labels(Dataset& dataset, const std::vector<WrittenLabel>& labels,
                   const ReadOptions& options);

// For the formats whose classes are known: `dataset`, labelled in its own classes, is expressed in
// options.classes if those are given. A class that has no namesake there is a bad_input Error.
void adopt_classes(Dataset& dataset, const ReadOptions& options);

}  // namespace textcrs
