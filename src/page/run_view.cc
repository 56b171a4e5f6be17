#include "page/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "page/recorded_classifier.h"
#include "page/run_words.h"
#include "report/run_file.h"
#include "report/run_settings.h"
#include "textcrs/base/error.h"
#include "textcrs/report/answers.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr size_t kMostEditsSaid = 6;  // of a witness; the others are counted

Error damaged(const RunFolder& run, const Record& record, const std::string& what) {
  return bad_input(
      fmt::format("{}: the text {}: {}", (run.folder / kResultsFile).string(), record.id, what));
}

void check(const RunFolder& run, const Record& record, size_t classes) {
  const size_t counts = record.certification.counts.size();
  if (counts != classes || counts == 0)
    throw damaged(
        run, record,
        fmt::format("found {} counts, expected one for each of {} classes", counts, classes));
  if (record.unit != run.records.front().unit)
    throw damaged(
        run, record,
        fmt::format("found {}s, expected {}s as before", record.unit, run.records.front().unit));
}

// "; these 81 edits make it positive: 'bad' → 'well', .. and 75 more"
std::string witness_in_words(const Witness& witness) {
  const size_t edits = std::max(witness.lost.size(), witness.gained.size());
  std::string said =
      edits == 1 ? "; this edit makes" : fmt::format("; these {} edits make", thousands(edits));
  said += fmt::format(" it {}: ", printable_name(witness.answer));
  for (size_t i = 0; i < std::min(edits, kMostEditsSaid); ++i) {
    if (i > 0) said += ", ";
    const std::string lost = i < witness.lost.size() ? printable_name(witness.lost[i].second) : "";
    if (i >= witness.gained.size())
      said += fmt::format("delete '{}'", lost);
    else if (i >= witness.lost.size())
      said += fmt::format("insert '{}'", printable_name(witness.gained[i]));
    else
      said += fmt::format("'{}' → '{}'", lost, printable_name(witness.gained[i]));
  }
  if (edits > kMostEditsSaid) said += fmt::format(" and {} more", edits - kMostEditsSaid);
  return said;
}

std::string answer_of(const RunFolder& run, const RecordedClassifier& classifier, Record record) {
  for (Guarantee& guarantee : record.certification.sound.guarantees)
    guarantee.unit = unit_of(record, guarantee);
  const auto& classes = classifier.classes();
  const auto place = std::find(classes.begin(), classes.end(), record.prediction);
  Certification& answer = record.certification;
  answer.prediction = static_cast<int>(place - classes.begin());
  const auto& votes = answer.counts;
  const bool voted = std::any_of(votes.begin(), votes.end(), [](int64_t n) { return n != 0; });
  if (answer.abstained && !answer.exact && (!voted || classes.size() < 2))
    return "no answer: no noisy copy voted";
  const std::optional<Witness> witness = std::exchange(answer.witness, std::nullopt);
  try {
    std::string said = answer_in_words(classifier, record.words, answer);
    if (witness) said += witness_in_words(*witness);
    for (const std::string& warning : record.warnings) said += "; warning: " + warning;
    return said;
  } catch (const Error& error) {
    throw damaged(run, record, error.what());
  }
}

// Without what is said once of the whole run.
Description of_every_text(Description description) {
  description.caveats.clear();
  description.caveats_of_samples.clear();
  description.trained_noise.clear();
  return description;
}

std::optional<Operation> headline_of(const std::vector<StepCurve>& sound) {
  const auto has_limit = [](const StepCurve& curve) {
    return curve.operation == Operation::kEdit || !std::isinf(curve.radii.back());
  };
  const auto first = std::find_if(sound.begin(), sound.end(), has_limit);
  if (first != sound.end()) return first->operation;
  if (sound.empty()) return std::nullopt;
  return sound.front().operation;
}

}  // namespace

double RunView::headline_radius(const Record& record) const {
  return headline ? radius_of(record, record.certification.sound, *headline) : -1;
}

const StepCurve* RunView::headline_curve() const {
  for (const StepCurve& curve : sound)
    if (headline == curve.operation) return &curve;
  return nullptr;
}

bool RunView::has_texts() const {
  return std::any_of(run.records.begin(), run.records.end(),
                     [](const Record& record) { return record.text.has_value(); });
}

RunView view_of(const std::string& name, const std::filesystem::path& folder) {
  RunView view;
  view.name = name;
  view.run = read_run(folder);
  const std::vector<Record>& records = view.run.records;
  view.classes = classes_of(view.run);
  for (const Record& record : records) check(view.run, record, view.classes.size());
  view.description = description_of(view.run);
  try {
    view.summary = summarize(records, view.classes, planned_samples(view.description));
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", (folder / kResultsFile).string(), error.what()));
  }
  view.summary.caveats = view.description.caveats;
  view.labelled = view.summary.labelled > 0;
  const Counted counted = view.labelled ? Counted::kRightOfLabelled : Counted::kAnsweredOfAll;
  view.sound = step_curves(records, &Certification::sound, counted);
  view.paper = step_curves(records, &Certification::paper, counted);
  view.headline = headline_of(view.sound);
  if (view.description.is_smoothed()) view.calibration = calibration_of(records);
  const RecordedClassifier classifier(view.classes, of_every_text(view.description));
  for (const Record& record : records) view.said.push_back(answer_of(view.run, classifier, record));
  return view;
}

}  // namespace textcrs
