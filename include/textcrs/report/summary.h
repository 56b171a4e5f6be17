// From the records of a certification run to the table people read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/report/record.h"

namespace TEXTCRS_API textcrs {

// Certified accuracy at radius r: the share of labelled texts whose prediction is right, not
// abstained and certified to at least r.
struct CurvePoint {
  double radius = 0;  // kUnlimited: any amount
  double certified_accuracy = 0;
};
struct Curve {
  Operation operation = Operation::kEdit;
  std::vector<CurvePoint> points;  // from radius 0 on, ascending
};

// What a stop rule was worth.
struct Savings {
  uint64_t samples = 0;                              // that were not drawn
  std::vector<std::pair<StopReason, size_t>> stops;  // texts per reason, in the order of the texts
};

struct Summary {
  size_t texts = 0, labelled = 0, abstained = 0;
  uint64_t samples = 0;
  double seconds = 0;
  // Shares of the labelled texts; none without labels. `accuracy` counts a text that is abstained
  // on by its guess, `answered_accuracy` as wrong.
  std::optional<double> accuracy, answered_accuracy;
  std::vector<Curve> sound, paper;   // of the operations that some text's certificate is about
  std::optional<Savings> saved;      // with a stop rule only
  std::vector<std::string> caveats;  // Description::caveats; summarize() leaves them empty
};

// `planned` are the samples that a text without a stop would have had; none: there was no stop
// rule.
Summary summarize(const std::vector<Record>& records,
                  std::optional<uint64_t> planned = std::nullopt);

// summary.json: {"texts", "labelled", "abstained", "samples", "seconds", "accuracy",
// "answered_accuracy", "sound": {"deletion": [{"radius", "certified_accuracy"}, ..], ..},
// "paper": {"proved": false, ..}, "samples_saved", "stops": {"reached": 12, ..}, "caveats"}, what
// is not there left out.
std::string to_json(const Summary& summary);

// "smoothed accuracy 86.0 % if an abstention counts by its guess, 77.8 % if it counts as wrong;
// abstained 82"; requires both accuracies.
std::string accuracy_in_words(const Summary& summary);

// Curves as a table in plain text: radii and percentages.
std::string table(const std::vector<Curve>& curves);

// "samples: 1200 used (12.0 %), 8800 saved; why each text stopped:" and a line per reason,
// "  reached   38  the radius is certified"; requires summary.saved.
std::string savings_in_words(const Summary& summary);

}  // namespace textcrs
