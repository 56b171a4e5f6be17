#include <algorithm>

#include "attack/attack_run.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

class RandomSearch final : public Search {
 public:
  RandomSearch(size_t proposals, size_t patience) : proposals_(proposals), patience_(patience) {}

  bool search(AttackRun& run) const override {
    for (size_t in_vain = 0; in_vain < patience_;) {
      const std::vector<size_t> places = run.places();
      if (places.empty()) return false;
      const std::vector<WordEdit> edits = propose(run, places);
      in_vain = run.take_best(edits, run.ask(edits)) ? 0 : in_vain + 1;
      if (run.reached()) return true;
    }
    return false;
  }

 private:
  // Different edits at places drawn with equal chances; fewer where there are few, maybe none.
  std::vector<WordEdit> propose(AttackRun& run, const std::vector<size_t>& places) const {
    std::vector<WordEdit> proposed;
    for (size_t draw = 0; draw < proposals_; ++draw) {
      const size_t place = places[run.random().below(static_cast<uint32_t>(places.size()))];
      for (WordEdit& edit : run.edits_at(place))
        if (std::find(proposed.begin(), proposed.end(), edit) == proposed.end())
          proposed.push_back(std::move(edit));
    }
    return proposed;
  }

  size_t proposals_, patience_;
};

}  // namespace

std::unique_ptr<const Search> make_random_search(size_t proposals, size_t patience) {
  return std::make_unique<RandomSearch>(proposals, patience);
}

}  // namespace textcrs
