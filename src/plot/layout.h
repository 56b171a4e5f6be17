// Where everything of a figure lies. Lengths are points of 1/72 inch, from the lower left corner.
#pragma once

#include <string>
#include <vector>

#include "plot/ticks.h"
#include "textcrs/plot/chart.h"

namespace textcrs::plot {

struct LegendEntry {
  size_t series = 0;    // of the panel
  double x = 0, y = 0;  // the middle of the left end of its sample
  std::vector<std::string> lines;
};

struct PanelLayout {
  double left = 0, right = 0, bottom = 0, top = 0;  // the ground of the curves
  Range x, y;
  std::vector<Tick> x_ticks, y_ticks;
  int angle = 0;                        // of the labels of x_ticks, in degrees
  double x_label_y = 0, y_label_x = 0;  // the middle of the axes' labels
  double title_y = 0;                   // the middle of the last line of the title
  std::vector<std::string> title;
  double colours_y = 0;        // the lower edge of a heat map's scale
  double colours_label_y = 0;  // the middle of its label
  std::vector<LegendEntry> legend;
};

struct Layout {
  double width = 0, height = 0;
  std::vector<std::string> title;
  std::vector<PanelLayout> panels;
};

constexpr double kSample = 20;  // a legend's piece of a line
constexpr double kColours = 7;  // the height of a heat map's scale

// A std::logic_error for a chart that chart.h does not allow.
Layout lay_out(const Chart& chart);

}  // namespace textcrs::plot
