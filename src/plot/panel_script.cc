#include "plot/panel_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "plot/style.h"
#include "plot/text_box.h"

namespace textcrs::plot {
namespace {

using Form = Series::Form;

constexpr size_t kMostLabelled = 13;  // columns of a heat map whose cells have room for a number
constexpr size_t kFewMarkers = 6;
constexpr double kMarkerRoom = 2.2 * kMarkerReach;
constexpr double kBars = 0.8;  // of the room between two places

bool has_intervals(const Series& series) {
  return !series.points.empty() && std::all_of(series.points.begin(), series.points.end(),
                                               [](const Point& p) { return p.low && p.high; });
}

std::string block(size_t panel, size_t series) { return fmt::format("$p{}s{}", panel, series); }

void add_row(std::string& rows, const Point& point) {
  rows += fmt::format("{:.7g} {:.6g} {:.6g} {:.6g}\n", point.x, point.y,
                      point.low.value_or(point.y), point.high.value_or(point.y));
}

// The corners of a curve whose y holds from the last x, exclusive, to its own, inclusive.
std::vector<Point> corners(const std::vector<Point>& points) {
  std::vector<Point> all;
  for (size_t i = 0; i < points.size(); ++i) {
    all.push_back(points[i]);
    if (i > 0) all.back().x = points[i - 1].x;
    if (i > 0) all.push_back(points[i]);
  }
  return all;
}

std::vector<Point> line_of(const Series& series) {
  return series.form == Form::kSteps ? corners(series.points) : series.points;
}

// A few points of the line through these, as far as the panel shows it, at equal distances along
// it: there are markers where it is steep, too. Another place for every style, so that markers of
// curves that coincide stand beside each other.
std::string few_markers(const std::vector<Point>& line, size_t style, const PanelLayout& place) {
  const double across = (place.right - place.left) / (place.x.most - place.x.least);
  const double up = (place.top - place.bottom) / (place.y.most - place.y.least);
  const auto length = [&](const Point& a, const Point& b) {
    return std::hypot(across * (b.x - a.x), up * (b.y - a.y));
  };
  double whole = 0;
  size_t shown = 1;
  for (; shown < line.size() && line[shown].x <= place.x.most; ++shown)
    whole += length(line[shown - 1], line[shown]);
  const double step = whole / kFewMarkers;
  double next = step * (static_cast<double>(style % kStyles) + 0.5) / kStyles, passed = 0;
  std::string rows;
  for (size_t i = 1; i < shown; ++i) {
    const double piece = length(line[i - 1], line[i]);
    for (; piece > 0 && next <= passed + piece; next += step) {
      const double share = (next - passed) / piece;
      add_row(rows, {std::lerp(line[i - 1].x, line[i].x, share),
                     std::lerp(line[i - 1].y, line[i].y, share)});
    }
    passed += piece;
  }
  return rows;
}

// Whether there is no room for a marker at every point.
bool has_few_markers(const Series& series, bool logarithmic, const PanelLayout& place) {
  if (series.form != Form::kLine)
    return series.form == Form::kSteps || series.form == Form::kMarkedCurve;
  if (logarithmic || series.points.size() < 2) return false;
  const double across = (place.right - place.left) / (place.x.most - place.x.least);
  const double gap = (series.points.back().x - series.points.front().x) /
                     static_cast<double>(series.points.size() - 1);
  return across * gap < kMarkerRoom;
}

// Of several bars at a place, the one of this series: from so far to so far.
Range bar_of(const Panel& panel, size_t number) {
  size_t bars = 0, before = 0;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].form != Form::kBars || panel.series[i].points.empty()) continue;
    before += i < number;
    ++bars;
  }
  const double width = kBars / static_cast<double>(bars);
  const double least = -kBars / 2 + width * static_cast<double>(before);
  return {least, least + width};
}

std::string map_data(const HeatMap& map) {
  std::string rows;
  for (size_t i = 0; i < map.values.size(); ++i)
    if (!std::isnan(map.values[i]))
      rows += fmt::format("{} {} {:.10g}\n", i % map.columns, i / map.columns, 100 * map.values[i]);
  return rows;
}

class Screen {
 public:
  explicit Screen(const Layout& layout) : width_(layout.width), height_(layout.height) {}
  std::string at(double x, double y) const {
    return fmt::format("screen {:.5f},{:.5f}", x / width_, y / height_);
  }
  double x(double value) const { return value / width_; }
  double y(double value) const { return value / height_; }

 private:
  double width_, height_;
};

std::string dashes(const Series& series) { return series.proved ? "1" : "(8,5)"; }

