#include <algorithm>

#include "attack/importance.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

class ReductionSearch final : public Search {
 public:
  explicit ReductionSearch(size_t words) : words_(words) {}

  bool search(AttackRun& run) const override {
    for (bool shorter = true; shorter && run.text().size() > words_;) {
      shorter = false;
      std::vector<size_t> origins;
      for (const size_t place : by_importance(run, run.places()))
        origins.push_back(*run.text().origins[place]);
      std::reverse(origins.begin(), origins.end());
      for (const size_t origin : origins)
        if (run.text().size() > words_ && removes(run, origin)) shorter = true;
    }
    return run.text().size() <= words_;
  }

 private:
  static bool removes(AttackRun& run, size_t origin) {
    const std::optional<size_t> place = run.text().place_of(origin);
    if (!place) return false;
    const std::vector<WordEdit> edits = run.edits_at(*place);
    if (edits.empty()) return false;
    const Asked asked = run.ask(edits)[0];
    const auto answer = std::max_element(asked.shares.begin(), asked.shares.end());
    const bool holds = answer - asked.shares.begin() == run.label();
    return holds && run.similarity_after(edits)[0] > 0 && run.take(edits[0], asked);
  }

  size_t words_;
};

}  // namespace

std::unique_ptr<const Search> make_reduction_search(size_t words) {
  return std::make_unique<ReductionSearch>(words);
}

}  // namespace textcrs
