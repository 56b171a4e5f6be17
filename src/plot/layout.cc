#include "plot/layout.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "plot/style.h"
#include "plot/text_box.h"

namespace textcrs::plot {
namespace {

constexpr double kInch = 72, kOneColumn = 3.3, kPage = 7;
constexpr double kEdge = 6, kGap = 14;  // around the figure, between its panels
constexpr double kTickRoom = 4;         // between an axis and its labels
constexpr double kDegrees = 57.29578;   // in a radian
constexpr int kAngles[] = {30, 45, 90};
constexpr double kMapProportion = 0.85;
constexpr double kProportion = 0.68;  // height of a panel's ground by its width
constexpr double kNarrow = 180, kNarrowProportion = 1;

void widen(Range& range, double value) {
  if (!std::isfinite(value)) throw std::logic_error("a chart has a value that is not finite");
  range.least = std::min(range.least, value);
  range.most = std::max(range.most, value);
}

// Room for what the data hold, and a little more where nothing says where to end.
Range range_of(const Axis& axis, Range data) {
  Range range = data;
  if (range.least > range.most) range = axis.logarithmic ? Range{1, 10} : Range{0, 1};
  if (axis.logarithmic) {
    range.least /= 1.25;
    range.most *= 1.25;
  } else {
    const double span = range.most - range.least, more = span > 0 ? 0.04 * span : 0.5;
    range.least = data.least == 0 ? 0 : range.least - more;
    range.most += more;
  }
  if (axis.least) range.least = *axis.least;
  if (axis.most) range.most = *axis.most;
  if (!(range.most > range.least)) range.most = range.least + 1;
  if (axis.logarithmic && !(range.least > 0))
    throw std::logic_error("a logarithmic axis has a value that is not above 0");
  return range;
}

constexpr Range kNothing = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};

void set_ranges(const Panel& panel, PanelLayout& layout) {
  if (panel.map) {
    if (panel.map->columns == 0 || panel.map->values.size() % panel.map->columns != 0)
      throw std::logic_error("a heat map's values are no rectangle");
    layout.x = {-0.5, static_cast<double>(panel.map->columns) - 0.5};
    layout.y = {-0.5, static_cast<double>(panel.map->rows()) - 0.5};
    return;
  }
  Range x = kNothing, y = kNothing;
  for (const Series& series : panel.series)
    for (const Point& point : series.points) {
      widen(x, point.x);
      widen(y, point.y);
      if (point.low) widen(y, *point.low);
      if (point.high) widen(y, *point.high);
      if (series.form == Series::Form::kBars) {
        widen(x, point.x - 0.5);
        widen(x, point.x + 0.5);
        widen(y, 0);
      }
    }
  layout.x = range_of(panel.x, x);
  layout.y = range_of(panel.y, y);
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label));
  return width;
}

// Whether labels side by side touch.
bool collide(const std::vector<Tick>& ticks, const PanelLayout& layout) {
  if (ticks.size() < 2) return false;
  const double per_unit = (layout.right - layout.left) / (layout.x.most - layout.x.least);
  for (size_t i = 1; i < ticks.size(); ++i)
    if ((ticks[i].at - ticks[i - 1].at) * per_unit <
        (text_width(ticks[i].label) + text_width(ticks[i - 1].label)) / 2 + 3)
      return true;
  return false;
}

// The least angle at which labels neither touch nor reach beyond `left`; else upright.
int angle_for(const PanelLayout& layout, double left) {
  if (!collide(layout.x_ticks, layout)) return 0;
  const double per_unit = (layout.right - layout.left) / (layout.x.most - layout.x.least);
  const auto fits = [&](int angle) {
    const double slant = angle / kDegrees;
    for (size_t i = 0; i < layout.x_ticks.size(); ++i) {
      const Tick& tick = layout.x_ticks[i];
      const double place = layout.left + (tick.at - layout.x.least) * per_unit;
      if (place - text_width(tick.label) * std::cos(slant) < left) return false;
      if (i > 0 && (tick.at - layout.x_ticks[i - 1].at) * per_unit * std::sin(slant) < kLine)
        return false;
    }
    return true;
  };
  const auto found = std::find_if(std::begin(kAngles), std::end(kAngles), fits);
  return found == std::end(kAngles) ? 90 : *found;
}

// Makes room for a label that would reach beyond the panel.
void move_in(PanelLayout& layout, double right) {
  if (layout.x_ticks.empty() || layout.angle != 0) return;
  const Tick& last = layout.x_ticks.back();
  const double share = (last.at - layout.x.least) / (layout.x.most - layout.x.least);
  const double end =
      layout.left + share * (layout.right - layout.left) + text_width(last.label) / 2;
  layout.right -= std::max(0.0, end - right);
}

// From the top of the legend; its height.
double place_legend(const Panel& panel, double left, double right, double top,
                    std::vector<LegendEntry>& entries) {
  const double room = right - left, text_room = room - kSample - 6;
  double cell = 0;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].label.empty()) continue;
    entries.push_back({i, 0, 0, wrapped(panel.series[i].label, text_room)});
    for (const std::string& line : entries.back().lines)
      cell = std::max(cell, kSample + 6 + text_width(line) + 8);
  }
  if (entries.empty()) return 0;
  const size_t columns = std::clamp<size_t>(static_cast<size_t>(room / cell), 1, entries.size());
  const size_t rows = (entries.size() + columns - 1) / columns;
  double y = top;
  for (size_t row = 0; row < rows; ++row) {
    size_t lines = 1;
    for (size_t column = 0; column < columns && row * columns + column < entries.size(); ++column) {
      LegendEntry& entry = entries[row * columns + column];
      entry.x = left + static_cast<double>(column) * room / static_cast<double>(columns);
      entry.y = y - kLine / 2;
      lines = std::max(lines, entry.lines.size());
    }
    y -= static_cast<double>(lines) * kLine;
  }
  return top - y;
}

