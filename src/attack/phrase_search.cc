#include "attack/attack_run.h"
#include "attack/searches.h"

namespace textcrs {
namespace {

class PhraseSearch final : public Search {
 public:
  explicit PhraseSearch(std::vector<std::string> phrase) : phrase_(std::move(phrase)) {}

  bool search(AttackRun& run) const override {
    EditedText text = run.text();
    for (size_t i = 0; i < phrase_.size(); ++i)
      text = applied({WordEdit::Kind::kInsert, i, phrase_[i]}, std::move(text));
    return run.take_if_nearer(std::move(text)) && run.reached();
  }

 private:
  std::vector<std::string> phrase_;
};

}  // namespace

std::unique_ptr<const Search> make_phrase_search(std::vector<std::string> phrase) {
  return std::make_unique<PhraseSearch>(std::move(phrase));
}

}  // namespace textcrs
