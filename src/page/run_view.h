// A certification run as a report shows it: all numbers, computed once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/calibration.h"
#include "page/step_curve.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/report/run_folder.h"
#include "textcrs/report/summary.h"

namespace textcrs {

struct RunView {
  std::string name;
  RunFolder run;
  std::vector<std::string> classes;
  Description description;
  Summary summary;
  // Of the labelled texts those that are right, or, where no text has a label, of all texts those
  // that are answered.
  bool labelled = false;
  std::vector<StepCurve> sound, paper;
  std::vector<CalibrationBin> calibration;  // empty: no noisy copies, or no labels
  std::vector<std::string> said;            // per record, its answer in words
  // What the texts are sorted by, and examples chosen: edits of any kind where the certificate is
  // about them, else the first with a limit; none if nothing is certified.
  std::optional<Operation> headline;

  double headline_radius(const Record& record) const;  // -1: nothing
  const StepCurve* headline_curve() const;
  bool has_texts() const;  // any record has its text
};

// Reads the folder. A bad_input Error as read_run() says, and for records that no run has: other
// classes, or another number of counts than classes.
RunView view_of(const std::string& name, const std::filesystem::path& folder);

}  // namespace textcrs
