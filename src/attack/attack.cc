#include "textcrs/attack/attack.h"

#include <algorithm>
#include <stdexcept>

#include "attack/attack_run.h"

namespace textcrs {
namespace {

int answer_of(const Asked& asked) {
  return static_cast<int>(std::max_element(asked.shares.begin(), asked.shares.end()) -
                          asked.shares.begin());
}

AttackStatus search(const Search& search, AttackRun& run) {
  try {
    if (!run.begin()) return AttackStatus::kSkipped;
    if (search.search(run)) return AttackStatus::kSucceeded;
    return run.spent() ? AttackStatus::kSpent : AttackStatus::kFailed;
  } catch (const QueriesSpent&) {
    return AttackStatus::kSpent;
  }
}

}  // namespace

std::string_view to_string(AttackStatus status) {
  switch (status) {
    case AttackStatus::kSucceeded:
      return "succeeded";
    case AttackStatus::kFailed:
      return "failed";
    case AttackStatus::kSpent:
      return "spent";
    case AttackStatus::kSkipped:
      break;
  }
  return "skipped";
}

Attack::Attack(AttackParts parts, const AttackLimits& limits)
    : parts_(std::move(parts)), limits_(limits) {
  if (!parts_.search || !parts_.goal)
    throw std::logic_error("Attack: a search and a goal are needed");
}

AttackResult Attack::run(const AttackTarget& target, const std::vector<std::string>& words,
                         int label, uint32_t example, StopToken stop) const {
  AttackRun run(parts_, limits_, target, words, label, example, stop);
  AttackResult result;
  result.status = search(*parts_.search, run);
  result.text = run.text();
  result.before = answer_of(run.asked_before());
  result.after = answer_of(run.asked());
  result.share_before = run.asked_before().shares[static_cast<size_t>(label)];
  result.share_after = run.asked().shares[static_cast<size_t>(label)];
  result.queries = run.queries();
  return result;
}

}  // namespace textcrs
