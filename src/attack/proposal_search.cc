#include "attack/attack_run.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

// The text as edits of the original: a shortest list of them.
EditedText as_edits(const std::vector<std::string>& original,
                    const std::vector<std::string>& proposed) {
  EditedText text(original);
  const std::vector<WordDifference> list = differences(original, proposed);
  // From the end: places before an edit stay what they are.
  for (auto each = list.rbegin(); each != list.rend(); ++each) {
    const auto kind = !each->before  ? WordEdit::Kind::kInsert
                      : !each->after ? WordEdit::Kind::kDelete
                                     : WordEdit::Kind::kReplace;
    text = applied({kind, each->place, each->after.value_or("")}, std::move(text));
  }
  return text;
}

class ProposalSearch final : public Search {
 public:
  explicit ProposalSearch(TextProposal proposal) : proposal_(std::move(proposal)) {}

  bool search(AttackRun& run) const override {
    const std::vector<std::string>& original = run.text().words;
    const std::vector<std::string> proposed = proposal_(original, run.example());
    return proposed != original && run.take_if_nearer(as_edits(original, proposed)) &&
           run.reached();
  }

 private:
  TextProposal proposal_;
};

}  // namespace

std::unique_ptr<const Search> make_proposal_search(TextProposal proposal) {
  return std::make_unique<ProposalSearch>(std::move(proposal));
}

}  // namespace textcrs
