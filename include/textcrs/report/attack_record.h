// A text that was attacked, and its only JSON form.
//
// {"id": 7, "key": "review-17", "label": "pos", "status": "succeeded", "before": "pos", "after":
//  "neg", "share_before": 0.98, "share_after": 0.31, "queries": 812, "words": 215, "words_after":
//  215, "differences": [{"place": 12, "before": "good", "after": "decent"}, ..], "similarity":
//  0.97, "original": "..", "adversarial": "..", "models": [{"name": "votes", "clean": "pos",
//  "clean_abstained": false, "certified": true, "edited": "neg", "edited_abstained": false,
//  "covered": false, "why": ".."}, ..], "seconds": .., "wall_seconds": .., "version": "0.2.0"}
// In a difference, "before" is left out of an insertion and "after" of a deletion. A skipped text
// has neither differences, similarity, adversarial nor models; the models of a text that stayed as
// it was are an empty list. Left out where they do not apply: key, and similarity without an
// encoder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/attack/attack.h"
#include "textcrs/attack/edited_text.h"
#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// What a certified classifier says of the clean and of the edited text.
struct DefenceRecord {
  std::string name;
  std::string clean, edited;  // classes, also where it abstains
  bool clean_abstained = false, edited_abstained = false;
  bool certified = false;  // about the clean text something is proved
  bool covered = false;    // the edited text is inside of what is proved
  std::string why = {};    // Coverage::why

  // It answers for the edited text, with another class.
  bool flipped() const { return !edited_abstained && edited != clean; }
  // The answer was proved to stay, and did not.
  bool contradicted() const { return covered && flipped(); }
};

struct AttackRecord {
  uint32_t id = 0;                 // Example::id
  std::optional<std::string> key;  // Example::key
  std::string label;
  AttackStatus status = AttackStatus::kFailed;
  std::string before, after;  // the target's answers
  double share_before = 0, share_after = 0;
  uint64_t queries = 0;
  size_t words = 0, words_after = 0;
  std::vector<WordDifference> differences;
  std::optional<double> similarity;   // cosine, of the whole texts
  std::string original, adversarial;  // the words, joined
  std::vector<DefenceRecord> models;
  double seconds = 0;  // as those of a Record (textcrs/report/record.h)
  std::optional<double> wall_seconds;
  std::string version;

  bool attempted() const { return status != AttackStatus::kSkipped; }
  bool succeeded() const { return status == AttackStatus::kSucceeded; }
};

// One line, without its end.
std::string to_json(const AttackRecord& record);

// A bad_input Error for anything else; to_json(parse_attack_record(line)) is the line again.
AttackRecord parse_attack_record(std::string_view line);

}  // namespace textcrs
