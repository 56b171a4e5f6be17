#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "plot/hand_made_runs.h"
#include "textcrs/certify/confidence.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What a curve says of a radius: y holds from the x before, exclusive, to its own, inclusive.
double at(const Series& curve, double radius) {
  for (const Point& point : curve.points)
    if (point.x >= radius) return point.y;
  return 0;
}

std::vector<double> shares(const Series& curve) {
  std::vector<double> values;
  for (const Point& point : curve.points) values.push_back(point.y);
  return values;
}

std::vector<std::string> titles(const Chart& chart) {
  std::vector<std::string> all;
  for (const Panel& panel : chart.panels) all.push_back(panel.title);
  return all;
}

// Two of four are right; a text that is wrong or abstained on counts against, whatever its radius.
const std::vector<Record> kFour = {
    right(0, {deletions(3)}, {deletions(6)}), right(1, {deletions(1)}, {deletions(2)}),
    wrong(2, {deletions(5)}, {deletions(9)}), abstained(3, {deletions(4)}, {deletions(8)})};

TEST(RadiusChart, IsCertifiedAccuracyCountedByHand) {
  const Chart chart = radius_chart({run("delete", "delete:p=0.5", kFour)});
  EXPECT_EQ(chart.title, "4 texts of films (test), N = 1000, alpha = 0.001");
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels[0];
  EXPECT_EQ(panel.title, "deletion");
  EXPECT_EQ(panel.x.label, "words deleted");
  EXPECT_EQ(panel.y.label, "certified accuracy, %");
  EXPECT_EQ(panel.y.least, 0);
  EXPECT_EQ(panel.y.most, 100);
  ASSERT_EQ(panel.series.size(), 3u);  // and the note on what dashed means

  const Series &sound = panel.series[0], &paper = panel.series[1];
  EXPECT_EQ(sound.label, "delete");
  EXPECT_TRUE(sound.proved);
  EXPECT_EQ(sound.form, Series::Form::kLine);
  EXPECT_THAT(shares(sound), ElementsAre(50, 50, 25, 25, 0));
  EXPECT_FALSE(paper.proved);
  EXPECT_EQ(paper.label, "");  // the colour says whose it is
  EXPECT_EQ(paper.style, sound.style);
  EXPECT_THAT(shares(paper), ElementsAre(50, 50, 50, 25, 25, 25, 25, 0));
  EXPECT_THAT(panel.series[2].label, HasSubstr("not proved"));
  EXPECT_FALSE(panel.series[2].proved);
  EXPECT_THAT(panel.series[2].points, IsEmpty());
}

// What is proved is the formula of one run, rounded down, and another than that of the second.
TEST(RadiusChart, DrawsAFormulaThatIsProvedOnce) {
  const auto l2 = [](double radius) {
    return std::vector<Guarantee>{{Operation::kInsertion, kUnitEmbedding, radius}};
  };
  const NamedRun one = run("one", "insert:sigma=0.1",
                           {right(0, l2(0.25), l2(0.2500001)), right(1, l2(0.5), l2(0.5))});
  const NamedRun two =
      run("two", "insert:sigma=0.2", {right(0, l2(0.25), l2(0.3)), right(1, l2(0.5), l2(0.6))});
  const auto labels = [](const Chart& chart) {
    std::vector<std::string> all;
    for (const Series& series : chart.panels.at(0).series) all.push_back(series.label);
    return all;
  };
  EXPECT_THAT(labels(radius_chart({one})), ElementsAre("one, and the paper's formula"));
  EXPECT_THAT(labels(radius_chart({one, two})),
              ElementsAre("one, and the paper's formula", "two", "", HasSubstr("not proved")));
}

TEST(RadiusChart, HasABandOfClopperAndPearsonAroundWhatIsProvedAlone) {
  const Panel panel = radius_chart({run("delete", "delete:p=0.5", kFour)}).panels[0];
  const Point& half = panel.series[0].points[0];
  EXPECT_DOUBLE_EQ(half.low.value(), 100 * clopper_pearson_lower(2, 4, 0.025));
  EXPECT_DOUBLE_EQ(half.high.value(), 100 * clopper_pearson_upper(2, 4, 0.025));
  EXPECT_NEAR(half.low.value(), 6.7586, 1e-3);  // Clopper and Pearson's table: 2 of 4
  for (const Point& point : panel.series[1].points) EXPECT_FALSE(point.low || point.high);
}

TEST(RadiusChart, CountsAllTextsWhereNoneHasALabel) {
  const Chart chart = radius_chart(
      {run("delete", "delete:p=0.5",
           {without_label(right(0, {deletions(2)})), without_label(wrong(1, {deletions(1)})),
            without_label(abstained(2, {deletions(7)}))})});
  EXPECT_EQ(chart.panels[0].y.label, "certified share, %");
  EXPECT_NEAR(at(chart.panels[0].series[0], 1), 200 / 3.0, 1e-9);
  EXPECT_NEAR(at(chart.panels[0].series[0], 2), 100 / 3.0, 1e-9);
}

