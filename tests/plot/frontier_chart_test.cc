#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Frontier = std::vector<std::pair<int, int>>;  // (lost, gained)

Record bearing(uint32_t id, Frontier frontier) {
  Record record = right(id);
  record.certification.sound.certified = true;
  record.certification.sound.frontier = std::move(frontier);
  return record;
}

double cell(const HeatMap& map, size_t gained, size_t lost) {
  return map.values.at(lost * map.columns + gained);
}

TEST(FrontierChart, CountsTheTextsThatBearEachPair) {
  Record wrong_one = bearing(2, {{9, 9}});
  wrong_one.prediction = "neg";
  const Chart chart = frontier_chart(
      {run("universal", "universal:p=0.9",
           {bearing(0, {{0, 2}, {1, 0}}), bearing(1, {{2, 1}}), wrong_one, abstained(3)})});
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels[0];
  EXPECT_EQ(panel.title, "universal");
  EXPECT_EQ(panel.x.label, "words inserted");
  EXPECT_EQ(panel.y.label, "words deleted");
  ASSERT_TRUE(panel.map.has_value());
  EXPECT_EQ(panel.map->columns, 3u);
  EXPECT_THAT(panel.map->values, ElementsAre(0.5, 0.5, 0.25,   // none deleted
                                             0.5, 0.25, 0,     // one
                                             0.25, 0.25, 0));  // two
}

TEST(FrontierChart, CountsASubstitutionAsBothWhereOnlyEditsAreCertified) {
  const Chart chart = frontier_chart(
      {run("votes", "votes", {right(0, {edits(2)}), right(1, {edits(0)}), wrong(2, {edits(5)})})});
  const HeatMap& map = *chart.panels[0].map;
  ASSERT_EQ(map.columns, 3u);
  ASSERT_EQ(map.rows(), 3u);
  for (size_t lost = 0; lost < 3; ++lost)
    for (size_t gained = 0; gained < 3; ++gained) {
      const double good = lost + gained == 0 ? 2 : lost + gained <= 2 ? 1 : 0;
      EXPECT_DOUBLE_EQ(cell(map, gained, lost), good / 3) << lost << " lost, " << gained;
    }
}

TEST(FrontierChart, HasRoomForANumberInEachCellAndTicksThatNameIt) {
  std::mt19937 random(5);
  std::vector<Record> records;
  for (uint32_t id = 0; id < 50; ++id) {
    const int most = std::uniform_int_distribution(0, 90)(random);
    records.push_back(bearing(id, {{most / 3, most / 2}, {most / 2, most / 4}}));
  }
  const Panel panel = frontier_chart({run("a", "universal:p=0.9", records)}).panels[0];
  ASSERT_EQ(panel.x.ticks.size(), panel.map->columns);
  ASSERT_EQ(panel.y.ticks.size(), panel.map->rows());
  EXPECT_LE(panel.map->columns, 8u);
  EXPECT_LE(panel.map->rows(), 11u);
  for (size_t y = 0; y < panel.map->rows(); ++y)
    for (size_t x = 0; x < panel.map->columns; ++x) {
      EXPECT_EQ(panel.x.ticks[x].at, static_cast<double>(x));
      const int gained = std::stoi(panel.x.ticks[x].label),
                lost = std::stoi(panel.y.ticks[y].label);
      double good = 0;
      for (const Record& record : records)
        for (const auto& [most_lost, most_gained] : record.certification.sound.frontier)
          if (lost <= most_lost && gained <= most_gained) {
            ++good;
            break;
          }
      ASSERT_DOUBLE_EQ(cell(*panel.map, x, y), good / 50) << lost << " lost, " << gained;
    }
}

TEST(FrontierChart, EndsWhereFewTextsAreCertified) {
  std::vector<Record> records = {bearing(0, {{40, 40}})};
  for (uint32_t id = 1; id < 50; ++id) records.push_back(bearing(id, {{1, 2}}));
  const HeatMap map = *frontier_chart({run("a", "universal:p=0.9", records)}).panels[0].map;
  EXPECT_EQ(map.columns, 3u);
  EXPECT_EQ(map.rows(), 2u);
}

TEST(FrontierChart, HasAPanelPerRunAndRefusesOneThatBearsNothing) {
  const NamedRun good = run("a", "universal:p=0.9", {bearing(0, {{1, 1}}), abstained(1)});
  NamedRun other = good;
  other.name = "b";
  EXPECT_EQ(frontier_chart({good, other}).panels.size(), 2u);
  const NamedRun nothing = run("c", "insert:sigma=0.1", {abstained(0), abstained(1)});
  EXPECT_THAT(refused([&] {
                frontier_chart({good, nothing});
              }),
              HasSubstr("c certifies no mixture of insertions and deletions"));
  EXPECT_THAT(refused([] { frontier_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([&] { frontier_chart({good, good}); }), HasSubstr("named 'a'"));
}

// A certificate about one kind of edit alone is none about mixtures.
TEST(FrontierChart, RefusesRunsOfOtherCertificates) {
  EXPECT_THAT(refused([] {
                frontier_chart({run("deleting", "delete:p=0.5", {right(0, {deletions(3)})})});
              }),
              HasSubstr("deleting certifies no mixture"));
}

}  // namespace
}  // namespace textcrs::plot