std::string fill_of(const Look& look) {
  return look.pattern == kSolid ? "solid 1" : fmt::format("pattern {}", look.pattern);
}

std::string marker_of(const Series& series) {
  const int marker = series.proved ? look_of(series).marker : look_of(series).open_marker;
  return fmt::format("pt {} ps {:g}", marker, size_of(marker));
}

std::string legend(const Panel& panel, const PanelLayout& place, const Screen& screen) {
  std::string script;
  for (const LegendEntry& entry : place.legend) {
    const Series& series = panel.series[entry.series];
    const Look& look = look_of(series);
    const double end = entry.x + kSample, middle = entry.x + kSample / 2;
    if (series.form == Form::kBars)
      script += fmt::format(
          "set object rectangle from {} to {} front fs {} border lc rgb '{}' fc rgb '{}'\n",
          screen.at(entry.x, entry.y - 3), screen.at(end, entry.y + 3), fill_of(look), kInk,
          look.colour);
    else if (series.form != Form::kPoints)
      script += fmt::format("set arrow from {} to {} nohead front lw 1.5 dt {} lc rgb '{}'\n",
                            screen.at(entry.x, entry.y), screen.at(end, entry.y), dashes(series),
                            look.colour);
    if (series.form != Form::kBars && series.form != Form::kCurve)
      script += fmt::format("set label '' at {} point {} lc rgb '{}' front\n",
                            screen.at(middle, entry.y), marker_of(series), look.colour);
    double y = entry.y;
    for (const std::string& line : entry.lines) {
      script += fmt::format("set label {} at {} left front textcolor rgb '{}'\n",
                            gnuplot_string(line), screen.at(end + 6, y), kInk);
      y -= kLine;
    }
  }
  return script;
}

std::string tick_list(const std::vector<Tick>& ticks) {
  std::vector<std::string> list;
  for (const Tick& tick : ticks)
    list.push_back(fmt::format("{} {:.10g}", gnuplot_tick(tick.label), tick.at));
  return fmt::format("({})", fmt::join(list, ", "));
}

std::string axes(const Panel& panel, const PanelLayout& place, const Screen& screen) {
  std::string script = fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n",
      screen.x(place.left), screen.x(place.right), screen.y(place.bottom), screen.y(place.top));
  script += fmt::format("set xrange [{:.10g}:{:.10g}]\nset yrange [{:.10g}:{:.10g}]\n",
                        place.x.least, place.x.most, place.y.least, place.y.most);
  script += fmt::format("{} logscale x\n{} logscale y\n", panel.x.logarithmic ? "set" : "unset",
                        panel.y.logarithmic ? "set" : "unset");
  script += fmt::format(
      "set xtics {} {}\n",
      place.angle == 0 ? "norotate center" : fmt::format("rotate by {} right", place.angle),
      tick_list(place.x_ticks));
  script += fmt::format("set ytics {}\n", tick_list(place.y_ticks));
  if (!panel.x.label.empty())
    script += fmt::format("set label {} at {} center front textcolor rgb '{}'\n",
                          gnuplot_string(panel.x.label),
                          screen.at((place.left + place.right) / 2, place.x_label_y), kInk);
  if (!panel.y.label.empty())
    script += fmt::format("set label {} at {} center rotate by 90 front textcolor rgb '{}'\n",
                          gnuplot_string(panel.y.label),
                          screen.at(place.y_label_x, (place.bottom + place.top) / 2), kInk);
  double y = place.title_y + kLine * static_cast<double>(place.title.size());
  for (const std::string& line : place.title)
    script +=
        fmt::format("set label {} at {} center front textcolor rgb '{}'\n", gnuplot_string(line),
                    screen.at((place.left + place.right) / 2, y -= kLine), kInk);
  return script;
}

std::string map_plot(const HeatMap& map, const PanelLayout& place, const Screen& screen,
                     const std::string& data) {
  std::string script = fmt::format(
      "unset grid\nset cbrange [0:100]\n"
      "set colorbox user horizontal origin screen {:.5f},{:.5f} size screen {:.5f},{:.5f}\n"
      "set cbtics ('0' 0, '25' 25, '50' 50, '75' 75, '100' 100) scale 0.3 offset 0,0.4\n",
      screen.x(place.left), screen.y(place.colours_y), screen.x(place.right - place.left),
      screen.y(kColours));
  script +=
      fmt::format("set label {} at {} center front textcolor rgb '{}'\n", gnuplot_string(map.label),
                  screen.at((place.left + place.right) / 2, place.colours_label_y), kInk);
  script += fmt::format(
      "plot {} using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 border "
      "lc rgb '#ffffff' fc palette",
      data);
  if (map.columns <= kMostLabelled)
    script += fmt::format(
        ", {0} using 1:2:($3<62?sprintf('%d',$3):'') with labels textcolor rgb '#000000'"
        ", {0} using 1:2:($3<62?'':sprintf('%d',$3)) with labels textcolor rgb '#ffffff'",
        data);
  return script + "\nset grid\nunset colorbox\n";
}

