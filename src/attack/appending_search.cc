#include "attack/attack_run.h"
#include "attack/searches.h"
#include "attack/turning_words.h"

namespace textcrs {
namespace {

class AppendingSearch final : public Search {
 public:
  AppendingSearch(const ClassWords& words, size_t candidates)
      : words_(words), candidates_(candidates) {}

  bool search(AttackRun& run) const override {
    for (const TurningWord& word : turning_words(run, words_, candidates_)) {
      const WordEdit edit = {WordEdit::Kind::kInsert, run.text().size(), word.word};
      if (!run.allows(edit)) return false;
      const Asked asked = run.ask(std::span(&edit, 1))[0];
      if (asked.nearness > run.asked().nearness || asked.reached) run.take(edit, asked);
      if (run.reached()) return true;
    }
    return false;
  }

 private:
  const ClassWords& words_;
  size_t candidates_;
};

}  // namespace

std::unique_ptr<const Search> make_appending_search(const ClassWords& words, size_t candidates) {
  return std::make_unique<AppendingSearch>(words, candidates);
}

}  // namespace textcrs
