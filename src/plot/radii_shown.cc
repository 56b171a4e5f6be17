#include "plot/radii_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/figure_runs.h"
#include "plot/shares.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::plot {
namespace {

constexpr Operation kOperations[] = {Operation::kEdit, Operation::kDeletion, Operation::kInsertion,
                                     Operation::kSubstitution, Operation::kReordering};
constexpr size_t kMostRadii = 3;

bool speaks_of(const RunFolder& run, Operation operation) {
  return std::any_of(run.records.begin(), run.records.end(), [&](const Record& record) {
    return record.certification.sound.find(operation) != nullptr;
  });
}

bool all_speak_of(const std::vector<NamedRun>& runs, Operation operation) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const NamedRun& named) { return speaks_of(named.run, operation); });
}

// The most that a tenth of the texts of some run reach.
double well_reached(const std::vector<NamedRun>& runs, Operation operation) {
  double reached = 0;
  for (const NamedRun& named : runs) {
    std::vector<double> radii = sound_radii(named.run, operation);
    std::sort(radii.begin(), radii.end(), std::greater<>());
    for (size_t i = radii.size() / 10; i < radii.size(); ++i)
      if (std::isfinite(radii[i])) {
        reached = std::max(reached, radii[i]);
        break;
      }
  }
  return reached;
}

bool in_words(const std::vector<NamedRun>& runs, Operation operation) {
  for (const NamedRun& named : runs)
    for (const double radius : sound_radii(named.run, operation))
      if (std::isfinite(radius) && radius != std::floor(radius)) return false;
  return true;
}

}  // namespace

Operation operation_shown(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  if (options.operations.size() > 1) throw usage_error("this figure is about one operation");
  if (!options.operations.empty()) {
    if (all_speak_of(runs, options.operations[0])) return options.operations[0];
    throw usage_error(fmt::format("there is nothing to draw: not all runs prove something about {}",
                                  operation_words(options.operations[0])));
  }
  for (const Operation operation : kOperations)
    if (all_speak_of(runs, operation)) return operation;
  throw usage_error("there is nothing to draw: there is no operation that all runs certify");
}

std::vector<double> sound_radii(const RunFolder& run, Operation operation) {
  return radii_of(run, [&](const Record& record) {
    const CertifiedSet& set = record.certification.sound;
    const Guarantee* found = set.find(operation);
    return set.certified && found != nullptr ? found->radius : -1.0;
  });
}

std::vector<double> radii_shown(const std::vector<NamedRun>& runs, Operation operation,
                                const RunFigureOptions& options) {
  if (!options.radii.empty()) return options.radii;
  const double most = well_reached(runs, operation);
  const bool words = in_words(runs, operation);
  std::vector<double> radii;
  for (int power = -6; power <= 6; ++power)
    for (const int digit : {1, 2, 5}) {
      const double radius = power < 0 ? digit / std::pow(10, -power) : digit * std::pow(10, power);
      if (radius <= most && (!words || radius >= 1)) radii.push_back(radius);
    }
  if (radii.size() > kMostRadii)
    radii.erase(radii.begin(), radii.end() - static_cast<std::ptrdiff_t>(kMostRadii));
  if (radii.empty()) radii.push_back(words ? 1 : 0);
  return radii;
}

std::string radius_in_words(double radius, Operation operation, const RunFolder& run) {
  for (const Record& record : run.records) {
    const Guarantee* found = record.certification.sound.find(operation);
    if (found == nullptr) continue;
    const bool embeddings =
        found->unit == kUnitEmbedding ||
        (found->unit.empty() && noise_kind(run) == "insert" && operation != Operation::kReordering);
    if (embeddings) return fmt::format("certified, l2 change {}", shortest(radius));
    if (found->unit == kUnitRanks)
      return fmt::format("certified, {} synonym ranks", shortest(radius));
    break;
  }
  if (operation == Operation::kReordering)
    return fmt::format("certified, displacement {}", shortest(radius));
  const std::string unit = run.records.front().unit;
  const std::string what = operation == Operation::kEdit        ? "edited"
                           : operation == Operation::kDeletion  ? "deleted"
                           : operation == Operation::kInsertion ? "inserted"
                                                                : "substituted";
  return fmt::format("certified, {} {}{} {}", shortest(radius), unit, radius == 1 ? "" : "s", what);
}

}  // namespace textcrs::plot
