// What an attack came to, on all texts of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/report/attack_record.h"

namespace TEXTCRS_API textcrs {

struct AttackSummary {
  size_t texts = 0;
  size_t attempted = 0;  // answered right before
  size_t succeeded = 0;
  size_t spent = 0;  // attempts that ended with the budget
  uint64_t queries = 0;
  double seconds = 0;  // of the records, added up
  // Of the attempts: those whose last text is still answered right, the attack accuracy of the
  // paper; none without any. It is 1 - succeeded / attempted where success is another answer.
  std::optional<double> attack_accuracy;
  // Of all texts: right before and after the attack.
  double accuracy_before = 0, accuracy_after = 0;
  // Means over the successes: words that differ, as a share of the text's words, and as a number;
  // cosine similarity; and queries over the attempts. None without any.
  std::optional<double> share_changed, words_changed, similarity, queries_per_attempt;

  // Of the texts that the attack changed: all of them, and the successes alone.
  struct Counts {
    size_t texts = 0;
    size_t right = 0;      // the edited text is answered with the label
    size_t flipped = 0;    // answered with another class than the clean text
    size_t abstained = 0;  // the edited text is not answered
    size_t certified = 0;  // the clean text is answered right, and something is proved about it
    size_t covered = 0;    // of these: the edited text is inside of what is proved
  };
  struct Model {
    std::string name;
    Counts all, successes;
    size_t contradicted = 0;
  };
  std::vector<Model> models;

  // A text for which certificates did not hold: whose, and what was proved.
  struct Contradicted {
    std::string model, why;
  };
  struct Contradiction {
    uint32_t id = 0;
    std::string original, adversarial;
    std::vector<Contradicted> models;
  };
  std::vector<Contradiction> contradictions;
};

AttackSummary summarize(const std::vector<AttackRecord>& records);

// {"texts", "attempted", "succeeded", "spent", "queries", "seconds", "attack_accuracy",
// "accuracy_before", "accuracy_after", "share_changed", "words_changed", "similarity",
// "queries_per_attempt", "models": [{"name", "all": {"texts", "right", "flipped", "abstained",
// "certified", "covered"}, "successes": {..}, "contradicted"}, ..], "contradictions": [{"id",
// "original", "adversarial", "models": [{"name", "why"}, ..]}, ..]}, what does not apply left out.
std::string to_json(const AttackSummary& summary);

// Lines for people: what the attack did, and a table of the models.
std::string in_words(const AttackSummary& summary);

// One line about certificates that did not hold, with the text.
std::string in_words(const AttackSummary::Contradiction& contradiction);

}  // namespace textcrs
