#include "textcrs/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr Operation kOperations[] = {Operation::kSubstitution, Operation::kReordering,
                                     Operation::kInsertion, Operation::kDeletion, Operation::kEdit};
constexpr size_t kMostColumns = 8;

// 1, 2, 5, 10, ... (times a power of ten) up to the largest radius, the last kMostColumns of them;
// and 3 among the ones, where many certificates end.
std::vector<double> radius_grid(double largest) {
  std::vector<double> grid;
  const int top = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  for (int power = top - 2; power <= top; ++power)
    for (int digit : {1, 2, 5}) {
      const double radius =
          power >= 0 ? digit * std::pow(10.0, power) : digit / std::pow(10.0, -power);
      if (radius <= largest) grid.push_back(radius);
    }
  if (grid.size() > kMostColumns) grid.erase(grid.begin(), grid.end() - kMostColumns);
  if (largest >= 3 && grid.front() <= 2)
    grid.insert(std::upper_bound(grid.begin(), grid.end(), 3.0), 3.0);
  return grid;
}

// The radii at which a curve through `radii` is drawn.
std::vector<double> radii_to_draw(const std::vector<double>& radii) {
  double largest = 0;
  bool whole = true;
  for (double radius : radii) {
    if (std::isinf(radius) || radius < 0) continue;
    largest = std::max(largest, radius);
    whole = whole && radius == std::floor(radius);
  }
  std::vector<double> grid = radius_grid(largest);
  if (whole) std::erase_if(grid, [](double radius) { return radius < 1; });
  grid.insert(grid.begin(), 0);
  if (std::count(radii.begin(), radii.end(), kUnlimited) > 0) grid.push_back(kUnlimited);
  return grid;
}

std::vector<CurvePoint> points_of(const std::vector<double>& radii) {
  std::vector<CurvePoint> points;
  for (double radius : radii_to_draw(radii)) {
    const auto certified =
        std::count_if(radii.begin(), radii.end(), [&](double r) { return r >= radius; });
    points.push_back({radius, static_cast<double>(certified) / static_cast<double>(radii.size())});
  }
  return points;
}

// -1: not even a radius of 0 is certified.
double radius_of(const Record& record, const CertifiedSet& set, Operation operation) {
  const Guarantee* guarantee = set.find(operation);
  const bool counts = !record.certification.abstained && set.certified && guarantee != nullptr;
  return counts ? guarantee->radius : -1;
}

enum class Of { kLabelledAndRight, kAll };

std::vector<Curve> curves_of(const std::vector<Record>& records, CertifiedSet Certification::*set,
                             Of texts) {
  std::vector<Curve> curves;
  for (const Operation operation : kOperations) {
    std::vector<double> radii;
    bool stated = false;
    for (const Record& record : records) {
      const CertifiedSet& certified = record.certification.*set;
      stated = stated || certified.find(operation) != nullptr;
      if (texts == Of::kAll)
        radii.push_back(radius_of(record, certified, operation));
      else if (record.label)
        radii.push_back(record.correct() ? radius_of(record, certified, operation) : -1);
    }
    if (stated) curves.push_back({operation, points_of(radii)});
  }
  return curves;
}

// The edits that are certified beside all synonyms; -1: not even they are.
double beside_synonyms(const Record& record, Of texts) {
  const CertifiedSet& set = record.certification.sound;
  const bool counts = texts == Of::kAll ? !record.certification.abstained : record.correct();
  return counts && set.certified && set.edits_beside_synonyms ? *set.edits_beside_synonyms : -1;
}

void count_synonyms(const std::vector<Record>& records, Of texts, Summary& summary) {
  std::vector<double> edits;
  for (const Record& record : records) {
    if (!record.certification.sound.synonyms.empty())
      summary.synonyms = record.certification.sound.synonyms;
    if (texts == Of::kAll || record.label) edits.push_back(beside_synonyms(record, texts));
  }
  if (!summary.synonyms.empty()) summary.beside_synonyms = points_of(edits);
}

