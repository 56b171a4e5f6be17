// What a step will take, before it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/suite/plan.h"

namespace TEXTCRS_API textcrs {

struct StepCost {
  double seconds = 0;
  bool recorded = false;  // from a step of the same kind that ran on this machine
  uint64_t bytes = 0;     // on the disk
};

// By the nearest of the steps that are done on `machine`, scaled by texts and samples; without one,
// by rates that were measured, for texts as in the step's file, or else for 25,000 reviews of 215
// words. None for a step that is done.
StepCost estimate(const PlannedStep& planned, const std::vector<PlannedStep>& plan,
                  const std::string& machine);

}  // namespace textcrs
