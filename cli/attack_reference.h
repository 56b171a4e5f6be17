// What an attack learns from labelled texts that the adversary has seen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attack_flags.h"
#include "textcrs/report/attack_run.h"

namespace textcrs::cli {

struct Learnt {
  std::optional<ClassWords> class_words;
  std::vector<std::string> phrase;
};

// What the recipe needs of it; what that depends on is added to the settings of the run, and read
// from there: the phrase that an interrupted run found is not searched for again.
Learnt learn(const AttackFlags& flags, const RecipeNeeds& needs, const AttackTarget& target,
             AttackRunOptions& options);

}  // namespace textcrs::cli
