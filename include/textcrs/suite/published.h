// The published numbers that tables of a suite show beside ours, as published.toml has them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// What a number is about, as the paper calls it; "" where the table does not tell it apart.
struct PublishedKey {
  std::string data, model, level;
};

struct PublishedTable {
  std::string name;    // of the table that shows it: "benchmark", "clean", ..
  std::string method;  // whose numbers these are where a table has those of several; else ""
  std::string title;   // the paper's
  std::string note;    // what was measured, and how
  int decimals = 1;
  size_t keys = 0;  // data; data and model; data, model and level
  std::vector<std::string> columns;

  struct Row {
    PublishedKey key;
    std::vector<std::optional<double>> numbers;  // per column; none: the paper has none
  };
  std::vector<Row> rows;

  // None where the table has no such row or column, or no number there. Of the key what the table
  // tells apart counts.
  std::optional<double> find(const PublishedKey& key, std::string_view column) const;
};

struct PublishedNumbers {
  std::string paper;  // to cite
  std::vector<PublishedTable> tables;

  const PublishedTable* find(std::string_view name, std::string_view method = "") const;
};

// docs/suites.md is the reference of the file. A bad_input Error "FILE:LINE: .." for anything else.
PublishedNumbers read_published(const std::filesystem::path& file);

}  // namespace textcrs
