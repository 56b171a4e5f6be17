// The progress of a work on labelled texts, on the status line.
#pragma once

#include "terminal.h"
#include "textcrs/report/evaluation.h"

namespace textcrs::cli {

// The line must outlive it.
EvaluationReporter reporter(StatusLine& status);

}  // namespace textcrs::cli
