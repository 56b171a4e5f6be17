#include "page/step_curve.h"

#include <algorithm>
#include <cmath>

namespace textcrs {
namespace {

// Ascending; of more than kMostSteps finite ones, as many at equal distances of rank, and the last.
std::vector<double> steps_of(std::vector<double> radii) {
  radii.push_back(0);
  std::erase_if(radii, [](double radius) { return !(radius >= 0); });
  std::sort(radii.begin(), radii.end());
  radii.erase(std::unique(radii.begin(), radii.end()), radii.end());
  if (radii.size() <= kMostSteps) return radii;
  std::vector<double> kept;
  for (size_t i = 0; i < kMostSteps; ++i)
    kept.push_back(radii[i * (radii.size() - 1) / (kMostSteps - 1)]);
  return kept;
}

StepCurve curve_of(const std::vector<double>& radii) {
  StepCurve curve;
  curve.all = radii.size();
  std::vector<double> sorted = radii;
  std::sort(sorted.begin(), sorted.end());
  curve.radii = steps_of(radii);
  for (const double radius : curve.radii)
    curve.texts.push_back(
        static_cast<size_t>(sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), radius)));
  return curve;
}

}  // namespace

std::string unit_of(const Record& record, const Guarantee& guarantee) {
  if (!guarantee.unit.empty()) return guarantee.unit;
  if (guarantee.operation == Operation::kReordering) return kUnitDisplacement;
  return record.unit == "sentence" ? kUnitSentences : kUnitWords;
}

int place_of(Operation operation) {
  return static_cast<int>(std::find(std::begin(kOperations), std::end(kOperations), operation) -
                          std::begin(kOperations));
}

double radius_of(const Record& record, const CertifiedSet& set, Operation operation) {
  const Guarantee* const guarantee = set.find(operation);
  const bool counts = !record.certification.abstained && set.certified && guarantee != nullptr;
  return counts ? guarantee->radius : -1;
}

size_t StepCurve::texts_at(double radius) const {
  const auto step = std::lower_bound(radii.begin(), radii.end(), radius);
  return step == radii.end() ? 0 : texts[static_cast<size_t>(step - radii.begin())];
}

double StepCurve::share_at(double radius) const {
  return all == 0 ? 0 : static_cast<double>(texts_at(radius)) / static_cast<double>(all);
}

double StepCurve::median() const {
  double median = -1;
  for (size_t i = 0; i < radii.size(); ++i)
    if (2 * texts[i] >= all && all > 0) median = radii[i];
  return median;
}

std::vector<StepCurve> step_curves(const std::vector<Record>& records,
                                   CertifiedSet Certification::*set, Counted counted) {
  std::vector<StepCurve> curves;
  for (const Operation operation : kOperations) {
    std::vector<double> radii;
    std::string unit;
    for (const Record& record : records) {
      const CertifiedSet& certified = record.certification.*set;
      if (const Guarantee* guarantee = certified.find(operation); guarantee != nullptr)
        unit = unit_of(record, *guarantee);
      if (counted == Counted::kAnsweredOfAll)
        radii.push_back(radius_of(record, certified, operation));
      else if (record.label)
        radii.push_back(record.correct() ? radius_of(record, certified, operation) : -1);
    }
    if (unit.empty() || radii.empty()) continue;
    curves.push_back(curve_of(radii));
    curves.back().operation = operation;
    curves.back().unit = unit;
  }
  return curves;
}

}  // namespace textcrs
