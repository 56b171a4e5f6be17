// Which words of the examples an answer hangs on, asked of the model that gave it.
#pragma once

#include <string>
#include <vector>

#include "page/examples.h"
#include "textcrs/page/report_page.h"

namespace textcrs {

// Fills in the words and explanations of the first examples of each group, as many as the options
// say. Returns why none has any, in words; empty if some have. Throws as loading a model does, and
// when `stop` asks for it.
std::string colour_examples(const ReportedRun& reported, const RunView& view,
                            const ReportOptions& options, std::vector<ExampleGroup>& groups,
                            const ReportReporter& report, StopToken stop);

}  // namespace textcrs
