// Asking a judge about the successes of an attack run: does the edited text still mean the same?
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/attack/judge.h"
#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

struct JudgedText {
  uint32_t id = 0;
  Verdict verdict = Verdict::kUnclear;
  std::string said;                  // what the judge wrote
  std::optional<double> similarity;  // AttackRecord::similarity
};

struct JudgeSummary {
  std::string judge;  // the model that was asked
  size_t successes = 0, same = 0, different = 0, unclear = 0;
  int64_t asked = 0;  // questions put to the endpoint this time; the others were known
  // Of the successes, those that the judge takes for the same; none without successes.
  std::optional<double> deception_rate;
  // Mean similarity of all successes, and of those taken for the same.
  std::optional<double> similarity, similarity_of_same;
};

struct JudgeRunOptions {
  size_t limit = 0;      // the first so many successes; 0: all
  int at_once = 4;       // questions
  std::string endpoint;  // how summary and messages call the judge
};

// Called after each text; may be empty.
using JudgeReporter = std::function<void(size_t done, size_t texts)>;

// Writes judged.jsonl, a line per success in the order of the run: {"id", "verdict", "said",
// "similarity"}, and judge.json: {"judge", "successes", "same", "different", "unclear",
// "deception_rate", "similarity", "similarity_of_same"} into the run's folder when all are asked.
// What was answered before an Error is in the judge's cache, if it has one: the same call goes on.
// A bad_input Error for a folder that is not one of an attack; throws as Judge::ask() does, and an
// Error of kind kInterrupted once `stop` asks for it.
JudgeSummary judge_run(const std::filesystem::path& folder, Judge& judge,
                       const JudgeRunOptions& options, const JudgeReporter& report = {},
                       StopToken stop = {});

// Lines for people.
std::string in_words(const JudgeSummary& summary);

}  // namespace textcrs
