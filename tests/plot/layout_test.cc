// Nothing of a figure lies over anything else, or beyond its edge.
#include "plot/layout.h"

#include <gmock/gmock.h>

#include <cmath>

#include "plot/example_charts.h"
#include "plot/style.h"
#include "plot/text_box.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;

double place_of(const Tick& tick, const PanelLayout& panel) {
  return panel.left +
         (panel.right - panel.left) * (tick.at - panel.x.least) / (panel.x.most - panel.x.least);
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label));
  return width;
}

void expect_room(const Panel& panel, const PanelLayout& place, const Layout& layout) {
  EXPECT_LT(place.left + 40, place.right);
  EXPECT_LT(place.bottom + 40, place.top);
  EXPECT_GE(place.bottom, 0);
  EXPECT_LE(place.top, layout.height);
  EXPECT_LE(place.right, layout.width);
  // The label of y, upright, its numbers and the axis.
  EXPECT_GE(place.y_label_x - kLine / 2, 0);
  if (!panel.y.label.empty()) {
    EXPECT_LE(place.y_label_x + kLine / 2, place.left - widest(place.y_ticks));
    if (panel.y.label.size() < 30) {
      EXPECT_LE(text_width(panel.y.label), layout.height);
    }
  }
  for (size_t i = 0; !panel.x.logarithmic && i < place.x_ticks.size(); ++i) {
    const Tick& tick = place.x_ticks[i];
    const double width = text_width(tick.label), at = place_of(tick, place);
    if (place.angle == 0) {
      EXPECT_LE(at + width / 2, layout.width) << tick.label;
      if (i > 0) {
        EXPECT_GE(at - width / 2, place_of(place.x_ticks[i - 1], place) +
                                      text_width(place.x_ticks[i - 1].label) / 2)
            << tick.label;
      }
    } else {
      EXPECT_GE(at - width * std::cos(place.angle / 57.3), 0) << tick.label;
    }
  }
  double lowest = place.bottom - widest(place.x_ticks) * std::sin(place.angle / 57.3);
  if (!panel.x.label.empty()) {
    EXPECT_LT(place.x_label_y + kLine / 2, lowest);
    lowest = place.x_label_y - kLine / 2;
  }
  for (const LegendEntry& entry : place.legend) {
    EXPECT_LT(entry.y, lowest);
    for (const std::string& line : entry.lines)
      EXPECT_LE(entry.x + kSample + text_width(line), layout.width) << line;
    EXPECT_GE(entry.y - kLine * static_cast<double>(entry.lines.size()) + kLine / 2, 0);
  }
  for (size_t i = 1; i < place.legend.size(); ++i) {
    const LegendEntry &one = place.legend[i - 1], &next = place.legend[i];
    double end = one.x + kSample;
    for (const std::string& line : one.lines)
      end = std::max(end, one.x + kSample + text_width(line));
    const bool beside = next.x >= end;
    const bool below = next.y <= one.y - kLine * static_cast<double>(one.lines.size()) + 1e-9;
    EXPECT_TRUE(beside || below) << one.lines[0] << " and " << next.lines[0];
  }
}

TEST(Layouts, HaveRoomForEverythingInEveryKindOfFigure) {
  for (const ExampleChart& example : Examples().all()) {
    SCOPED_TRACE(example.name);
    const Layout layout = lay_out(example.chart);
    ASSERT_EQ(layout.panels.size(), example.chart.panels.size());
    for (size_t i = 0; i < layout.panels.size(); ++i) {
      SCOPED_TRACE(example.chart.panels[i].title);
      expect_room(example.chart.panels[i], layout.panels[i], layout);
      const size_t columns =
          example.chart.panels[i].wide ? 1 : std::min(example.chart.columns, layout.panels.size());
      if (i % columns > 0) {
        EXPECT_LT(layout.panels[i - 1].right, layout.panels[i].y_label_x - kLine / 2);
      }
      if (i >= columns) {
        EXPECT_LT(layout.panels[i].title_y, layout.panels[i - columns].bottom);
      }
    }
  }
}

TEST(Layouts, WrapTextsAtTheirPlaces) {
  EXPECT_THAT(wrapped("one two three", 1000), ElementsAre("one two three"));
  EXPECT_THAT(wrapped("", 100), ElementsAre());
  const std::string text = "200 texts of films (test), N = 1000, alpha = 0.001: 评论评论评论/x";
  for (const double room : {30.0, 60.0, 90.0, 150.0, 250.0}) {
    std::string whole, without;
    for (const std::string& line : wrapped(text, room)) {
      EXPECT_LE(text_width(line), room) << line;
      whole += line;
    }
    for (const char c : whole) without += c == ' ' ? "" : std::string(1, c);
    std::string expected;
    for (const char c : text) expected += c == ' ' ? "" : std::string(1, c);
    EXPECT_EQ(without, expected);
  }
  for (const std::string& line : wrapped(text, 80))
    EXPECT_FALSE(line.starts_with("=") || line.ends_with("=")) << line;
}

TEST(Layouts, TurnLabelsThatWouldTouch) {
  const auto angle = [](size_t labels, const std::string& label) {
    Panel panel;
    for (size_t i = 0; i < labels; ++i) panel.x.ticks.push_back({static_cast<double>(i), label});
    panel.x.least = -0.5;
    panel.x.most = static_cast<double>(labels) - 0.5;
    return lay_out({.title = "", .panels = {panel}, .width = 7}).panels[0].angle;
  };
  EXPECT_EQ(angle(5, "short"), 0);
  EXPECT_EQ(angle(17, "insert"), 30);
  EXPECT_EQ(angle(25, "insert"), 45);
  EXPECT_EQ(angle(40, "insert"), 90);
  EXPECT_EQ(angle(15, "a label that is longer than the room at its left"), 90);
}

}  // namespace
}  // namespace textcrs::plot
