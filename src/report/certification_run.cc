#include "textcrs/report/certification_run.h"

#include <fmt/format.h>

#include <stdexcept>
#include <unordered_set>

#include "base/in_order.h"
#include "report/resumed_records.h"
#include "report/run_file.h"
#include "report/run_settings.h"
#include "report/stopwatch.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/report/results_file.h"
#include "textcrs/report/warnings.h"

namespace textcrs {
namespace {

void check_labels(const Dataset& dataset, const CertifiedClassifier& classifier) {
  const auto classes = static_cast<int>(classifier.classes().size());
  for (const Example& example : dataset.examples) {
    if (example.label == kNoLabel) continue;
    if (dataset.classes != classifier.classes() || example.label < 0 || example.label >= classes)
      throw std::logic_error("run_certification: the texts have other classes than the classifier");
  }
}

Record certify_example(const CertifiedClassifier& classifier, const Example& example,
                       bool with_text, StopToken stop) {
  const Stopwatch watch;
  const std::vector<std::string>& classes = classifier.classes();
  const std::vector<std::string> words = classifier.words(example.text);
  Record record;
  record.id = example.id;
  record.key = example.key;
  if (with_text) record.text = example.text;
  record.words = words.size();
  record.unit = classifier.description().unit;
  record.certification = classifier.certify(words, example.id, stop);
  const Certification& c = record.certification;
  if (example.label != kNoLabel) record.label = classes[static_cast<size_t>(example.label)];
  record.prediction = classes[static_cast<size_t>(c.prediction)];
  record.stops = stopped_by_rule(classifier.description(), c);
  record.warnings = in_words(c.warnings);
  record.seconds = watch.seconds();
  record.version = version();
  return record;
}

// The texts without a record; of those with the same id the first.
std::vector<const Example*> missing_in(const ResultsFile& results, const Dataset& dataset) {
  std::vector<const Example*> missing;
  std::unordered_set<uint32_t> ids;
  for (const Example& example : dataset.examples)
    if (!results.has(example.id) && ids.insert(example.id).second) missing.push_back(&example);
  return missing;
}

// How far a run is, and how fast.
class Progress {
 public:
  Progress(size_t resumed, size_t texts) {
    now_.done = now_.resumed = resumed;
    now_.texts = texts;
  }

  void add(uint64_t passes) {
    ++now_.done;
    passes_ += passes;
    const double seconds = watch_.seconds();
    now_.texts_per_second = static_cast<double>(now_.done - now_.resumed) / seconds;
    now_.passes_per_second = static_cast<double>(passes_) / seconds;
    now_.seconds_left = static_cast<double>(now_.texts - now_.done) / now_.texts_per_second;
  }
  const RunProgress& now() const { return now_; }

 private:
  Stopwatch watch_;
  uint64_t passes_ = 0;
  RunProgress now_;
};

void certify_all(const CertifiedClassifier& classifier, const Dataset& dataset, bool with_text,
                 ResultsFile& results, const RunReporter& report, StopToken stop) {
  Progress progress(results.records().size(), dataset.examples.size());
  if (report) report(progress.now());
  const std::vector<const Example*> missing = missing_in(results, dataset);
  const auto certify = [&](size_t i) {
    return certify_example(classifier, *missing[i], with_text, stop);
  };
  Stopwatch since_last;
  const auto append = [&](Record record) {
    record.wall_seconds = since_last.seconds();
    since_last = Stopwatch();
    results.append(record);
    progress.add(record.certification.samples);
    if (report) report(progress.now());
  };
  for_each_in_order(missing.size(), classifier.texts_at_once(), certify, append, stop);
}

}  // namespace

Summary run_certification(const CertifiedClassifier& classifier, const Dataset& dataset,
                          const RunOptions& options, const RunReporter& report, StopToken stop) {
  check_labels(dataset, classifier);
  const Description& description = classifier.description();
  std::vector<Setting> settings = options.settings;
  settings.push_back({"with_text", std::string(options.with_text ? "yes" : "no")});
  ResultsFile results(options.folder, run_settings(description, dataset, settings),
                      std::string(version()),
                      options.overwrite ? ResultsFile::Start::kAnew : ResultsFile::Start::kGoOn);
  check_resumed(results.path(), results.records(), classifier, dataset, options.with_text);
  for (const RunOptions::Note& note : options.notes)
    write_file_atomically(options.folder / note.name, note.content);
  try {
    certify_all(classifier, dataset, options.with_text, results, report, stop);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    results.sync();
    throw Error(ErrorKind::kInterrupted,
                fmt::format("interrupted after {} of {}; the results are kept",
                            results.records().size(), counted(dataset.examples.size(), "text")));
  }
  results.sync();
  Summary summary =
      summarize(results.records(), classifier.classes(), planned_samples(description));
  summary.caveats = all_caveats(description);
  write_file_atomically(options.folder / kSummaryFile, to_json(summary));
  return summary;
}

}  // namespace textcrs
