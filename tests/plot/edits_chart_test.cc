#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> shares(const Series& curve) {
  std::vector<double> values;
  for (const Point& point : curve.points) values.push_back(point.y);
  return values;
}

NamedRun votes(const std::string& name) {
  return run(name, "universal:p=0.9",
             {right(0, {edits(2)}), right(1, {edits(1)}), wrong(2, {edits(9)}), abstained(3)});
}

RunFigureOptions about(Operation operation) {
  RunFigureOptions options;
  options.operations = {operation};
  return options;
}

TEST(EditsChart, IsAllMethodsInOnePlotCountedByHand) {
  const NamedRun better =
      run("better", "universal:p=0.8",
          {right(0, {edits(3)}), right(1, {edits(1)}), right(2, {edits(0)}), abstained(3)});
  const Chart chart = edits_chart({votes("votes"), better});
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels[0];
  EXPECT_EQ(panel.x.label, "words edited");
  ASSERT_EQ(panel.series.size(), 2u);
  EXPECT_EQ(panel.series[0].label, "votes");
  EXPECT_THAT(shares(panel.series[0]), ElementsAre(50, 50, 25, 0));
  EXPECT_EQ(panel.series[1].label, "better");
  EXPECT_THAT(shares(panel.series[1]), ElementsAre(75, 50, 25, 25, 0));
  EXPECT_NE(panel.series[0].style, panel.series[1].style);
  for (const Series& series : panel.series) EXPECT_TRUE(series.proved);
}

TEST(EditsChart, CountsEditsOfAnyKindAsOfEachKind) {
  const Chart chart = edits_chart({votes("votes")}, about(Operation::kDeletion));
  EXPECT_EQ(chart.panels[0].x.label, "words deleted");
  EXPECT_THAT(shares(chart.panels[0].series[0]), ElementsAre(50, 50, 25, 0));
}

TEST(EditsChart, LeavesOutRunsThatProveNothingAgainstTheThreat) {
  const NamedRun insert = run(
      "gaussian", "insert:sigma=0.1",
      {right(0, {{Operation::kInsertion, kUnitEmbedding, 0.5}}), right(1), wrong(2), abstained(3)});
  const Chart chart = edits_chart({insert, votes("votes")});
  ASSERT_EQ(chart.panels[0].series.size(), 1u);
  EXPECT_EQ(chart.panels[0].series[0].label, "votes");
  EXPECT_THAT(refused([&] { edits_chart({insert}); }),
              HasSubstr("no run proves anything about edits of any kind (gaussian: its certificate "
                        "says nothing about mixtures of edits)"));
  EXPECT_THAT(refused([&] { edits_chart({insert}, about(Operation::kInsertion)); }),
              HasSubstr("l2 change of embeddings"));
}

TEST(EditsChart, DoesNotCountWhatThePaperSays) {
  EXPECT_THAT(refused([] {
                edits_chart({run("paper", "delete:p=0.5", {right(0, {}, {deletions(4)})})},
                            about(Operation::kDeletion));
              }),
              HasSubstr("nothing is certified about any of the texts"));
}

TEST(EditsChart, RefusesTwoOperationsAndNoRun) {
  RunFigureOptions options = about(Operation::kDeletion);
  options.operations.push_back(Operation::kInsertion);
  EXPECT_THAT(refused([&] { edits_chart({votes("votes")}, options); }), HasSubstr("one operation"));
  EXPECT_THAT(refused([] { edits_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([] { edits_chart({votes("a"), votes("a")}); }), HasSubstr("named 'a'"));
}

}  // namespace
}  // namespace textcrs::plot
