// From the records of a certification run to the table people read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/report/class_report.h"
#include "textcrs/report/record.h"

namespace TEXTCRS_API textcrs {

// Certified accuracy at radius r: the share of the labelled texts that are answered, right and
// certified to at least r. Certified share: the share of all texts that are answered and certified
// to at least r, whether or not they are right.
struct CurvePoint {
  double radius = 0;  // kUnlimited: any amount
  double share = 0;
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
  size_t by_fallback = 0;  // of a cascade: answered by the fallback, nothing certified
  uint64_t samples = 0;
  double seconds = 0;         // of the records, added up
  std::string unit = "word";  // what the radii count: Record::unit
  // Shares of the labelled texts; none without labels. `accuracy` counts a text that is abstained
  // on by its guess, `answered_accuracy` as wrong.
  std::optional<double> accuracy, answered_accuracy;
  // Of the operations that some text's certificate is about.
  std::vector<Curve> sound, paper;              // certified accuracies; none without labels
  std::vector<Curve> sound_share, paper_share;  // certified shares
  // Where every word may become any of its candidates in the table `synonyms`, by the edits on top:
  // certified accuracy, or share without labels.
  std::string synonyms;
  std::vector<CurvePoint> beside_synonyms;
  std::vector<std::string> free_edits;  // beside every radius (CertifiedSet::free_edits())
  std::optional<Savings> saved;         // with a stop rule only
  // Texts per class that they were answered with; the others are abstained on.
  std::vector<std::pair<std::string, size_t>> answers;
  std::optional<ClassReport> classes;  // of the labelled texts; none without labels
  std::vector<std::string> caveats;    // all_caveats(); summarize() leaves them empty
  // Texts per warning, in the order of the texts.
  std::vector<std::pair<std::string, size_t>> warnings;
};

// `classes` are the classifier's; a bad_input Error for a record of another one. `planned` are the
// samples that a text without a stop would have had; none: there was no stop rule.
Summary summarize(const std::vector<Record>& records, const std::vector<std::string>& classes,
                  std::optional<uint64_t> planned = std::nullopt);

// summary.json: {"texts", "labelled", "abstained", "by_fallback", "samples", "seconds", "unit"
// (where it is not the word), "accuracy", "answered_accuracy", "synonyms": {"table", "edits":
// [{"radius", "certified_accuracy"}, ..]}, "sound": {"deletion": [{"radius", "certified_accuracy"},
// ..], ..}, "paper": {"proved": false, ..}, "samples_saved", "stops": {"reached": 12, ..},
// "answers": {"pos": 48, ..}, "certified_share": {"sound": {"deletion": [{"radius",
// "certified_share"}, ..], ..}, "paper": {"proved": false, ..}}, "classes": [{"class": "pos",
// "texts", "answered", "right", "abstained", "precision", "recall", "f1"}, ..], "confusion":
// {label: {answer: texts, ..},
// ..}, "warnings": {"most words of ..": 3, ..}, "caveats"}, what is not there left out.
std::string to_json(const Summary& summary);

// "smoothed accuracy 86.0 % if an abstention counts by its guess, 77.8 % if it counts as wrong;
// abstained 82"; requires both accuracies.
std::string accuracy_in_words(const Summary& summary);

// "38 of 500 texts answered by the fallback: the votes were not clear, nothing is certified"
std::string fallback_in_words(const Summary& summary);

// "answers: 48 pos, 40 neg; abstained 12"
std::string answers_in_words(const Summary& summary);

// Curves as a table in plain text: radii and percentages.
std::string table(const std::vector<Curve>& curves);

// "synonyms      edits 0  1 ..", as table() does; empty without a table of synonyms.
std::string synonyms_table(const Summary& summary);

// "samples: 1200 used (12.0 %), 8800 saved; why each text stopped:" and a line per reason,
// "  reached   38  the radius is certified"; requires summary.saved.
std::string savings_in_words(const Summary& summary);

// A line per warning, each with its end: "warning: 3 of 500 texts: most words of the text are ..".
std::string warnings_in_words(const Summary& summary);

}  // namespace textcrs
