// Runs the steps of a plan, each as a process of this program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/suite/plan.h"

namespace TEXTCRS_API textcrs {

struct RunSuiteOptions {
  std::filesystem::path out;
  std::filesystem::path program;  // of which the steps are processes
  int jobs = 1;                   // steps at once
  int threads = 0;                // of a step; 0: as many as it likes
};

struct SuiteProgress {
  size_t steps = 0, done = 0, failed = 0, waiting_in_vain = 0;
  std::vector<std::string> running;
};

struct SuiteReporter {
  std::function<void(const SuiteStep&)> ended;  // done or failed; may be empty
  std::function<void(const SuiteProgress&)> progress;
};

// Runs what is not done, each step as soon as those that it needs are, and keeps OUT/suite.json
// up to date. What a step prints goes to OUT/logs/NAME.log; of evaluate, its answer to
// evaluation.json. A step that fails ends those that need it, and no other. Signals all steps,
// waits for them and throws an Error of kind kInterrupted when `stop` asks for it.
SuiteProgress run_steps(std::vector<PlannedStep>& plan, SuiteManifest& manifest,
                        const RunSuiteOptions& options, const SuiteReporter& report,
                        StopToken stop = {});

}  // namespace textcrs
