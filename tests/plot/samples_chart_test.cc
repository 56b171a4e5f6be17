#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::pair<double, double>> values(const Series& series) {
  std::vector<std::pair<double, double>> all;
  for (const Point& point : series.points) all.emplace_back(point.x, point.y);
  return all;
}

NamedRun drawn(uint64_t samples, double radius, const std::string& noise = "delete:p=0.5") {
  return run(noise + ", N = " + std::to_string(samples), noise,
             {right(0, {deletions(radius)}), right(1, {deletions(1)}), wrong(2, {deletions(9)}),
              abstained(3, {deletions(0)})},
             {{"samples", samples}});
}

RunFigureOptions at(std::vector<double> radii) {
  RunFigureOptions options;
  options.radii = std::move(radii);
  return options;
}

TEST(SamplesChart, HasAPointPerRunByItsSamples) {
  const Chart chart = samples_chart({drawn(10000, 5), drawn(100, 1), drawn(1000, 2)}, at({1, 2}));
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels[0];
  EXPECT_EQ(panel.title, "delete:p=0.5");
  EXPECT_TRUE(panel.x.logarithmic);
  EXPECT_THAT(panel.x.label, HasSubstr("N"));
  ASSERT_EQ(panel.series.size(), 3u);
  EXPECT_EQ(panel.series[0].label, "accuracy");  // an abstention counts by its guess
  EXPECT_THAT(values(panel.series[0]),
              ElementsAre(std::pair(100, 75), std::pair(1000, 75), std::pair(10000, 75)));
  EXPECT_EQ(panel.series[1].label, "certified, 1 word deleted");
  EXPECT_THAT(values(panel.series[1]),
              ElementsAre(std::pair(100, 50), std::pair(1000, 50), std::pair(10000, 50)));
  EXPECT_EQ(panel.series[2].label, "certified, 2 words deleted");
  EXPECT_THAT(values(panel.series[2]),
              ElementsAre(std::pair(100, 0), std::pair(1000, 25), std::pair(10000, 25)));
}

TEST(SamplesChart, ChoosesRoundRadiiThatTheRunsReach) {
  const Panel panel = samples_chart({drawn(100, 4), drawn(1000, 6)}).panels[0];
  ASSERT_EQ(panel.series.size(), 4u);
  EXPECT_EQ(panel.series[1].label, "certified, 1 word deleted");
  EXPECT_EQ(panel.series[2].label, "certified, 2 words deleted");
  EXPECT_EQ(panel.series[3].label, "certified, 5 words deleted");
}

TEST(SamplesChart, HasAPanelPerGroupOfRunsThatDifferInNothingElse) {
  const Chart chart = samples_chart({drawn(100, 3), drawn(100, 3, "delete:p=0.7"), drawn(1000, 3),
                                     drawn(1000, 3, "delete:p=0.7")});
  ASSERT_EQ(chart.panels.size(), 2u);
  EXPECT_EQ(chart.panels[0].title, "delete:p=0.5");
  EXPECT_EQ(chart.panels[1].title, "delete:p=0.7");
}

TEST(SamplesChart, RefusesWhatItCanNotDraw) {
  EXPECT_THAT(refused([] { samples_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([] {
                samples_chart({drawn(100, 3), drawn(1000, 3, "delete:p=0.7")});
              }),
              HasSubstr("no two runs differ in N and in nothing else"));
  EXPECT_THAT(refused([] {
                NamedRun again = drawn(100, 3);
                again.name = "again";
                samples_chart({drawn(100, 3), again});
              }),
              HasSubstr("another run of the same model and noise has N = 100"));
  EXPECT_THAT(refused([] {
                samples_chart({run("votes", "votes", {right(0, {edits(1)})},
                                   {{"samples", std::monostate()}})});
              }),
              HasSubstr("votes: nothing was sampled"));
  RunFigureOptions options;
  options.operations = {Operation::kReordering};
  EXPECT_THAT(refused([&] {
                samples_chart({drawn(100, 3), drawn(1000, 3)}, options);
              }),
              HasSubstr("not all runs prove something about reordering"));
  options.operations.push_back(Operation::kDeletion);
  EXPECT_THAT(refused([&] {
                samples_chart({drawn(100, 3), drawn(1000, 3)}, options);
              }),
              HasSubstr("about one operation"));
}

}  // namespace
}  // namespace textcrs::plot
