#include "plot/shares.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "plot/ticks.h"
#include "textcrs/certify/confidence.h"

namespace textcrs::plot {
namespace {

constexpr double kHalfAlpha = 0.025;
constexpr double kMostMarked = 100;  // whole radii up to this have a point each
constexpr size_t kMostSteps = 160;

std::set<double> finite_radii(const std::vector<double>& radii) {
  std::set<double> finite;
  for (const double radius : radii)
    if (std::isfinite(radius) && radius > 0) finite.insert(radius);
  return finite;
}

bool all_whole(const std::set<double>& radii) {
  return std::all_of(radii.begin(), radii.end(), [](double r) { return r == std::floor(r); });
}

// At most kMostSteps of them, evenly spaced in rank, with the first and the last.
std::vector<double> thinned(const std::set<double>& radii) {
  const std::vector<double> all(radii.begin(), radii.end());
  if (all.size() <= kMostSteps) return all;
  std::vector<double> kept;
  for (size_t i = 0; i < kMostSteps; ++i)
    kept.push_back(all[i * (all.size() - 1) / (kMostSteps - 1)]);
  return kept;
}

// The last radius that more than so many per cent of the texts reach.
std::optional<double> last_above(const std::vector<double>& radii, const std::set<double>& finite,
                                 double share) {
  for (auto radius = finite.rbegin(); radius != finite.rend(); ++radius)
    if (share_point(0, radii, *radius).y > share) return *radius;
  return std::nullopt;
}

}  // namespace

Counted counted_texts(const RunFolder& run) {
  Counted counted;
  for (const Record& record : run.records)
    if (record.label) counted.texts.push_back(&record);
  if (!counted.texts.empty()) return counted;
  counted.labelled = false;
  for (const Record& record : run.records) counted.texts.push_back(&record);
  return counted;
}

std::vector<double> radii_of(const RunFolder& run, const RadiusOf& of) {
  const Counted counted = counted_texts(run);
  std::vector<double> radii;
  for (const Record* record : counted.texts)
    radii.push_back(counted.good(*record) ? of(*record) : -1);
  return radii;
}

Point share_point(double x, size_t good, size_t all) {
  const auto k = static_cast<int64_t>(good), n = static_cast<int64_t>(all);
  return {x, 100.0 * static_cast<double>(good) / static_cast<double>(all),
          100 * clopper_pearson_lower(k, n, kHalfAlpha),
          100 * clopper_pearson_upper(k, n, kHalfAlpha)};
}

Point share_point(double x, const std::vector<double>& radii, double radius) {
  const auto reached =
      std::count_if(radii.begin(), radii.end(), [&](double r) { return r >= radius; });
  return share_point(x, static_cast<size_t>(reached), radii.size());
}

Point accuracy_point(double x, const RunFolder& run) {
  size_t right = 0;
  const Counted counted = counted_texts(run);
  for (const Record* record : counted.texts) right += record->label == record->prediction;
  return share_point(x, right, counted.texts.size());
}

std::string share_label(const std::vector<NamedRun>& runs) {
  const bool labelled = std::all_of(runs.begin(), runs.end(), [](const NamedRun& named) {
    return counted_texts(named.run).labelled;
  });
  return labelled ? "certified accuracy, %" : "certified share, %";
}

RadiusAxis radius_axis(const std::vector<std::vector<double>>& proved,
                       const std::vector<std::vector<double>>& claimed) {
  double largest = 0, last = 0;
  bool unlimited = false, whole = true;
  const auto add = [&](const std::vector<double>& radii, double share) {
    const std::set<double> finite = finite_radii(radii);
    whole = whole && all_whole(finite);
    unlimited = unlimited || std::count(radii.begin(), radii.end(), kUnlimited) > 0;
    largest = std::max(largest, last_above(radii, finite, share).value_or(0));
    if (!finite.empty()) last = std::max(last, *finite.rbegin());
  };
  for (const std::vector<double>& radii : proved) add(radii, kWorthDrawing);
  for (const std::vector<double>& radii : claimed) add(radii, kWorthClaiming);
  if (largest == 0) largest = last;  // few texts are certified to any radius
  RadiusAxis axis;
  axis.any = unlimited;
  if (largest == 0) {
    axis.marked = whole;
    axis.ticks = {{0, "0"}, {1, unlimited ? "any" : "1"}};
    return axis;
  }
  axis.marked = whole && largest <= kMostMarked;
  axis.end = axis.marked ? largest + (unlimited ? 2 : 1) : largest * (unlimited ? 1.12 : 1.04);
  axis.ticks = choose_ticks({0, axis.end}, unlimited ? 6 : 7, false);
  if (whole) std::erase_if(axis.ticks, [](const Tick& t) { return t.at != std::floor(t.at); });
  if (unlimited) {
    std::erase_if(axis.ticks, [&](const Tick& t) { return t.at > 0.86 * axis.end; });
    axis.ticks.push_back({axis.end, "any"});
  }
  return axis;
}

Series curve_through(const std::vector<double>& radii, const RadiusAxis& axis) {
  const std::set<double> finite = finite_radii(radii);
  const double last = finite.empty() ? 0 : *finite.rbegin();
  Series curve;
  curve.form = axis.marked ? Series::Form::kLine : Series::Form::kSteps;
  const auto add = [&](double radius) {
    curve.points.push_back(share_point(radius, radii, radius));
  };
  add(0);
  if (axis.marked) {
    for (double radius = 1; radius <= last + 1 && radius < axis.end; ++radius) add(radius);
  } else {
    for (const double radius : thinned(finite))
      if (radius < axis.end) add(radius);
  }
  const Point unlimited = share_point(axis.end, radii, kUnlimited);
  if (axis.any && unlimited.y > 0)
    curve.points.push_back(unlimited);
  else if (!axis.any && last >= axis.end)  // it goes on
    add(axis.end);
  else if (const Point& end = curve.points.back();
           end.y > 0)  // it falls to 0 behind its last radius
    curve.points.push_back({axis.marked ? end.x + 1 : end.x, 0, 0, unlimited.high});
  return curve;
}

}  // namespace textcrs::plot
