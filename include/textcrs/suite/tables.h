// The tables of a suite, made of what is done, with the published numbers beside ours. Each number
// knows the run that made it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/published.h"
#include "textcrs/suite/suite_file.h"

namespace TEXTCRS_API textcrs {

// Of texts, so many. `all` may be 0.
struct CountedShare {
  size_t count = 0, all = 0;
};

struct TableCell {
  enum class Kind {
    kEmpty,      // nothing belongs there
    kMissing,    // its step is not done, or says nothing: a dash
    kShare,      // ours
    kNumber,     // ours: a mean, a number of texts
    kPublished,  // the paper's
  };
  Kind kind = Kind::kEmpty;
  CountedShare share;
  bool proved = false;  // rounded down
  double number = 0;    // of the last two kinds
  int decimals = 1;
  std::string step;  // its name; of the paper's none

  std::string in_words() const;  // "86.2", in per cent; "-"; ""
};

struct TableRow {
  std::vector<std::string> labels;  // one per heading
  std::vector<TableCell> cells;     // one per column
};

// A step that some number is from, or that made the model of one.
struct TableRun {
  SuiteStep step;  // with paths as portable() leaves them
  // What its results depend on, as its folder says: "noise", "samples", "seed", "model", ..
  std::map<std::string, std::string> settings;
};

struct MadeTable {
  std::string name, kind, title;
  std::vector<std::string> headings;  // of the labels: "data", "model", "noise", "number"
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  std::vector<std::string>
      notes;                     // what the numbers are, what is known beside them, what is missing
  std::vector<TableRun> runs;    // that the numbers are from, in the order of the suite
  std::vector<TableRun> models;  // trainings that made the runs' models
};

struct UnmadeTable {
  std::string name, reason;
};

struct SuiteTables {
  std::vector<MadeTable> made;
  std::vector<UnmadeTable> unmade;  // no step of theirs is done
};

SuiteTables make_tables(const Suite& suite, const SuiteManifest& manifest,
                        const std::filesystem::path& out, const PublishedNumbers& published,
                        StopToken stop = {});

// A document: title, table, notes and the runs, which the last column of the table numbers.
std::string to_markdown(const MadeTable& table);
// A table environment with a tabular of the package booktabs; the runs are comments.
std::string to_latex(const MadeTable& table);
// A line per number: "table", the headings, "column", "source" (ours or published), "percent",
// "value", "count", "texts", "low" and "high" (the 95 % interval of Clopper and Pearson, in per
// cent), "step", "folder", "run_noise", "seed", "version", "machine".
std::string to_csv(const MadeTable& table);
// {"table", "kind", "title", "headings", "columns", "rows": [{"labels": {heading: label, ..},
// "cells": [{"column", "count", "texts", "share", "low", "high", "run": number in runs from 1} or
// {"column", "value", "run"} or {"column", "published"} or {"column", "missing": step}, ..]}, ..],
// "notes", "runs": [{"step", "kind", "folder", "command", "needs", "version", "machine",
// "seconds", "settings"}, ..], "models": as runs}. Cells where nothing belongs are left out.
std::string to_json(const MadeTable& table);

// Writes OUT/tables/NAME.md, .tex, .csv and .json, and OUT/tables/suite.json: the manifest with
// portable paths, for keeping. Removes such files of tables that are not made any more.
void write_tables(const SuiteTables& tables, const SuiteManifest& manifest,
                  const std::filesystem::path& out);

// The step with paths that say nothing of the machine: those below `out` relative to it, of other
// absolute ones the last name behind ".../".
SuiteStep portable(const SuiteStep& step, const std::filesystem::path& out);

}  // namespace textcrs
