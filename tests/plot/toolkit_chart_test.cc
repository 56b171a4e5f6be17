#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::HasSubstr;

NamedRun variant(const std::string& name, const std::string& noise, double radius) {
  const auto bears = [](double l2) {
    return std::vector<Guarantee>{{Operation::kInsertion, kUnitEmbedding, l2}};
  };
  return run(
      name, noise,
      {right(0, bears(radius)), right(1, bears(0.1)), wrong(2, bears(3)), abstained(3, bears(0))});
}

TEST(ToolkitChart, HasAVariantPerPlaceAndALevelPerSeries) {
  RunFigureOptions options;
  options.radii = {0.1, 0.3};
  const Chart chart = toolkit_chart(
      {variant("plain", "insert:sigma=0.1", 0.2), variant("plain", "insert:sigma=0.2", 0.3),
       variant("with OGN", "insert:sigma=0.1", 0.4)},
      options);
  ASSERT_EQ(chart.panels.size(), 3u);
  EXPECT_EQ(chart.panels[0].title, "not attacked");
  EXPECT_EQ(chart.panels[1].title, "certified, l2 change 0.1");
  EXPECT_EQ(chart.panels[2].title, "certified, l2 change 0.3");
  const double expected[3][3] = {{75, 75, 75}, {50, 50, 50}, {0, 25, 25}};
  for (size_t p = 0; p < 3; ++p) {
    const Panel& panel = chart.panels[p];
    ASSERT_EQ(panel.x.ticks.size(), 2u);
    EXPECT_EQ(panel.x.ticks[0].label, "plain");
    EXPECT_EQ(panel.x.ticks[1].label, "with OGN");
    ASSERT_EQ(panel.series.size(), 2u);
    EXPECT_EQ(panel.series[0].label, "insert:sigma=0.1");
    EXPECT_EQ(panel.series[1].label, "insert:sigma=0.2");
    ASSERT_EQ(panel.series[0].points.size(), 2u);
    ASSERT_EQ(panel.series[1].points.size(), 1u);  // there is no such run of the other
    EXPECT_EQ(panel.series[0].points[0].y, expected[p][0]);
    EXPECT_EQ(panel.series[1].points[0].y, expected[p][1]);
    EXPECT_EQ(panel.series[0].points[1].y, expected[p][2]);
    EXPECT_NEAR(panel.series[0].points[1].x, 1, 0.5);
    EXPECT_LT(panel.series[0].points[0].x, panel.series[1].points[0].x);
  }
}

TEST(ToolkitChart, RefusesWhatItCanNotDraw) {
  const NamedRun plain = variant("plain", "insert:sigma=0.1", 0.2);
  EXPECT_THAT(refused([] { toolkit_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([&] {
                toolkit_chart({plain, plain});
              }),
              HasSubstr("two runs of insert:sigma=0.1 are named 'plain'"));
  NamedRun nameless = plain;
  nameless.name.clear();
  EXPECT_THAT(refused([&] { toolkit_chart({nameless}); }), HasSubstr("has no name"));
  const NamedRun other =
      run("other", "insert:sigma=0.1", {right(5, {{Operation::kInsertion, kUnitEmbedding, 0.1}})});
  EXPECT_THAT(refused([&] { toolkit_chart({plain, other}); }), HasSubstr("not about the same"));
  EXPECT_THAT(refused([] { toolkit_chart({run("a", "none", {right(0)})}); }),
              HasSubstr("no operation that all runs certify"));
}

}  // namespace
}  // namespace textcrs::plot
