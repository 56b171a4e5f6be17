#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::HasSubstr;

Record timed(uint32_t id, size_t words, double seconds, uint32_t samples) {
  Record record = right(id, {edits(1)});
  record.words = words;
  record.seconds = seconds;
  record.certification.samples = samples;
  return record;
}

TEST(SpeedChart, HasTheTextItselfWhereThereAreFew) {
  const Chart chart = speed_chart({run(
      "a", "delete:p=0.5", {timed(0, 30, 6, 600), timed(1, 10, 2, 600), timed(2, 20, 3, 600)})});
  ASSERT_EQ(chart.panels.size(), 2u);
  EXPECT_EQ(chart.panels[0].x.label, "words of the text");
  EXPECT_EQ(chart.panels[0].y.label, "seconds per text");
  EXPECT_EQ(chart.panels[1].y.label, "passes per second");
  const std::vector<Point>& seconds = chart.panels[0].series[0].points;
  const std::vector<Point>& passes = chart.panels[1].series[0].points;
  ASSERT_EQ(seconds.size(), 3u);
  ASSERT_EQ(passes.size(), 3u);
  const double expected[3][3] = {{10, 2, 300}, {20, 3, 200}, {30, 6, 100}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(seconds[i].x, expected[i][0]);
    EXPECT_EQ(seconds[i].y, expected[i][1]);
    EXPECT_EQ(passes[i].x, expected[i][0]);
    EXPECT_EQ(passes[i].y, expected[i][2]);
  }
}

// 24 texts in 8 groups of 3 by length: the median and the quartiles of each.
TEST(SpeedChart, HasMediansOfTextsOfSimilarLength) {
  std::vector<Record> records;
  for (uint32_t id = 0; id < 24; ++id) {
    const double within[] = {4, 1, 2};
    records.push_back(timed(id, 10 + id, 100.0 * (id / 3) + within[id % 3], 1));
  }
  std::reverse(records.begin(), records.end());
  const std::vector<Point> points =
      speed_chart({run("a", "delete:p=0.5", records)}).panels[0].series[0].points;
  ASSERT_EQ(points.size(), 8u);
  for (size_t group = 0; group < 8; ++group) {
    const auto base = 100.0 * static_cast<double>(group);
    EXPECT_EQ(points[group].x, 11.0 + 3 * static_cast<double>(group));
    EXPECT_EQ(points[group].y, base + 2);
    EXPECT_EQ(points[group].low, base + 1.5);
    EXPECT_EQ(points[group].high, base + 3);
  }
}

TEST(SpeedChart, DrawsRunsOfDifferentTextsAndThoseWithoutSamplesByTheirTimeAlone) {
  const Chart chart = speed_chart({run("votes", "votes", {timed(7, 10, 0.001, 0)}),
                                   run("noise", "delete:p=0.5", {timed(1, 10, 2, 600)})});
  ASSERT_EQ(chart.panels.size(), 2u);
  ASSERT_EQ(chart.panels[0].series.size(), 2u);
  ASSERT_EQ(chart.panels[1].series.size(), 1u);
  EXPECT_EQ(chart.panels[1].series[0].label, "noise");
  EXPECT_EQ(chart.panels[1].series[0].style, chart.panels[0].series[1].style);
  EXPECT_EQ(speed_chart({run("votes", "votes", {timed(7, 10, 0.001, 0)})}).panels.size(), 1u);
}

TEST(SpeedChart, RefusesRunsWithoutTimes) {
  EXPECT_THAT(refused([] { speed_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([] { speed_chart({run("a", "votes", {timed(0, 10, 0, 5)})}); }),
              HasSubstr("a: its records have no times"));
}

}  // namespace
}  // namespace textcrs::plot