// Narrow panels are higher: their labels have the same length.
double proportion_of(const Panel& panel, double width) {
  return panel.proportion.value_or(width < kNarrow ? kNarrowProportion : kProportion);
}

// What lies left and right, and what is written. Vertical places are relative to `bottom` = 0.
PanelLayout place_sides(const Panel& panel, double left, double right) {
  PanelLayout layout;
  set_ranges(panel, layout);
  const double height = proportion_of(panel, right - left) * (right - left);
  const auto y_count = static_cast<size_t>(std::max(2.0, height / (1.8 * kLine)));
  layout.y_ticks =
      panel.y.ticks.empty() ? choose_ticks(layout.y, y_count, panel.y.logarithmic) : panel.y.ticks;
  layout.y_label_x = left + kLine / 2;
  layout.left = left + (panel.y.label.empty() ? 0 : kLine + 4) + widest(layout.y_ticks) + kTickRoom;
  layout.right = right - 6;
  layout.x_ticks = panel.x.ticks;
  for (size_t count = 8; panel.x.ticks.empty(); --count) {
    layout.x_ticks = choose_ticks(layout.x, count, panel.x.logarithmic);
    if (count <= 2 || panel.x.logarithmic || !collide(layout.x_ticks, layout)) break;
  }
  if (!panel.x.ticks.empty() && !panel.x.logarithmic) layout.angle = angle_for(layout, left);
  if (!panel.x.logarithmic) move_in(layout, right);
  layout.title = wrapped(panel.title, right - left);
  return layout;
}

// The heights of a panel's parts.
struct Heights {
  double title = 0, ground = 0, below = 0;  // below: ticks, label, legend
};

// With the ground's lower edge at 0; the legend and the labels lie below it.
Heights place_heights(const Panel& panel, double left, double right, PanelLayout& layout) {
  Heights heights;
  heights.title = static_cast<double>(layout.title.size()) * kLine + (layout.title.empty() ? 4 : 3);
  const double width = layout.right - layout.left;
  heights.ground = proportion_of(panel, right - left) * width;
  if (panel.map) heights.ground = kMapProportion * width;
  double y = -kTickRoom;
  const double slant = layout.angle / kDegrees;
  y -= widest(layout.x_ticks) * std::sin(slant) + kLine + (layout.angle == 0 ? 3 : 0);
  if (!panel.x.label.empty()) {
    layout.x_label_y = y - kLine / 2 - 1;
    y -= kLine + 3;
  }
  if (panel.map) {
    y -= 4 + kColours;
    layout.colours_y = y;
    y -= kLine + kTickRoom;
    layout.colours_label_y = y - kLine / 2;
    y -= kLine;
  } else {
    y -= 3;
    y -= place_legend(panel, left, right, y, layout.legend);
  }
  heights.below = -y;
  return heights;
}

void move_up(PanelLayout& layout, double bottom, double ground) {
  layout.bottom = bottom;
  layout.top = bottom + ground;
  layout.x_label_y += bottom;
  layout.colours_y += bottom;
  layout.colours_label_y += bottom;
  layout.title_y = layout.top + kLine / 2 + 1;
  for (LegendEntry& entry : layout.legend) entry.y += bottom;
}

}  // namespace

Layout lay_out(const Chart& chart) {
  if (chart.panels.empty() || chart.columns == 0)
    throw std::logic_error("a chart needs a panel and a column");
  const bool wide = std::any_of(chart.panels.begin(), chart.panels.end(),
                                [](const Panel& panel) { return panel.wide; });
  const size_t columns = wide ? 1 : std::min(chart.columns, chart.panels.size());
  const size_t rows = (chart.panels.size() + columns - 1) / columns;
  Layout layout;
  layout.width =
      kInch * chart.width.value_or(chart.panels.size() == 1 && !wide ? kOneColumn : kPage);
  layout.title = wrapped(chart.title, layout.width - 2 * kEdge);
  const double cell = (layout.width - 2 * kEdge - kGap * static_cast<double>(columns - 1)) /
                      static_cast<double>(columns);

  std::vector<Heights> of_rows(rows), of_panels;
  for (size_t i = 0; i < chart.panels.size(); ++i) {
    const double left = kEdge + static_cast<double>(i % columns) * (cell + kGap);
    layout.panels.push_back(place_sides(chart.panels[i], left, left + cell));
    of_panels.push_back(place_heights(chart.panels[i], left, left + cell, layout.panels.back()));
    Heights& row = of_rows[i / columns];
    row.title = std::max(row.title, of_panels.back().title);
    row.ground = std::max(row.ground, of_panels.back().ground);
    row.below = std::max(row.below, of_panels.back().below);
  }
  const double title = static_cast<double>(layout.title.size()) * kLine;
  layout.height = 2 * kEdge + title + kGap * 0.5 * static_cast<double>(rows - 1);
  for (const Heights& row : of_rows) layout.height += row.title + row.ground + row.below;

  double top = layout.height - kEdge - title;
  for (size_t row = 0; row < rows; ++row) {
    const Heights& heights = of_rows[row];
    for (size_t i = row * columns; i < std::min((row + 1) * columns, chart.panels.size()); ++i) {
      const double ground = chart.panels[i].map ? of_panels[i].ground : heights.ground;
      move_up(layout.panels[i], top - heights.title - ground, ground);
    }
    top -= heights.title + heights.ground + heights.below + kGap * 0.5;
  }
  return layout;
}

}  // namespace textcrs::plot
