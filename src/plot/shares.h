// What a run says of its texts, as shares with intervals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "textcrs/plot/chart.h"
#include "textcrs/report/comparison.h"

namespace textcrs::plot {

// The records that count: those with a label, or all where none has one.
struct Counted {
  std::vector<const Record*> texts;
  bool labelled = true;

  // Whether the answer counts: right, or, without labels, given at all.
  bool good(const Record& record) const {
    return labelled ? record.correct() : !record.certification.abstained;
  }
};
Counted counted_texts(const RunFolder& run);

// Per text that counts the radius that `of` states, -1 where it states none or the answer is not
// good.
using RadiusOf = std::function<double(const Record&)>;
std::vector<double> radii_of(const RunFolder& run, const RadiusOf& of);

// In per cent, at x: the share of `good` of `all` texts, with its interval of Clopper and Pearson
// at 95 %.
Point share_point(double x, size_t good, size_t all);
// The share of radii that are at least `radius`.
Point share_point(double x, const std::vector<double>& radii, double radius);
// The share of right answers, an abstention by its guess.
Point accuracy_point(double x, const RunFolder& run);

// "certified accuracy, %", or "certified share, %" where some run has no labels.
std::string share_label(const std::vector<NamedRun>& runs);

// The axis of certified accuracy against radii, for all curves of a panel. It ends where no proved
// curve is above kWorthDrawing per cent any more, and no other one, which may go on much further
// and press the proved ones together, above kWorthClaiming; or, where some radius is unlimited,
// beyond that with "any".
struct RadiusAxis {
  double end = 1;
  bool marked = true;  // whole radii, few enough for a point each
  bool any = false;    // its end stands for any number
  std::vector<Tick> ticks;
};
constexpr double kWorthDrawing = 2, kWorthClaiming = 10;
RadiusAxis radius_axis(const std::vector<std::vector<double>>& proved,
                       const std::vector<std::vector<double>>& claimed = {});

// The curve through all radii, up to where it is 0 or the axis ends; what is unlimited stands at
// that end. A step curve of many steps is thinned to places where it is exact; between them it lies
// below the exact one.
Series curve_through(const std::vector<double>& radii, const RadiusAxis& axis);

}  // namespace textcrs::plot
