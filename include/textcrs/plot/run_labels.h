// What runs are called in a figure.
#pragma once

#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/report/comparison.h"

namespace TEXTCRS_API textcrs {
namespace plot {

// Names the runs whose name is empty by what their settings differ in: architecture, noise, N,
// alpha and data, "bilstm, universal:p=0.9"; those that are alike in all of these by their folders.
// A run alone is named by its noise. A usage Error where two runs have one name.
void name_runs(std::vector<NamedRun>& runs);

}  // namespace plot
}  // namespace textcrs
