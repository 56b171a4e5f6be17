// Whether the records of an earlier, interrupted attack can be its own.
#pragma once

#include <filesystem>
#include <vector>

#include "textcrs/attack/target.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/attack_record.h"
#include "textcrs/report/attack_run.h"

namespace textcrs {

// records[i] stands in line i + 1 of `file`. A bad_input Error that names the first line which this
// attack can not have written about these texts: of a text that is not among them, or that has
// another key, label or words there; with an answer that is none of the target's classes, a skipped
// text that was attacked, or other models than these defences.
void check_resumed(const std::filesystem::path& file, const std::vector<AttackRecord>& records,
                   const AttackTarget& target, const std::vector<Defence>& defences,
                   const Dataset& dataset);

}  // namespace textcrs
