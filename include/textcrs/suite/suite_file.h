// A suite: data sets, models, methods and attacks whose combinations are trained, certified and
// attacked, and the tables and figures that are made of them. docs/suites.md is the reference of
// the TOML file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A flag of a verb by its long name without the dashes. A switch that is on has no value; one that
// is off, one "false"; a repeated flag several. A value "@METHOD" or "@METHOD.LEVEL", also behind a
// "NAME=", stands for the folder of that method's model.
struct SuiteFlag {
  std::string name;
  std::vector<std::string> values;
  int line = 0;  // of the file
};
using SuiteFlags = std::vector<SuiteFlag>;

// By verb: "train", "evaluate", "certify", "attack", "pretrain", "judge".
using FlagsByVerb = std::map<std::string, SuiteFlags>;

struct SuiteData {
  std::string name, title;
  std::string train, test;  // names of fetched data, or paths; the same where a name has both
  std::string published;    // what the published tables call it; "": not in them
  std::string caveat;       // what is to be known beside every number; may be empty
  FlagsByVerb flags;
};

// A level of noise: "low", "medium", "high", or any word; "" where a method has one noise only.
struct SuiteLevel {
  std::string name, noise;  // a spec; "": the verb's default
  int line = 0;
};

// What a model or a method has otherwise for some models or data.
struct SuiteOverride {
  std::vector<std::string> models, data;  // all where empty
  std::vector<SuiteLevel> levels;         // of a method: replace its own; empty: they stay
  FlagsByVerb flags;                      // on top
};

struct SuiteModel {
  std::string name, title, published, caveat;
  std::string device;  // "": that of the suite
  FlagsByVerb flags;
  std::vector<SuiteOverride> overrides;  // by data
  int line = 0;
};

struct SuiteMethod {
  std::string name, title;
  std::string operation;  // substitution, reordering, insertion, deletion, edit, or none
  std::string published;  // the column of the published tables
  std::vector<std::string> models, data;  // all where empty
  std::vector<SuiteLevel> levels;         // at least one
  bool evaluates = true, certifies = true;
  FlagsByVerb flags;
  std::vector<SuiteOverride> overrides;
  int line = 0;
};

// A BERT that is trained on the words of texts, for attacks that ask a masked language model.
struct SuiteEncoder {
  std::string name;
  std::vector<std::string> data;  // one per data set
  FlagsByVerb flags;
  int line = 0;
};

struct SuiteAttack {
  std::string name, title, recipe;
  std::string operation;                  // what it does to a text
  std::string published;                  // the column of the published tables
  std::vector<std::string> methods;       // attacked
  std::vector<std::string> against;       // METHOD or METHOD.LEVEL, asked about the edited texts
  std::vector<std::string> models, data;  // all where empty
  bool judged = false;
  FlagsByVerb flags;
  int line = 0;
};

// The same certification with other flags: another N, another seed.
struct SuiteVariant {
  std::string name, title;
  std::vector<std::string> methods, levels, models, data;  // all where empty
  FlagsByVerb flags;
  int line = 0;
};

// What a table or a figure shows: the steps that all of its lists agree with, an empty list with
// all of them.
struct SuiteSelection {
  std::vector<std::string> data, models, methods, levels, variants, attacks;
};

struct SuiteTable {
  std::string name, kind, title;
  SuiteSelection show;
  std::vector<double> radii;
  std::string threat;  // of kind edits: deletion, insertion, substitution, reordering or edit
  int line = 0;
};

struct SuiteFigure {
  std::string name, kind, title;
  SuiteSelection show;
  std::string operation, threat;
  std::vector<std::string> sources;  // of kind distances and values: of word vectors
  int line = 0;
};

struct Suite {
  std::string name;  // the file's, without folders and extension
  std::filesystem::path file;
  std::string title, about;
  std::string device = "cpu";
  std::optional<uint64_t> seed, limit, samples;
  std::optional<double> alpha;
  std::vector<std::string> caveats;
  FlagsByVerb flags;
  std::vector<SuiteData> data;
  std::vector<SuiteModel> models;
  std::vector<SuiteMethod> methods;
  std::vector<SuiteEncoder> encoders;
  std::vector<SuiteAttack> attacks;
  std::vector<SuiteVariant> variants;
  std::vector<SuiteTable> tables;
  std::vector<SuiteFigure> figures;
};

// The kinds that a table or a figure may be of.
const std::vector<std::string>& table_kinds();
const std::vector<std::string>& figure_kinds();

// A bad_input Error "FILE:LINE: .." for what is no suite: no TOML, more than 64 KiB or 32 dots in a
// line, a key or name that is not known (with the nearest one), a name given twice or of characters
// that no folder should have, a value of another type.
Suite read_suite(const std::filesystem::path& file);

}  // namespace textcrs
