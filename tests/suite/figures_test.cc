#include "textcrs/suite/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "done_suite.h"
#include "suite/shown_steps.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

SuiteFigures figures_of(DoneSuite& done) {
  return make_figures(done.suite(), done.manifest(), done.out(), 1);
}

std::vector<std::string> names_of(const SuiteFigures& figures) {
  std::vector<std::string> names;
  for (const MadeFigure& figure : figures.made) names.push_back(figure.name);
  return names;
}

std::vector<std::string> titles_of(const plot::Chart& chart) {
  std::vector<std::string> titles;
  for (const plot::Panel& panel : chart.panels) titles.push_back(panel.title);
  return titles;
}

std::vector<std::string> labels_of(const plot::Panel& panel) {
  std::vector<std::string> labels;
  for (const plot::Series& series : panel.series)
    if (!series.label.empty()) labels.push_back(series.label);
  return labels;
}

// A file per model, a panel per data set.
TEST(Figures, OfRadiiAreOnePerModel) {
  DoneSuite done(
      "[[figure]]\nname = \"cut\"\nkind = \"radius\"\ntitle = \"Deletion\"\n"
      "methods = [\"cut\"]\n");
  const SuiteFigures figures = figures_of(done);
  EXPECT_THAT(figures.undrawn, IsEmpty());
  ASSERT_THAT(names_of(figures), ElementsAre("cut.m", "cut.n"));
  const MadeFigure& first = figures.made[0];
  EXPECT_EQ(first.chart.title, "Deletion");
  ASSERT_EQ(first.chart.panels.size(), 2u);
  EXPECT_THAT(titles_of(first.chart)[0], HasSubstr("Films"));
  EXPECT_THAT(titles_of(first.chart)[1], HasSubstr("News"));
  EXPECT_THAT(labels_of(first.chart.panels[0]), IsSupersetOf({"p=0.3", "p=0.7"}));
  EXPECT_THAT(first.steps, ElementsAre("d.m.cut.low.certify", "d.m.cut.high.certify",
                                       "e.m.cut.low.certify", "e.m.cut.high.certify"));
}

TEST(Figures, DataOfOneTitleHaveTheirOwnPanels) {
  DoneSuite done("[[figure]]\nname = \"cut\"\nkind = \"radius\"\nmethods = [\"cut\"]\n");
  for (SuiteStep& step : done.manifest().steps) step.tags["data-title"] = "Texts";
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("cut.m", "cut.n"));
  EXPECT_EQ(figures.made[0].chart.panels.size(), 2u);
}

// From left to right as they are listed, not as the suite has them.
TEST(Figures, OfTheToolkitKeepTheOrderOfTheirMethods) {
  DoneSuite done(
      "[[figure]]\nname = \"toolkit\"\nmethods = [\"other\", \"cut\"]\ndata = [\"d\"]\n"
      "models = [\"m\"]\n");
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("toolkit.m"));
  std::vector<std::string> variants;
  for (const plot::Tick& tick : figures.made[0].chart.panels[0].x.ticks)
    variants.push_back(tick.label);
  EXPECT_THAT(variants, ElementsAre("other", "deletion"));
}

TEST(Figures, OfAllMethodsTellThemApart) {
  DoneSuite done("[[figure]]\nname = \"edits\"\nthreat = \"deletion\"\ndata = [\"d\"]\n");
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("edits"));
  ASSERT_EQ(figures.made[0].chart.panels.size(), 1u);
  EXPECT_THAT(
      labels_of(figures.made[0].chart.panels[0]),
      IsSupersetOf({"First, deletion, p=0.3", "First, deletion, p=0.7", "First, other, p=0.5",
                    "Second, deletion, p=0.3", "Second, deletion, p=0.7"}));
}

// A method that is all of the data set's texts beside one that is a part of them.
TEST(Figures, SayHowManyTextsTheirCurvesAreOf) {
  DoneSuite done(
      "[[figure]]\nname = \"edits\"\nthreat = \"deletion\"\ndata = [\"d\"]\nmodels = [\"m\"]\n"
      "levels = [\"low\", \"\"]\n",
      [](const SuiteStep& step) { return step.tag("method") == "cut" ? 3 : 2; });
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("edits"));
  EXPECT_THAT(labels_of(figures.made[0].chart.panels[0]),
              IsSupersetOf({"deletion, p=0.3, 3 texts", "other, p=0.5, 2 texts"}));
}

TEST(AddPart, DoesNotSayAModelsNameTwice) {
  std::string words;
  for (const char* part : {"", "votes", "votes", "votes, trained for 1 edit", "p=0.3"})
    add_part(words, part);
  EXPECT_EQ(words, "votes, trained for 1 edit, p=0.3");
  words = "CNN";
  add_part(words, "CNNs on words");
  EXPECT_EQ(words, "CNN, CNNs on words");
}

// Variants are shown where N is what is about, and where they are asked for.
TEST(Figures, OfSamplesShowVariants) {
  DoneSuite done(
      "[[figure]]\nname = \"samples\"\nmethods = [\"other\"]\n"
      "[[figure]]\nname = \"plain\"\nkind = \"radius\"\nmethods = [\"other\"]\n"
      "[[figure]]\nname = \"asked\"\nkind = \"radius\"\nmethods = [\"other\"]\n"
      "variants = [\"more\"]\n");
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("samples.m", "plain.m", "asked.m"));
  EXPECT_THAT(figures.made[0].steps, ElementsAre("d.m.other.certify", "d.m.other.certify.more"));
  EXPECT_THAT(figures.made[1].steps, ElementsAre("d.m.other.certify"));
  EXPECT_THAT(figures.made[2].steps, ElementsAre("d.m.other.certify.more"));
}

