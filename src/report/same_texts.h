// Which texts several runs have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "textcrs/report/comparison.h"

namespace textcrs {

// The texts of one id in every run, in the order of the runs.
using SameText = std::vector<const Record*>;

struct SameTexts {
  std::vector<SameText> texts;     // in the order of the first run
  std::vector<std::string> notes;  // what was left out
};

// Throws as compare_runs() does for texts that are not the same.
SameTexts same_texts(const std::vector<NamedRun>& runs, bool common);

}  // namespace textcrs
