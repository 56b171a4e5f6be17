// Certification runs on the same texts, side by side: what each proves against one threat.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/error.h"
#include "textcrs/report/run_folder.h"
#include "textcrs/report/threat.h"

namespace TEXTCRS_API textcrs {

struct NamedRun {
  std::string name;
  RunFolder run;
};

constexpr const char* kAnyWord = "any";  // instead of a table: any word may replace any

struct ComparisonOptions {
  Operation threat = Operation::kEdit;
  // Of substitutions: a table that some run is about, or kAnyWord. None: the table that all runs
  // which are bound to one are about; any word if there is no such table.
  std::optional<std::string> candidates;
  // Ascending, above 0; kUnlimited: any number. Empty: 1, 2, 3, 5, 10 words; 2, 4, 8, 16, 32
  // places and any.
  std::vector<double> radii;
  std::string against;  // the name of the run that the others are tested against; empty: the first
  bool common = false;  // compare the texts that all runs have; else all must have the same
};

// Texts that only one of two runs got right, and the probability of such a difference by chance
// (textcrs/report/mcnemar.h).
struct PairedTest {
  size_t only_this = 0, only_other = 0;
  double p = 1;
};

struct RunFigures {
  std::string name;
  std::string architecture, noise;       // the first is empty in runs of older versions
  std::optional<double> samples, alpha;  // per text; none: nothing was sampled
  bool complete = false;
  size_t abstained = 0;
  // Shares of the labelled texts; none without labels. `accuracy` counts a text that is abstained
  // on by its guess, `answered_accuracy` as wrong.
  std::optional<double> accuracy, answered_accuracy;
  // Per radius: the share of the labelled texts that are answered, right and certified to at least
  // that; without labels the share of all texts, right or wrong.
  std::vector<double> certified;
  std::string why_nothing;  // why it proves nothing against the threat; empty if it does
  std::string how;          // why another guarantee counts (Credit::how)
  double median_seconds = 0, mean_seconds = 0;  // that a text was in work
  std::optional<double> wall_seconds;           // of the run, per text
  std::string caveats;                          // of the run

  struct Tests {                                            // against the run of that name
    std::optional<PairedTest> accuracy, answered_accuracy;  // none without labels
    std::vector<PairedTest> certified;                      // per radius
  };
  std::optional<Tests> tests;  // none for that run itself
};

struct Comparison {
  Threat threat;
  std::string data, split;
  size_t texts = 0;      // that are compared: the labelled ones if there are any
  bool labelled = true;  // false: no text has a label
  std::vector<double> radii;
  std::string against;
  std::vector<RunFigures> runs;
  std::vector<std::string> notes;  // on the comparison as a whole
};

// Runs are not about the same texts: a usage Error that names the first difference.
class OtherTexts : public Error {
 public:
  // `missing`: the texts agree, but one of the runs has no result of some.
  OtherTexts(const std::string& runs, const std::string& difference, bool missing = false);

  bool missing() const { return missing_; }

 private:
  bool missing_;
};

// An OtherTexts unless the texts are the same; a usage Error for no run, names that are used twice,
// and an `against` or a table that no run has.
Comparison compare_runs(const std::vector<NamedRun>& runs, const ComparisonOptions& options);

enum class TableFormat { kText, kMarkdown, kCsv, kLatex };

// What is compared, a table of the runs, one of the tests' probabilities, and a note per reason for
// a 0 and per remark. Csv: one table and nothing else. Latex: tabulars of the package booktabs.
// Certified shares are in per cent, rounded down.
std::string to_text(const Comparison& comparison, TableFormat format);

// {"threat": {"operation", "candidates"}, "data", "split", "texts", "labelled", "radii": [1, ..,
// "unlimited"], "against", "runs": [{"name", "architecture", "noise", "samples", "alpha",
// "complete", "abstained", "accuracy", "answered_accuracy", "certified": [share per radius], "why",
// "how", "median_seconds", "mean_seconds", "wall_seconds", "caveats", "tests": {"accuracy":
// {"only_this", "only_other", "p"}, "answered_accuracy": {..}, "certified": [{..}, ..]}}, ..],
// "notes"}, in one line without its end; what does not apply is left out.
std::string to_json(const Comparison& comparison);

}  // namespace textcrs