// The bands, which lie below all curves.
std::vector<std::string> band_plots(const Panel& panel, size_t number) {
  std::vector<std::string> plots;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    if (series.form == Form::kPoints || series.form == Form::kBars || !has_intervals(series))
      continue;
    plots.push_back(fmt::format(
        "{} using 1:3:4 with filledcurves lc rgb '{}' fs transparent solid 0.13 noborder",
        block(number, i), look_of(series).colour));
  }
  if (plots.size() > kMostBands) plots.clear();
  return plots;
}

std::vector<std::string> series_plots(const Panel& panel, size_t number, const std::string& data,
                                      const PanelLayout& place) {
  const Series& series = panel.series[number];
  const Look& look = look_of(series);
  const std::string line = fmt::format("lw 1.5 dt {} lc rgb '{}'", dashes(series), look.colour);
  const std::string marker = marker_of(series);
  const std::string colour = fmt::format("lc rgb '{}'", look.colour);
  switch (series.form) {
    case Form::kLine:
    case Form::kSteps:
    case Form::kMarkedCurve:
      return {fmt::format("{} using 1:2 with lines {}", data, line),
              fmt::format("{}{} using 1:2 with points {} {}", data,
                          has_few_markers(series, panel.x.logarithmic, place) ? "m" : "", marker,
                          colour)};
    case Form::kCurve:
      return {fmt::format("{} using 1:2 with lines {}", data, line)};
    case Form::kPoints: {
      std::vector<std::string> plots;
      if (has_intervals(series))
        plots.push_back(
            fmt::format("{} using 1:3:(0):($4-$3) with vectors nohead lw 1 {}", data, colour));
      plots.push_back(fmt::format("{} using 1:2 with points {} {}", data, marker, colour));
      return plots;
    }
    case Form::kBars: {
      const Range bar = bar_of(panel, number);
      std::vector<std::string> plots = {fmt::format(
          "{} using ($1{:+.4f}):2:($1{:+.4f}):($1{:+.4f}):(0):2 with boxxyerror fs {} "
          "border lc rgb '{}' fc rgb '{}' lw 0.75",
          data, (bar.least + bar.most) / 2, bar.least, bar.most, fill_of(look), kInk, look.colour)};
      if (has_intervals(series))
        plots.push_back(
            fmt::format("{} using ($1{:+.4f}):3:(0):($4-$3) with vectors nohead lw 1 lc rgb '{}'",
                        data, (bar.least + bar.most) / 2, kInk));
      return plots;
    }
  }
  return {};
}

}  // namespace

std::string panel_data(const Panel& panel, size_t number) {
  if (panel.map) return fmt::format("{} << END\n{}END\n", block(number, 0), map_data(*panel.map));
  std::string script;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    if (series.points.empty()) continue;
    std::string rows;
    for (const Point& point : line_of(series)) add_row(rows, point);
    script += fmt::format("{} << END\n{}END\n", block(number, i), rows);
  }
  return script;
}

std::string panel_script(const Panel& panel, const PanelLayout& place, const Layout& layout,
                         size_t number) {
  const Screen screen(layout);
  std::string script = axes(panel, place, screen) + legend(panel, place, screen);
  if (panel.map) {
    script += map_plot(*panel.map, place, screen, block(number, 0));
  } else {
    std::vector<std::string> plots = band_plots(panel, number);
    for (size_t i = 0; i < panel.series.size(); ++i) {
      const Series& series = panel.series[i];
      if (series.points.empty()) continue;
      if (has_few_markers(series, panel.x.logarithmic, place))
        script += fmt::format("{}m << END\n{}END\n", block(number, i),
                              few_markers(line_of(series), series.style, place));
      for (std::string& plot : series_plots(panel, i, block(number, i), place))
        plots.push_back(std::move(plot));
    }
    if (plots.empty()) plots = {"NaN"};
    script += fmt::format("plot {}\n", fmt::join(plots, ", \\\n     "));
  }
  return script + "unset label\nunset arrow\nunset object\n";
}

}  // namespace textcrs::plot
