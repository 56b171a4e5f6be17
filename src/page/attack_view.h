// A run of an attack as a report shows it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/certified/setting.h"
#include "textcrs/report/attack_summary.h"

namespace textcrs {

struct AttackView {
  std::string name, recipe, data;
  bool complete = false;
  std::vector<AttackRecord> records;
  AttackSummary summary;
};

// Whether the folder is one of an attack; a bad_input Error for one without a run.
bool is_attack(const std::filesystem::path& folder);

// A bad_input Error for a damaged file and a run without results.
AttackView attack_view_of(const std::string& name, const std::filesystem::path& folder);

// Texts whose answer the attack changed, the fewest changed words first.
std::vector<const AttackRecord*> nearest_successes(const AttackView& attack, size_t most);

}  // namespace textcrs