TEST(Figures, SayWhyTheyAreNotDrawn) {
  DoneSuite done(
      "[[figure]]\nname = \"frontier\"\n"  // nothing is certified of edits of any kind
      "[[figure]]\nname = \"attacks\"\n"   // not run
      "[[figure]]\nname = \"values\"\nsources = [\"/nowhere/vectors.txt\"]\n"
      "[[figure]]\nname = \"speed\"\ndata = [\"d\"]\n");
  const SuiteFigures figures = figures_of(done);
  EXPECT_THAT(names_of(figures), ElementsAre("speed.d"));
  std::vector<std::string> undrawn;
  for (const UndrawnFigure& one : figures.undrawn) undrawn.push_back(one.name + ": " + one.reason);
  ASSERT_EQ(undrawn.size(), 4u);
  EXPECT_THAT(undrawn[0], HasSubstr("frontier.d: "));
  EXPECT_THAT(undrawn[1], HasSubstr("frontier.e: "));
  EXPECT_EQ(undrawn[2], "attacks: none of its steps is done");
  EXPECT_THAT(undrawn[3], HasSubstr("/nowhere/vectors.txt"));
}

// One damaged run takes its figure along, and no other.
TEST(Figures, ADamagedRunIsNamed) {
  DoneSuite done("[[figure]]\nname = \"radius\"\nmethods = [\"cut\"]\ndata = [\"d\"]\n");
  write_text(done.out() / "runs/d.m.cut.low.certify/results.jsonl", "{}\n");
  fs::remove_all(done.out() / "runs/d.n.cut.low.certify");
  const SuiteFigures figures = figures_of(done);
  EXPECT_THAT(names_of(figures), IsEmpty());
  ASSERT_EQ(figures.undrawn.size(), 2u);
  EXPECT_THAT(figures.undrawn[0].reason, HasSubstr("d.m.cut.low.certify/results.jsonl:1"));
  EXPECT_THAT(figures.undrawn[1].reason, HasSubstr("d.n.cut.low.certify"));
}

// And where others of its figure are drawn, its panel alone is missing.
TEST(Figures, AMissingPanelIsNamed) {
  DoneSuite done("[[figure]]\nname = \"radius\"\nmethods = [\"cut\"]\nmodels = [\"m\"]\n");
  write_text(done.out() / "runs/d.m.cut.low.certify/results.jsonl", "{}\n");
  const SuiteFigures figures = figures_of(done);
  ASSERT_THAT(names_of(figures), ElementsAre("radius.m"));
  EXPECT_THAT(titles_of(figures.made[0].chart), ElementsAre(HasSubstr("News")));
  ASSERT_EQ(figures.undrawn.size(), 1u);
  EXPECT_EQ(figures.undrawn[0].name, "radius.m");
  EXPECT_EQ(figures.undrawn[0].panel, "Films");
  EXPECT_THAT(figures.undrawn[0].reason, HasSubstr("d.m.cut.low.certify/results.jsonl:1"));
}

// Of earlier plans those whose names the suite has no more; what is in the plan is of the plan.
TEST(Figures, ShowWhatEarlierPlansDid) {
  DoneSuite done("[[figure]]\nname = \"radius\"\nmethods = [\"other\"]\n");
  SuiteManifest& manifest = done.manifest();
  std::vector<SuiteStep> steps = std::move(manifest.steps);
  manifest.steps.clear();
  manifest.past = steps;
  ASSERT_EQ(figures_of(done).made.size(), 1u);
  for (SuiteStep& step : steps) step.state = StepState::kPlanned;
  manifest.steps = steps;
  EXPECT_THAT(figures_of(done).made, IsEmpty());
}

TEST(Figures, AreWrittenInEveryFormat) {
  DoneSuite done("[[figure]]\nname = \"radius\"\nmethods = [\"other\"]\n");
  const std::vector<std::string> gone = {"gone.svg", "gone.pdf", "gone.png", "gone.gp"};
  for (const std::string& name : gone) write_text(done.out() / "figures" / name, "");
  write_text(done.out() / "figures/mine.svg", "");
  std::vector<std::string> told;
  try {
    write_figures(figures_of(done), done.out(),
                  [&](const std::string& name) { told.push_back(name); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kFailed) throw;
    GTEST_SKIP() << error.what();  // without gnuplot
  }
  EXPECT_THAT(told, ElementsAre("radius.m"));
  for (const char* extension : {".svg", ".pdf", ".png", ".gp"})
    EXPECT_TRUE(fs::exists(done.out() / "figures" / (std::string("radius.m") + extension)))
        << extension;
  for (const std::string& name : gone)
    EXPECT_FALSE(fs::exists(done.out() / "figures" / name)) << name;
  EXPECT_TRUE(fs::exists(done.out() / "figures/mine.svg"));
}

TEST(Figures, AStopIsHeard) {
  DoneSuite done("[[figure]]\nname = \"radius\"\n");
  const std::atomic<bool> stop{true};
  try {
    make_figures(done.suite(), done.manifest(), done.out(), 1, StopToken(stop));
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

}  // namespace
}  // namespace textcrs
