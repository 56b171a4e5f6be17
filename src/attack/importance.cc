#include "attack/importance.h"

#include <algorithm>
#include <numeric>

namespace textcrs {

std::vector<size_t> by_importance(AttackRun& run, const std::vector<size_t>& places) {
  std::vector<WordEdit> deletions;
  for (const size_t place : places) deletions.push_back({WordEdit::Kind::kDelete, place});
  const std::vector<Asked> asked = run.ask(deletions);
  std::vector<size_t> order(asked.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return asked[a].nearness > asked[b].nearness; });
  std::vector<size_t> ranked;
  for (const size_t i : order) ranked.push_back(places[i]);
  return ranked;
}

}  // namespace textcrs
