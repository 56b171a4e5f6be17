// The columns of tables of attacks: an attack each, in the order of the suite.
#pragma once

#include <string>
#include <vector>

#include "textcrs/suite/manifest.h"
#include "textcrs/suite/suite_file.h"

namespace textcrs {

class AttackColumns {
 public:
  AttackColumns(const Suite& suite, const std::vector<const SuiteStep*>& steps);

  const std::vector<std::string>& titles() const { return titles_; }
  size_t place_of(const SuiteStep& step) const;  // of a step that was given
  // What the paper calls the step's attack; "" if it has none.
  std::string published(const SuiteStep& step) const;

 private:
  const Suite& suite_;
  std::vector<std::string> names_, titles_;
};

// The suite's; nullptr if it has no such attack any more.
const SuiteAttack* attack_of(const Suite& suite, const SuiteStep& step);

}  // namespace textcrs
