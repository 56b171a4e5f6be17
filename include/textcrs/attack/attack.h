// An attack on a text classifier, put together from the parts that TextAttack made customary: a
// transformation proposes edits, constraints refuse some of them, a goal says how near a text is
// and when it is there, and a search chooses. textcrs/attack/recipes.h has the named ones.
//
// An attack knows a classifier's scores and words, and no certificate. It is deterministic: what it
// does to a text depends on the text, its number and the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/attack/edited_text.h"
#include "textcrs/attack/target.h"
#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/base/stream.h"

namespace TEXTCRS_API textcrs {

// Const and thread-safe, as all the parts are.
class Transformation {
 public:
  virtual ~Transformation() = default;
  // The edits it proposes at a place of the text; an insertion there is in front of the word. The
  // order matters where two are equally good.
  virtual std::vector<WordEdit> at(const EditedText& text, size_t place, Stream& random) const = 0;
};

class Constraint {
 public:
  virtual ~Constraint() = default;
  // Whether the word at a place may be edited at all.
  virtual bool may_edit(const EditedText& /*text*/, size_t /*place*/) const { return true; }
  // Whether `edit` may be made of `text`.
  virtual bool allows(const EditedText& /*text*/, const WordEdit& /*edit*/) const { return true; }
};

// A constraint that costs more than asking the target: it is asked last, and of several edits that
// reach the goal the most similar one is taken.
class Similarity {
 public:
  virtual ~Similarity() = default;
  // How much of its meaning the text keeps under each edit, in [0, 1]; 0 where it is too little.
  virtual std::vector<double> after(const EditedText& text,
                                    std::span<const WordEdit> edits) const = 0;
  // Of two whole texts, the cosine of their vectors: what is reported.
  virtual double of(const std::vector<std::string>& a, const std::vector<std::string>& b) const = 0;
};

class Goal {
 public:
  virtual ~Goal() = default;
  // How near a text with these shares is to the goal; the larger the better.
  virtual double nearness(std::span<const double> shares, int label) const = 0;
  virtual bool reached(std::span<const double> shares, int label) const = 0;
};

enum class AttackStatus {
  kSucceeded,  // it found what it looked for
  kFailed,     // nothing more to try
  kSpent,      // the budget of queries was
  kSkipped,    // the answer was wrong before
};
std::string_view to_string(AttackStatus status);  // "succeeded", "failed", "spent", "skipped"

struct AttackResult {
  AttackStatus status = AttackStatus::kFailed;
  EditedText text;            // the nearest that was found; of a skipped one the original
  int before = 0, after = 0;  // the target's answers for the original and for this text
  double share_before = 0, share_after = 0;  // of the label
  uint64_t queries = 0;  // texts whose scores were asked for, each different text once
};

class AttackRun;

class Search {
 public:
  virtual ~Search() = default;
  // Leaves the nearest text that it found in `run`; whether it found what it looked for.
  virtual bool search(AttackRun& run) const = 0;
};

struct AttackParts {
  std::unique_ptr<const Search> search;
  std::unique_ptr<const Transformation> transformation;
  std::vector<std::unique_ptr<const Constraint>> constraints;
  std::unique_ptr<const Similarity> similarity;  // null: any meaning will do
  std::unique_ptr<const Goal> goal;
};

struct AttackLimits {
  uint64_t queries = 0;  // per text; 0: no limit
  uint64_t seed = 1;     // of whatever the parts draw
};

class Attack {
 public:
  Attack(AttackParts parts, const AttackLimits& limits);

  // Attacks the words of example `example` whose class is `label`. An Error of kind kInterrupted
  // once `stop` asks for it.
  AttackResult run(const AttackTarget& target, const std::vector<std::string>& words, int label,
                   uint32_t example, StopToken stop = {}) const;

  const AttackParts& parts() const { return parts_; }
  const AttackLimits& limits() const { return limits_; }

 private:
  AttackParts parts_;
  AttackLimits limits_;
};

}  // namespace textcrs
