#include "suite/attack_columns.h"

#include <algorithm>

#include "suite/table_parts.h"

namespace textcrs {

AttackColumns::AttackColumns(const Suite& suite, const std::vector<const SuiteStep*>& steps)
    : suite_(suite) {
  for (const SuiteAttack& attack : suite.attacks)
    for (const SuiteStep* const step : steps)
      if (step->tag("attack") == attack.name && place_in(names_, attack.name) == titles_.size())
        titles_.push_back(step->tag("attack-title"));
  for (const SuiteStep* const step : steps)  // of earlier suites
    if (place_in(names_, step->tag("attack")) == titles_.size())
      titles_.push_back(step->tag("attack-title"));
}

size_t AttackColumns::place_of(const SuiteStep& step) const {
  return static_cast<size_t>(std::find(names_.begin(), names_.end(), step.tag("attack")) -
                             names_.begin());
}

std::string AttackColumns::published(const SuiteStep& step) const {
  const SuiteAttack* const attack = attack_of(suite_, step);
  return attack == nullptr ? "" : attack->published;
}

const SuiteAttack* attack_of(const Suite& suite, const SuiteStep& step) {
  for (const SuiteAttack& attack : suite.attacks)
    if (attack.name == step.tag("attack")) return &attack;
  return nullptr;
}

}  // namespace textcrs
