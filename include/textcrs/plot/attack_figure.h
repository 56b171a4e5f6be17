// A chart of attack runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/plot/chart.h"
#include "textcrs/report/attack_record.h"

namespace TEXTCRS_API textcrs {
namespace plot {

struct NamedAttack {
  std::string name;
  std::vector<AttackRecord> records;
};

// The folder of a run (report/attack_run.h); an empty name becomes that of the recipe. A bad_input
// Error for a folder that is not one, has no results yet, or is damaged.
NamedAttack read_attack(const std::filesystem::path& folder, const std::string& name = "");

// Per attack the shares of all texts that are answered right before and right after. And, in a
// panel per classifier that was asked about the texts that the attacks changed
// (AttackRecord::models), the shares of these that are right and certified before, and right after.
// A usage Error for no attack and for names that are used twice.
Chart attack_chart(const std::vector<NamedAttack>& attacks, const std::string& title = "");

}  // namespace plot
}  // namespace textcrs
