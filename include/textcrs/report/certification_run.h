// Certifying many texts: a run that can be interrupted at any moment and goes on where it stopped.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/summary.h"

namespace TEXTCRS_API textcrs {

struct RunOptions {
  std::filesystem::path folder;  // textcrs/report/results_file.h, and summary.json at the end
  // What identifies the run beside the classifier and the texts, if anything: {"split", "test"}.
  std::vector<Setting> settings;
  bool with_text = false;  // every record holds its text
  bool overwrite = false;  // start anew, whatever results are there
  // Files to put beside the results, by name; they are written when the folder is known to be this
  // run's.
  struct Note {
    std::string name, content;
  };
  std::vector<Note> notes;
};

struct RunProgress {
  size_t done = 0, texts = 0;
  size_t resumed = 0;  // of those done: the ones an earlier, interrupted run left
  double texts_per_second = 0;
  double passes_per_second = 0;
  double seconds_left = 0;
};

// Called once before the first text, then after each record, by the thread that asked; may be
// empty.
using RunReporter = std::function<void(const RunProgress&)>;

// Certifies CertifiedClassifier::texts_at_once() texts at a time. Writes a record as soon as its
// text and all before it are done, so in the order of the data set, and the summary when all are.
// Example::id keys the noise, so the records do not depend on interruptions. When `stop` asks for
// it, an Error of kind kInterrupted says how far it came; the same call goes on. An Error about a
// text is thrown when all before it are written. Throws as ResultsFile does; a bad_input Error for
// a result that this classifier can not have written about these texts; a std::logic_error unless
// labels are indices into the classifier's classes.
Summary run_certification(const CertifiedClassifier& classifier, const Dataset& dataset,
                          const RunOptions& options, const RunReporter& report,
                          StopToken stop = {});

}  // namespace textcrs
