#include "attack/turning_words.h"

#include <algorithm>

namespace textcrs {

std::vector<TurningWord> turning_words(AttackRun& run, const ClassWords& words, size_t candidates) {
  std::vector<WordEdit> edits;
  for (std::string& word : words.against(run.label(), candidates)) {
    WordEdit edit = {WordEdit::Kind::kInsert, run.text().size(), std::move(word)};
    if (run.is_one_word(edit.word) && run.allows(edit)) edits.push_back(std::move(edit));
  }
  const std::vector<Asked> asked = run.ask(edits);
  std::vector<TurningWord> list;
  for (size_t i = 0; i < asked.size(); ++i) list.push_back({edits[i].word, asked[i].nearness});
  std::stable_sort(list.begin(), list.end(), [](const TurningWord& a, const TurningWord& b) {
    return a.nearness > b.nearness;
  });
  return list;
}

}  // namespace textcrs
