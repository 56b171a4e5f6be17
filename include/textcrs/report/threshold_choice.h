// How clear the votes of a cascade must be (docs/certificates.md, B11): what every threshold costs
// and brings on labelled texts, and which is the smallest for a wanted accuracy.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/evaluation.h"

namespace TEXTCRS_API textcrs {

// The numbers of edits at which certified accuracies are stated.
constexpr std::array<size_t, 5> kEditsShown = {1, 2, 3, 5, 10};
template <typename T>
using PerEdits = std::array<T, kEditsShown.size()>;

// What both models say of a text, whatever the threshold.
struct BothAnswers {
  int label = 0, votes = 0, fallback = 0;  // classes
  int64_t lead = 0;                        // of the votes
  PerEdits<int64_t> lead_after = {};       // the least that as many edits leave
  double radius = 0;                       // edits that are certified without a threshold
};

// Asks each model once per text, whatever the cascade's own threshold is. Throws as evaluate()
// does.
std::vector<BothAnswers> ask_both(const CascadeClassifier& cascade, const Dataset& dataset,
                                  const EvaluationReporter& report = {}, StopToken stop = {});

// Shares of all texts.
struct ThresholdFigures {
  double threshold = 0;  // in strongest votes
  double by_votes = 0;   // answered by the votes
  double accuracy = 0;
  PerEdits<double> certified = {};  // right, and no so many edits can change the answer
};

class ThresholdChoice {
 public:
  // A std::logic_error without texts, and for a strongest vote below 1.
  ThresholdChoice(std::vector<BothAnswers> texts, int64_t strongest_vote);

  // Every threshold that makes a difference, ascending: 0, and those up to kLargestThreshold at
  // which another text is left to the fallback.
  const std::vector<ThresholdFigures>& all() const { return all_; }

  // The smallest threshold with at least this accuracy, a share; none if no threshold has it.
  std::optional<ThresholdFigures> smallest_for(double accuracy) const;
  // The highest accuracy; of several thresholds that have it, the smallest.
  const ThresholdFigures& best() const;

  // A dozen of them: 0, and the smallest at which the votes answer at most 95, 90, 80 .. 0 % of the
  // texts; with `also`, if given.
  std::vector<ThresholdFigures> overview(const std::optional<ThresholdFigures>& also) const;

 private:
  std::vector<ThresholdFigures> all_;
};

// A line per threshold: the share that the votes answer, accuracy, certified accuracies.
std::string table(const std::vector<ThresholdFigures>& rows);

// {"threshold": 1.5, "by_votes": .., "accuracy": .., "certified_accuracy": {"1": .., "2": ..}}, and
// {"model", "fallback", "data", "texts", "strongest_vote", "wanted": accuracy or null, "chosen":
// such an object or null, "best": .., "thresholds": [..]}, in one line without its end.
struct ThresholdReport {
  std::string model, fallback;  // fingerprints
  std::string data;             // Dataset::name
  size_t texts = 0;
  int64_t strongest_vote = 0;
  std::optional<double> wanted;  // accuracy, a share
};
std::string to_json(const ThresholdReport& report, const ThresholdChoice& choice);

}  // namespace textcrs
