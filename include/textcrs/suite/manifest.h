// suite.json: what a suite made, or is about to make. Figures, tables and the report read it, and
// the folders it names, and nothing else.
//
// {"suite": "quick", "title": "..", "version": "0.2.0", "machine": "AMD EPYC 9654, 2 cores",
//  "steps": [{"name": "imdb.bilstm.delete.low.certify", "kind": "certify", "folder":
//  "runs/imdb.bilstm.delete.low.certify", "tags": {"data": "imdb", ..}, "command": ["textcrs",
//  "certify", ..], "needs": ["imdb.bilstm.delete.low.train"], "identity": "0123456789abcdef",
//  "state": "done", "seconds": 12.5, "machine": "..", "version": ".."}, ..], "past": [..]}
// "past" has the steps of earlier plans whose folders are still there, in the same form. Left out
// where they do not apply: seconds, machine and version of a step that never ran, problem,
// replaces.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

enum class StepState { kPlanned, kStarted, kDone, kFailed };
std::string_view to_string(StepState state);  // "planned", "started", "done", "failed"

struct SuiteStep {
  std::string name;  // of the step; unlike that of its folder it never changes
  std::string kind;  // train, pretrain, evaluate, certify, attack or judge: the verb
  // Below the manifest's folder: models/NAME with a model, runs/NAME with what the verb wrote; of
  // evaluate it has evaluation.json (textcrs/report/evaluation.h). A model that was made elsewhere
  // and is used where it lies has an absolute path.
  std::filesystem::path folder;
  // data, model, method, operation, level, noise, variant, samples, recipe, .., and, for people,
  // data-title, model-title, method-title; those that do not apply are not there.
  std::map<std::string, std::string> tags;
  std::vector<std::string> command;  // as a user may repeat it
  std::vector<std::string> needs;    // names of steps
  std::string identity;              // equal for steps that give the same results
  StepState state = StepState::kPlanned;
  double seconds = 0;   // over all interruptions
  std::string machine;  // where it ran
  std::string version;  // of the program that ran it
  std::string problem;  // of a step that failed: the last line it said
  // Of a step that was begun where other results stood: their claim (plan.h); they are still there
  // as long as it is the folder's.
  std::string replaces;

  std::string tag(const std::string& key) const;  // "" if there is none
};

struct SuiteManifest {
  std::string suite, title;
  std::string version, machine;  // of the last start
  std::vector<SuiteStep> steps;  // in the order of the suite
  std::vector<SuiteStep> past;

  const SuiteStep* find(std::string_view name) const;  // nullptr if no step is called so
};

constexpr const char* kManifestFile = "suite.json";

// FOLDER/suite.json. A bad_input Error that names the file if it is not there or is none.
SuiteManifest read_manifest(const std::filesystem::path& folder);
void write_manifest(const std::filesystem::path& folder, const SuiteManifest& manifest);

// The command as a POSIX shell takes it, quoted where it must be.
std::string in_shell_words(const std::vector<std::string>& command);

// "AMD EPYC 9654, 2 cores, NVIDIA H200": CPU, cores this process may use, GPUs.
std::string machine_in_words();

}  // namespace textcrs
