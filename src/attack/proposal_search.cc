#include "attack/attack_run.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

class ProposalSearch final : public Search {
 public:
  explicit ProposalSearch(TextProposal proposal) : proposal_(std::move(proposal)) {}

  bool search(AttackRun& run) const override {
    const std::vector<std::string> original = run.text().words;
    EditedText text(proposal_(original, run.example()));
    if (text.words == original) return false;
    text.original_size = original.size();
    text.edits = differences(original, text.words).size();
    const Asked asked = run.ask_about(text.words);
    return run.move_to(std::move(text), asked) && run.reached();
  }

 private:
  TextProposal proposal_;
};

}  // namespace

std::unique_ptr<const Search> make_proposal_search(TextProposal proposal) {
  return std::make_unique<ProposalSearch>(std::move(proposal));
}

}  // namespace textcrs
