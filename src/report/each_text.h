// One labelled text after the other, with progress, until all are done or a stop is asked for.
#pragma once

#include <functional>

#include "textcrs/base/error.h"
#include "textcrs/base/stop.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/evaluation.h"

namespace textcrs {

// A std::logic_error unless every text has a label and labels are indices into these classes.
void check_labels(const Dataset& dataset, const std::vector<std::string>& classes);

// Calls `visit` for every text and reports after each. An Error of kind kInterrupted says how far
// it came.
void for_each_text(const Dataset& dataset, const EvaluationReporter& report, StopToken stop,
                   const std::function<void(const Example&)>& visit);

// The Error of a work that was stopped after so many texts.
Error interrupted_after(size_t done, size_t texts);

}  // namespace textcrs
