// How many texts are certified to at least each radius, at every radius where that changes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "textcrs/report/record.h"

namespace textcrs {

// The radius of what a set proves of an answered text; -1: not even the text as it is.
double radius_of(const Record& record, const CertifiedSet& set, Operation operation);

// What the radius counts: records leave it out where the operation and the text's unit say it.
std::string unit_of(const Record& record, const Guarantee& guarantee);

struct StepCurve {
  Operation operation = Operation::kEdit;
  std::string unit;  // one of the kUnit names
  // texts[i]: those certified to radii[i] and to every radius above radii[i - 1]. Ascending from 0
  // on; the last may be kUnlimited.
  std::vector<double> radii;
  std::vector<size_t> texts;

  size_t texts_at(double radius) const;  // that are certified to at least that
  double share_at(double radius) const;  // of all texts
  double median() const;  // the largest radius that half of all texts reach; -1: less than half do
  size_t all = 0;         // texts that are counted
};

// Of a continuous radius no more steps than this are kept: the curve is then that at so many radii.
constexpr size_t kMostSteps = 400;

// Whose texts a curve counts.
enum class Counted { kRightOfLabelled, kAnsweredOfAll };

// In the order in which curves are listed: edits of any kind first.
inline constexpr Operation kOperations[] = {Operation::kEdit, Operation::kSubstitution,
                                            Operation::kDeletion, Operation::kInsertion,
                                            Operation::kReordering};
int place_of(Operation operation);

// One per operation that some record's set is about, in the order of the operations.
std::vector<StepCurve> step_curves(const std::vector<Record>& records,
                                   CertifiedSet Certification::*set, Counted counted);

}  // namespace textcrs
