#include "attack/importance.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

class RankedSearch final : public Search {
 public:
  bool search(AttackRun& run) const override {
    // The text is still the original one: places are origins.
    for (const size_t origin : by_importance(run, run.places())) {
      const std::optional<size_t> place = run.text().place_of(origin);
      if (!place) continue;
      const std::vector<WordEdit> edits = run.edits_at(*place);
      if (edits.empty()) continue;
      run.take_best(edits, run.ask(edits));
      if (run.reached()) return true;
    }
    return false;
  }
};

}  // namespace

std::unique_ptr<const Search> make_ranked_search() { return std::make_unique<RankedSearch>(); }

}  // namespace textcrs
