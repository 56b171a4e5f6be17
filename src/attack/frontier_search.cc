#include <algorithm>

#include "attack/importance.h"
#include "attack/searches.h"
#include "attack/turning_words.h"

namespace textcrs {
namespace {

class FrontierSearch final : public Search {
 public:
  FrontierSearch(EditBudgets budgets, const ClassWords& words, size_t candidates, bool beyond)
      : budgets_(std::move(budgets)), words_(words), candidates_(candidates), beyond_(beyond) {}

  bool search(AttackRun& run) const override {
    const std::vector<EditBudget> budgets = budgets_(run.text().words, run.example());
    if (budgets.empty()) return false;
    const Plan plan(run, words_, candidates_);
    for (const EditBudget& budget : budgets)
      if (spend(run, plan, budget)) return true;
    // Further than the frontier, in larger and larger steps.
    const size_t words = plan.text.size();
    for (size_t more = 0; beyond_ && more < words;) {
      more = std::min(words, more + 1 + more / 4);
      for (const EditBudget& budget : budgets)
        if (spend(run, plan, {budget.lost + more, budget.gained + more})) return true;
    }
    return false;
  }

 private:
  // What is known of the original text.
  struct Plan {
    Plan(AttackRun& run, const ClassWords& words, size_t candidates)
        : text(run.text()),
          needed(by_importance(run, run.places())),
          turning(turning_words(run, words, candidates)) {}

    EditedText text;
    std::vector<size_t> needed;  // places, the most needed first
    std::vector<TurningWord> turning;

    // The text with so many words lost, and so many gained: `different` ones, or the best one again
    // and again. A gained word takes the place of a lost one as long as there are such.
    EditedText edited(const EditBudget& budget, bool different) const {
      EditedText edited = text;
      std::vector<std::string> gained;
      if (!turning.empty())
        for (size_t i = 0; i < budget.gained; ++i)
          gained.push_back(turning[different ? i % turning.size() : 0].word);
      const size_t lost = std::min(budget.lost, needed.size());
      for (size_t i = 0; i < lost; ++i) {
        const size_t place = *edited.place_of(needed[i]);
        if (i < gained.size())
          edited = applied({WordEdit::Kind::kReplace, place, gained[i]}, std::move(edited));
        else
          edited = applied({WordEdit::Kind::kDelete, place}, std::move(edited));
      }
      for (size_t i = lost; i < gained.size(); ++i) {
        const size_t end = edited.size();
        edited = applied({WordEdit::Kind::kInsert, end, gained[i]}, std::move(edited));
      }
      return edited;
    }
  };

  // Whether the goal is reached; the run stands at the nearest text.
  static bool spend(AttackRun& run, const Plan& plan, const EditBudget& budget) {
    for (const bool different : {false, true}) {
      run.take_if_nearer(plan.edited(budget, different));
      if (run.reached()) return true;
    }
    return false;
  }

  EditBudgets budgets_;
  const ClassWords& words_;
  size_t candidates_;
  bool beyond_;
};

}  // namespace

std::unique_ptr<const Search> make_frontier_search(EditBudgets budgets, const ClassWords& words,
                                                   size_t candidates, bool beyond) {
  return std::make_unique<FrontierSearch>(std::move(budgets), words, candidates, beyond);
}

}  // namespace textcrs