TEST(RadiusChart, LeavesOutTextsWithoutALabelWhereOthersHaveOne) {
  const Chart chart =
      radius_chart({run("delete", "delete:p=0.5",
                        {right(0, {deletions(2)}), without_label(right(1, {deletions(9)}))})});
  EXPECT_EQ(at(chart.panels[0].series[0], 2), 100);
  EXPECT_EQ(at(chart.panels[0].series[0], 3), 0);
}

TEST(RadiusChart, IsExactAtEveryRadiusOfAStepCurve) {
  std::mt19937 random(3);
  std::vector<Record> records;
  std::vector<double> radii;
  for (uint32_t id = 0; id < 120; ++id) {
    const double radius = std::uniform_int_distribution(0, 80)(random) / 64.0;
    const bool counts = id % 5 != 0;
    const std::vector<Guarantee> sound = {{Operation::kInsertion, kUnitEmbedding, radius}};
    records.push_back(counts ? right(id, sound) : wrong(id, sound));
    radii.push_back(counts ? radius : -1);
  }
  const Chart chart = radius_chart({run("insert", "insert:sigma=0.1", records)});
  ASSERT_EQ(chart.panels[0].series.size(), 1u);
  const Series& curve = chart.panels[0].series[0];
  EXPECT_EQ(curve.form, Series::Form::kSteps);
  EXPECT_EQ(chart.panels[0].x.label, "change of the embeddings, l2");
  for (double radius = 0; radius <= *chart.panels[0].x.most; radius += 1 / 256.0) {
    const auto reached =
        std::count_if(radii.begin(), radii.end(), [&](double r) { return r >= radius; });
    ASSERT_NEAR(at(curve, radius), 100.0 * static_cast<double>(reached) / 120, 1e-9) << radius;
  }
}

TEST(RadiusChart, NeverLiesAboveTheExactCurveWhereStepsAreThinned) {
  std::mt19937 random(4);
  std::vector<Record> records;
  std::vector<double> radii;
  for (uint32_t id = 0; id < 1000; ++id) {
    radii.push_back(std::uniform_real_distribution<>(0, 2)(random));
    records.push_back(right(id, {{Operation::kInsertion, kUnitEmbedding, radii.back()}}));
  }
  const Panel panel = radius_chart({run("insert", "insert:sigma=0.1", records)}).panels[0];
  const Series& curve = panel.series[0];
  EXPECT_LT(curve.points.size(), 200u);
  for (double radius = 0; radius <= *panel.x.most; radius += 1 / 250.0) {
    const auto reached =
        std::count_if(radii.begin(), radii.end(), [&](double r) { return r >= radius; });
    const double exact = static_cast<double>(reached) / 10;
    ASSERT_LE(at(curve, radius), exact + 1e-9) << radius;
    ASSERT_GE(at(curve, radius), exact - 1) << radius;
  }
}

TEST(RadiusChart, PutsWhatIsUnlimitedAtTheEndAsAny) {
  const Chart chart = radius_chart(
      {run("reorder", "reorder:block=full",
           {right(0, {{Operation::kReordering, kUnitDisplacement, kUnlimited}}),
            right(1, {{Operation::kReordering, kUnitDisplacement, 4}}),
            wrong(2, {{Operation::kReordering, kUnitDisplacement, kUnlimited}}), abstained(3)})});
  const Panel& panel = chart.panels[0];
  EXPECT_EQ(panel.x.label, "displacement of all words, l1");
  EXPECT_EQ(panel.x.ticks.back().label, "any");
  EXPECT_EQ(panel.x.ticks.back().at, panel.x.most);
  EXPECT_EQ(at(panel.series[0], 4), 50);
  EXPECT_EQ(panel.series[0].points.back().x, panel.x.most);
  EXPECT_EQ(panel.series[0].points.back().y, 25);
}

