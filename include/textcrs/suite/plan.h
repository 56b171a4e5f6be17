// From a suite to what has to be run: one step per command of the program.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/suite_file.h"

namespace TEXTCRS_API textcrs {

// What stands on a step's command line: a text, with a step's folder behind it.
struct CommandPart {
  std::string text;
  std::string step;  // whose folder; "": none
};

struct PlannedStep {
  SuiteStep step;  // its folder and command are empty until settle_plan()
  std::vector<CommandPart> parts;
  bool takes_threads = false;  // the verb has a flag of that name
  // The rest is known after settle_plan().
  bool reused = false;     // a model made elsewhere, or results that are there without a record
  bool replaces = false;   // what stands in its folder is of another command and will go
  std::string instead_of;  // the folder of other results that is left alone; "": none
  std::string twin;        // the step that gives the same results, which runs for both
};

struct PlanOptions {
  std::vector<std::string> data = {};  // names; empty: all of the suite
  // The texts of a data set, instead of the suite's.
  std::map<std::string, std::pair<std::string, std::string>> texts = {};
  std::vector<std::string> only = {};  // words that tags or the kind must all have; see below
  std::string device = {};             // "": the suite's
  // Instead of the suite's own `seed`; the texts of every certification and attack; the samples of
  // every certification but those of variants.
  std::optional<uint64_t> seed = {}, limit = {}, samples = {};
};

// The steps in an order in which each comes after those it needs. With `only`, those that have each
// of its words as their kind, data, model, method, level, variant, attack or operation, and what
// they need. A usage Error for a name or word that nothing has; a bad_input Error "FILE:LINE: .."
// for an "@METHOD" that stands for no model, or for several.
std::vector<PlannedStep> plan_suite(const Suite& suite, const PlanOptions& options);

struct SettleOptions {
  std::filesystem::path out = {};
  std::filesystem::path models = {};  // empty, or a folder of models made elsewhere
  bool overwrite = false;             // results of other commands may be replaced
  // Whether the model in a folder was trained by these flags ({"noise", "delete:p=0.3"}, a switch
  // without a value); empty: no model is taken that has no record.
  std::function<bool(const std::filesystem::path& folder, const std::string& verb,
                     const SuiteFlags& flags)>
      was_trained_so = {};
};

// Gives the steps their folders and commands, and says which are done: by the records of
// OUT/suite.json and what is on the disk. Results of another command are left alone (the step's
// folder gets another name: NAME-2) unless they may be replaced. A usage Error if OUT has the
// results of a suite of another name.
SuiteManifest settle_plan(const Suite& suite, std::vector<PlannedStep>& plan,
                          const SettleOptions& options);

// Whether what the step's verb writes last is in its folder.
bool is_complete(const SuiteStep& step, const std::filesystem::path& out);

// Of the file in which its verb says what a step's folder is about: equal as long as nobody begins
// there anew; "" if there is none.
std::string claim_of(const SuiteStep& step, const std::filesystem::path& out);

// Where a step's folder is.
std::filesystem::path folder_of(const SuiteStep& step, const std::filesystem::path& out);

}  // namespace textcrs
