// A figure as a value: panels in a grid, each with axes and curves, points or bars, or a heat map.
// What it looks like is one style, that of draw.h: colours that the colour-blind tell apart, and a
// marker of its own for every style, so that nothing is lost in black and white. A dashed line
// means one thing everywhere: not proved.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {
namespace plot {

constexpr size_t kStyles = 8;  // colours with their markers; a style beyond them begins anew
constexpr size_t kMostBands = 4;

struct Point {
  double x = 0, y = 0;
  std::optional<double> low = {}, high = {};  // an interval of y around it; both or none
};

struct Series {
  // The interval of a point is an error bar, or a part of the curve's band; bands are drawn where
  // no more than kMostBands series of a panel have one.
  enum class Form {
    kLine,         // a marker at every point, or few where there is no room; a band
    kSteps,        // y holds from the x before, exclusive, to its own, inclusive; a band
    kCurve,        // a line without markers; a band
    kMarkedCurve,  // a line with few markers; a band
    kPoints,       // markers alone; error bars
    kBars,         // one bar per x, beside those of the panel's other series; error bars
  };
  std::string label;  // empty: not in the legend
  Form form = Form::kLine;
  size_t style = 0;
  bool proved = true;         // false: dashed, with an open marker
  std::vector<Point> points;  // by ascending x; none: an entry of the legend alone
};

struct Tick {
  double at = 0;
  std::string label;
};

struct Axis {
  std::string label;
  std::optional<double> least = {}, most = {};  // none: by the data
  bool logarithmic = false;
  std::vector<Tick> ticks = {};  // empty: chosen by the range
};

// Shares over whole numbers: values[y * columns + x] for x = 0 .. columns - 1; not a number where
// nothing is known. Cells are labelled in per cent, rounded down, where there are few.
struct HeatMap {
  size_t columns = 0;
  std::vector<double> values;
  std::string label;  // of the scale, 0 to 100 %

  size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  std::optional<HeatMap> map = {};  // instead of series
  // Height of the ground by its width; none: that of the style. Not of a heat map.
  std::optional<double> proportion = {};
  bool wide = false;  // needs the width of a page: then every panel has a row of its own
};

struct Chart {
  std::string title;          // empty: none
  std::vector<Panel> panels;  // at least one, by rows
  size_t columns = 2;         // of the grid; no more than there are panels
  // Inches, that of a printed column or page; none: 3.3 of one panel's that is not wide, else 7.
  // Letters are of 9 points at that size.
  std::optional<double> width = {};
};

}  // namespace plot
}  // namespace textcrs
