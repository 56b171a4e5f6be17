// What a search works with: the attack's parts applied to one text, with every question to the
// target counted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "textcrs/attack/attack.h"

namespace textcrs {

// Thrown when the next question is beyond the budget, and caught by Attack::run().
struct QueriesSpent {};

// What the target says of a text.
struct Asked {
  std::vector<double> shares;
  double nearness = 0;
  bool reached = false;
};

class AttackRun {
 public:
  AttackRun(const AttackParts& parts, const AttackLimits& limits, const AttackTarget& target,
            const std::vector<std::string>& words, int label, uint32_t example, StopToken stop);

  // Asks about the original text; false if its answer is another than the label.
  bool begin();

  const EditedText& text() const { return text_; }  // the nearest so far: where the search stands
  const Asked& asked() const { return now_; }       // what the target says of it
  const Asked& asked_before() const { return before_; }
  bool reached() const { return now_.reached; }
  uint64_t queries() const { return queries_; }
  bool spent() const { return spent_; }  // whether the budget left a question without an answer
  int label() const { return label_; }
  uint32_t example() const { return example_; }
  Stream& random() { return random_; }

  // Places of the text whose words may be edited, ascending.
  std::vector<size_t> places() const;
  // What the transformation proposes there, less what a constraint refuses or the target does not
  // read as one word. std::logic_error without a transformation.
  std::vector<WordEdit> edits_at(size_t place);
  bool allows(const WordEdit& edit) const;
  bool is_one_word(const std::string& word);  // to the target

  // What the target would say after each edit of the text; where the budget ends among them, after
  // the first of them only, and QueriesSpent where it ended before. `stop` is looked at first.
  std::vector<Asked> ask(std::span<const WordEdit> edits);
  Asked ask_about(const std::vector<std::string>& words);

  // The similarity of the text after each edit; 1 without a similarity. 0 is too little.
  std::vector<double> similarity_after(std::span<const WordEdit> edits) const;

  // Makes the edit, whose answer is `asked`. False, and nothing is done, if the target reads the
  // words of the new text, joined, as others.
  bool take(const WordEdit& edit, const Asked& asked);
  // Asks about a text of several edits and goes there if it reaches the goal or is nearer to it,
  // and the target reads it as these words.
  bool take_if_nearer(EditedText text);

  // Of edits with their answers, which may be fewer, the one to take: of those that reach the goal
  // the most similar, else the nearest that is nearer than the text and similar enough. The edit is
  // made; false if there is none.
  bool take_best(std::span<const WordEdit> edits, std::span<const Asked> asked);

 private:
  std::vector<Asked> ask_all(std::span<const std::vector<std::string>> texts);
  bool move_to(EditedText text, const Asked& asked);

  const AttackParts& parts_;
  const AttackLimits& limits_;
  const AttackTarget& target_;
  int label_;
  uint32_t example_;
  StopToken stop_;
  Stream random_;
  EditedText text_;
  Asked before_, now_;
  uint64_t queries_ = 0;
  bool spent_ = false;
  std::unordered_map<std::string, Asked> known_;  // by the text's words, joined
  std::unordered_map<std::string, bool> one_word_;
};

}  // namespace textcrs