// Counts keys in the order in which they come.
template <typename Key>
class Counter {
 public:
  explicit Counter(std::vector<std::pair<Key, size_t>>& counts) : counts_(counts) {}

  void add(const Key& key) {
    const auto [place, is_new] = places_.try_emplace(key, counts_.size());
    if (is_new) counts_.emplace_back(key, 0);
    ++counts_[place->second].second;
  }

 private:
  std::vector<std::pair<Key, size_t>>& counts_;
  std::map<Key, size_t> places_;
};

void count_warnings(const std::vector<Record>& records, Summary& summary) {
  Counter<std::string> warnings(summary.warnings);
  for (const Record& record : records)
    for (const std::string& warning : record.warnings) warnings.add(warning);
}

Savings savings_of(const std::vector<Record>& records, uint64_t planned) {
  Savings saved;
  Counter<StopReason> stops(saved.stops);
  for (const Record& record : records) {
    if (!record.stops) continue;
    saved.samples += planned - record.certification.samples;
    stops.add(record.certification.stop);
  }
  return saved;
}

// Where each class stands in the list.
class ClassNumbers {
 public:
  explicit ClassNumbers(const std::vector<std::string>& classes) {
    for (size_t i = 0; i < classes.size(); ++i) number_of_.emplace(classes[i], i);
  }

  size_t of(const std::string& name, const Record& record) const {
    const auto found = number_of_.find(name);
    if (found == number_of_.end())
      throw bad_input(
          fmt::format("the result of the text {} has the class '{}', expected one of "
                      "the model's",
                      record.id, printable_name(name)));
    return found->second;
  }

 private:
  std::map<std::string, size_t> number_of_;
};

void count_classes(const std::vector<Record>& records, const std::vector<std::string>& classes,
                   Summary& summary) {
  const ClassNumbers numbers(classes);
  ClassReport report(classes, ClassReport::Abstentions::kPossible);
  for (const std::string& name : classes) summary.answers.emplace_back(name, 0);
  for (const Record& record : records) {
    std::optional<size_t> answer = numbers.of(record.prediction, record);
    if (record.certification.abstained) answer.reset();
    if (answer) ++summary.answers[*answer].second;
    if (record.label) report.add(numbers.of(*record.label, record), answer);
  }
  if (report.texts() > 0) summary.classes = std::move(report);
}

}  // namespace

Summary summarize(const std::vector<Record>& records, const std::vector<std::string>& classes,
                  std::optional<uint64_t> planned) {
  Summary summary;
  summary.texts = records.size();
  size_t right = 0, answered_right = 0;
  for (const Record& record : records) {
    summary.abstained += record.certification.abstained;
    summary.by_fallback += record.certification.by_fallback;
    summary.seconds += record.seconds;
    summary.unit = record.unit;
    if (summary.free_edits.empty()) summary.free_edits = record.certification.sound.free_edits();
    summary.samples += record.certification.samples;
    if (!record.label) continue;
    ++summary.labelled;
    right += record.prediction == *record.label;
    answered_right += record.correct();
  }
  if (summary.labelled > 0) {
    const auto labelled = static_cast<double>(summary.labelled);
    summary.accuracy = static_cast<double>(right) / labelled;
    summary.answered_accuracy = static_cast<double>(answered_right) / labelled;
    summary.sound = curves_of(records, &Certification::sound, Of::kLabelledAndRight);
    summary.paper = curves_of(records, &Certification::paper, Of::kLabelledAndRight);
  }
  summary.sound_share = curves_of(records, &Certification::sound, Of::kAll);
  summary.paper_share = curves_of(records, &Certification::paper, Of::kAll);
  count_synonyms(records, summary.labelled > 0 ? Of::kLabelledAndRight : Of::kAll, summary);
  count_classes(records, classes, summary);
  count_warnings(records, summary);
  if (planned) summary.saved = savings_of(records, *planned);
  return summary;
}

}  // namespace textcrs