// The axis ends behind the last radius that 2 % of the texts are proved to; what goes on beyond it
// does not fall to 0 there.
TEST(RadiusChart, EndsWhereLittleIsProvedAndNoCurveFallsThere) {
  for (const bool unlimited : {false, true})
    for (const double unit : {1.0, 0.125}) {
      SCOPED_TRACE(unit);
      std::vector<Record> records;
      for (uint32_t id = 0; id < 100; ++id)
        records.push_back(right(id, {deletions(unit * (id < 98 ? 5 : 40))},
                                {deletions(unit * (id < 50 ? 6 : 28))}));
      if (unlimited) records[99].certification.sound.guarantees[0].radius = kUnlimited;
      const Panel panel = radius_chart({run("delete", "delete:p=0.5", records)}).panels[0];
      const double end = *panel.x.most;
      EXPECT_GT(end, 28 * unit);  // half of the texts are claimed to be certified to this
      EXPECT_LT(end, 32 * unit);
      const auto is_below = [](const Point& a, const Point& b) { return a.x < b.x; };
      for (const Series& curve : panel.series) {
        EXPECT_TRUE(std::is_sorted(curve.points.begin(), curve.points.end(), is_below));
        for (const Point& point : curve.points) EXPECT_LE(point.x, end);
      }
      EXPECT_EQ(at(panel.series[0], 28 * unit), unlimited && unit < 1 ? 1 : 2);
      EXPECT_EQ(at(panel.series[1], 28 * unit), 50);
      EXPECT_EQ(at(panel.series[0], end), unlimited ? 1 : 2);
    }
}

TEST(RadiusChart, IsNotPressedTogetherByWhatIsOnlyClaimed) {
  std::vector<Record> records;
  for (uint32_t id = 0; id < 100; ++id)
    records.push_back(right(id, {deletions(3)}, {deletions(id < 95 ? 4 : 20)}));
  const Panel panel = radius_chart({run("delete", "delete:p=0.5", records)}).panels[0];
  EXPECT_EQ(panel.x.most, 5);
  EXPECT_THAT(shares(panel.series[0]), ElementsAre(100, 100, 100, 100, 0));
  EXPECT_THAT(shares(panel.series[1]), ElementsAre(100, 100, 100, 100, 100, 5));
}

TEST(RadiusChart, HasAPanelPerOperationAndOnlyItsOwnOfARunAmongOthers) {
  const std::vector<Guarantee> both = {deletions(2), {Operation::kInsertion, kUnitWords, 2}};
  const NamedRun deleting = run("a", "delete:p=0.5", {right(0, both)});
  const NamedRun moving =
      run("b", "reorder:block=4", {right(0, {{Operation::kReordering, kUnitDisplacement, 2}})});
  EXPECT_THAT(titles(radius_chart({deleting})), ElementsAre("insertion", "deletion"));
  EXPECT_THAT(titles(radius_chart({deleting, moving})), ElementsAre("reordering", "deletion"));
  RunFigureOptions options;
  options.operations = {Operation::kInsertion};
  EXPECT_THAT(titles(radius_chart({deleting, moving}, options)), ElementsAre("insertion"));
}

TEST(RadiusChart, DrawsThreeLevelsInOnePanelEachWithAStyle) {
  std::vector<NamedRun> runs;
  for (const char* noise : {"delete:p=0.3", "delete:p=0.5", "delete:p=0.7"})
    runs.push_back(run(noise, noise, kFour));
  const Chart chart = radius_chart(runs);
  ASSERT_EQ(chart.panels.size(), 1u);
  ASSERT_EQ(chart.panels[0].series.size(), 7u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chart.panels[0].series[2 * i].label, runs[i].name);
    EXPECT_EQ(chart.panels[0].series[2 * i].style, i);
    EXPECT_EQ(chart.panels[0].series[2 * i + 1].style, i);
  }
}

TEST(RadiusChart, TakesTheTitleThatItIsGiven) {
  RunFigureOptions options;
  options.title = "mine";
  EXPECT_EQ(radius_chart({run("a", "delete:p=0.5", kFour)}, options).title, "mine");
  options.title = "";
  EXPECT_EQ(radius_chart({run("a", "delete:p=0.5", kFour)}, options).title, "");
}

TEST(RadiusChart, RefusesWhatItCanNotDraw) {
  const NamedRun good = run("a", "delete:p=0.5", kFour);
  EXPECT_THAT(refused([] { radius_chart({}); }), HasSubstr("no run"));
  EXPECT_THAT(refused([&] { radius_chart({good, good}); }), HasSubstr("two runs are named 'a'"));
  NamedRun nameless = good;
  nameless.name.clear();
  EXPECT_THAT(refused([&] { radius_chart({nameless}); }), HasSubstr("has no name"));
  const NamedRun other = run("b", "delete:p=0.5", {right(7, {deletions(1)})});
  EXPECT_THAT(refused([&] { radius_chart({good, other}); }), HasSubstr("not about the same texts"));
  RunFigureOptions options;
  options.anyway = true;
  EXPECT_EQ(radius_chart({good, other}, options).panels.size(), 1u);
  EXPECT_THAT(refused([&] {
                radius_chart({run("a", "delete:p=0.5", {wrong(0, {deletions(2)}), abstained(1)})});
              }),
              HasSubstr("the runs certify nothing"));
  options.operations = {Operation::kReordering};
  EXPECT_THAT(refused([&] { radius_chart({good}, options); }),
              HasSubstr("certify nothing about these operations"));
}

}  // namespace
}  // namespace textcrs::plot
