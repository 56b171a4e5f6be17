// What the runs of a report are called.
#pragma once

#include <vector>

#include "textcrs/page/report_page.h"

namespace textcrs {

// A usage Error for no run and for names that are used twice.
void check_names(const std::vector<ReportedRun>& runs);

}  // namespace textcrs
