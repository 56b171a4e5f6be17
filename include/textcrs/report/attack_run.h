// Attacking many texts, and asking certified classifiers about the outcome: a run that can be
// interrupted at any moment and goes on where it stopped, with the same result.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/attack/attack.h"
#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/attack_summary.h"

namespace TEXTCRS_API textcrs {

// A classifier that is asked about the texts that the attack made, and about what its certificate
// of the clean text promises of them. The target itself may be one.
struct Defence {
  std::string name;
  const CertifiedClassifier* classifier = nullptr;
};

struct AttackRunOptions {
  // run.json, results.jsonl (textcrs/report/attack_record.h), and summary.json at the end.
  std::filesystem::path folder;
  // What identifies the run beside the texts, the defences, the seed and the budget: the model, the
  // recipe, and what it is made of.
  std::vector<Setting> settings;
  bool overwrite = false;  // start anew, whatever results are there
};

struct AttackRunProgress {
  size_t done = 0, texts = 0;
  size_t resumed = 0;  // of those done: the ones an earlier, interrupted run left
  size_t attempted = 0, succeeded = 0;
  size_t contradicted = 0;  // texts about which a certificate did not hold
  double texts_per_second = 0;
  double seconds_left = 0;
};

// A setting of the run whose results a folder holds; none without the setting, or the run. A
// bad_input Error for a damaged run.json.
std::optional<Setting> setting_of_run(const std::filesystem::path& folder, std::string_view name);

// Called once before the first text, then after each record, by the thread that asked; may be
// empty.
using AttackReporter = std::function<void(const AttackRunProgress&)>;

// Attacks AttackTarget::examples_at_once() texts at a time; a record is written as soon as its text
// and all before it are done. When `stop` asks for it, an Error of kind kInterrupted says how far
// it came; the same call goes on. Throws as ResultsFile does, a usage Error for a text without a
// label and for a defence with other classes than the target's, and std::logic_error unless labels
// are indices into these and the defences' names differ. What a certificate promised and the
// classifier did not keep is counted in the summary (AttackSummary::contradictions): nobody may
// overlook it.
AttackSummary run_attack(const Attack& attack, const AttackTarget& target,
                         const std::vector<Defence>& defences, const Dataset& dataset,
                         const AttackRunOptions& options, const AttackReporter& report = {},
                         StopToken stop = {});

}  // namespace textcrs
