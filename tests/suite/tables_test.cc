#include "textcrs/suite/tables.h"

#include <gmock/gmock.h>

#include "suite/made_runs.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Labels = std::vector<std::string>;

constexpr const char* kSuite = R"(
title = "A tiny suite"
caveats = ["of all"]
[defaults]
seed = 3
[[data]]
name = "films"
title = "Films"
published = "IMDB"
caveat = "few films"
[[data]]
name = "news"
[[model]]
name = "net"
title = "Net"
published = "LSTM"
caveat = "a small net"
[[model]]
name = "bag"
[[method]]
name = "plain"
operation = "none"
published = "vanilla"
models = ["net"]
data = ["films"]
noise = "none"
[[method]]
name = "del"
title = "deletion"
operation = "deletion"
published = "deletion"
models = ["net"]
data = ["films"]
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
[[method]]
name = "shuffle"
title = "reordering"
operation = "reordering"
published = "reordering"
models = ["net"]
data = ["films"]
levels = { low = "reorder:block=4" }
[[method]]
name = "votes"
models = ["bag"]
)";

constexpr const char* kMethods = R"(
[[table]]
name = "benchmark"
methods = ["del", "shuffle", "plain"]
[[table]]
name = "clean"
methods = ["plain", "del"]
)";

class Tables : public MadeRuns {
 protected:
  static Record deleted(uint32_t id, double sound, double paper) {
    return certified(id, Operation::kDeletion, sound, paper);
  }
  // Certified 3 of 5, by the formula to 1 word 1, proved to 1 word 2.
  void certify_low() {
    certify("films.net.del.low.certify",
            {deleted(0, 2, 1), deleted(1, 1, 0), deleted(2, 0, 0), wrong(deleted(3, 5, 5)),
             abstained(deleted(4, 5, 5)), unlabelled(deleted(5, 5, 5))});
  }
};

TEST_F(Tables, BenchmarkCountsByHand) {
  plan(std::string(kSuite) + kMethods);
  publish("benchmark", "", {"IMDB", "LSTM", "low"}, {"deletion", "reordering"},
          {86.04, std::nullopt});
  publish("clean", "", {"IMDB", "LSTM", "low"}, {"vanilla"}, {91.5});
  certify_low();
  certify("films.net.shuffle.low.certify",
          {certified(0, Operation::kReordering, 1), certified(1, Operation::kReordering, 2),
           certified(2, Operation::kReordering, kUnlimited)},
          "reorder:block=4");
  evaluate("films.net.plain.evaluate", 9, 10);
  const MadeTable made = table("benchmark");
  EXPECT_THAT(made.headings, ElementsAre("data", "model", "noise", "number"));
  EXPECT_THAT(made.columns, ElementsAre("deletion", "reordering", "plain, accuracy"));
  EXPECT_THAT(row(made, {"Films", "Net", "low", "certified"}),
              ElementsAre("60.0", "100.0", "90.0"));
  EXPECT_THAT(row(made, {"Films", "Net", "low", "paper's formula, 1 edit"}),
              ElementsAre("20.0", "", ""));
  // An exchange of neighbours moves two words by one place.
  EXPECT_THAT(row(made, {"Films", "Net", "low", "proved, 1 edit"}),
              ElementsAre("40.0", "66.6", ""));
  EXPECT_THAT(row(made, {"Films", "Net", "low", "published"}), ElementsAre("86.0", "", "91.5"));
  EXPECT_THAT(row(made, {"Films", "Net", "high", "certified"}), ElementsAre("-", "", ""));
  EXPECT_THAT(row(made, {"Films", "Net", "high", "published"}), ElementsAre("nothing"));
  EXPECT_THAT(notes(made),
              HasSubstr("not done yet, shown as a dash: films.net.del.high.certify\n"));
  EXPECT_THAT(notes(made), HasSubstr("of all\nFilms: few films\nNet: a small net\n"));
  EXPECT_THAT(notes(made), HasSubstr("published: \"Title of benchmark\"\n"));
  EXPECT_THAT(notes(made), HasSubstr("published numbers are those of The Paper"));
}

TEST_F(Tables, RadiiOfABenchmarkAreRows) {
  plan(std::string(kSuite) + "[[table]]\nname = \"benchmark\"\nradii = [0, 2, 0.5]\n");
  certify_low();
  const MadeTable made = table("benchmark");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "proved, 2 edits"})[1], "20.0");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "paper's formula, 2 edits"})[1], "0.0");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "proved, 0.5 edits"})[1], "40.0");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "proved, 0 edits"}), ElementsAre("nothing"));
}

TEST_F(Tables, WhatIsNotProvedSaysWhy) {
  plan(std::string(kSuite) + kMethods);
  certify("films.net.del.low.certify",
          {certified(0, Operation::kSubstitution, 3), certified(1, Operation::kSubstitution, 3)});
  const MadeTable made = table("benchmark");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "certified"})[0], "100.0");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "proved, 1 edit"})[0], "0.0");
  EXPECT_THAT(notes(made),
              HasSubstr("deletion, proved: its certificate says nothing about deletion"));
}

TEST_F(Tables, CleanCountsRightAnswers) {
  plan(std::string(kSuite) + kMethods);
  publish("clean", "", {"IMDB", "LSTM", "high"}, {"deletion"}, {84.76});
  published_.tables[0].decimals = 2;
  evaluate("films.net.del.high.evaluate", 2, 3);
  const MadeTable made = table("clean");
  EXPECT_THAT(made.columns, ElementsAre("plain", "deletion"));
  EXPECT_THAT(row(made, {"Films", "Net", "high", "accuracy"}), ElementsAre("", "66.7"));
  EXPECT_THAT(row(made, {"Films", "Net", "high", "published"}), ElementsAre("", "84.76"));
  EXPECT_THAT(row(made, {"Films", "Net", "low", "accuracy"}), ElementsAre("-", "-"));
}

TEST_F(Tables, NothingDoneIsNoTable) {
  plan(std::string(kSuite) + kMethods);
  const SuiteTables made = tables();
  EXPECT_TRUE(made.made.empty());
  ASSERT_EQ(made.unmade.size(), 2u);
  EXPECT_EQ(made.unmade[0].name, "benchmark");
  EXPECT_EQ(made.unmade[0].reason, "none of its steps is done");
}

TEST_F(Tables, AStepThatCanNotBeReadIsADash) {
  plan(std::string(kSuite) + kMethods);
  certify_low();
  evaluate("films.net.plain.evaluate", 9, 10);
  done("films.net.shuffle.low.certify");
  std::filesystem::remove_all(out() / "runs/films.net.del.low.certify");
  const MadeTable made = table("benchmark");
  EXPECT_THAT(row(made, {"Films", "Net", "low", "certified"}), ElementsAre("-", "-", "90.0"));
  EXPECT_THAT(notes(made), HasSubstr("films.net.del.low.certify is not shown: "
                                     "runs/films.net.del.low.certify: there is no such folder"));
  EXPECT_THAT(notes(made), HasSubstr("films.net.shuffle.low.certify is not shown: "));
}

TEST_F(Tables, ARunThatGoesOnIsADash) {
  plan(std::string(kSuite) + kMethods);
  certify_low();
  evaluate("films.net.plain.evaluate", 9, 10);
  std::filesystem::remove(out() / "runs/films.net.del.low.certify/summary.json");
  EXPECT_THAT(row(table("benchmark"), {"Films", "Net", "low", "certified"}),
              ElementsAre("-", "-", "90.0"));
}

TEST_F(Tables, ModelsOfOneTitleAreTwo) {
  plan(R"(
[[data]]
name = "d"
[[model]]
name = "a"
title = "Same"
train = { hidden = 1 }
[[model]]
name = "b"
title = "Same"
[[method]]
name = "del"
operation = "deletion"
levels = { low = "delete:p=0.3" }
[[table]]
name = "benchmark"
)");
  certify("d.a.del.low.certify", {deleted(0, 1, 1)});
  certify("d.b.del.low.certify", {wrong(deleted(0, 1, 1))});
  const MadeTable made = table("benchmark");
  ASSERT_EQ(made.rows.size(), 6u);
  EXPECT_EQ(made.rows[0].cells[0].in_words(), "100.0");
  EXPECT_EQ(made.rows[3].cells[0].in_words(), "0.0");
  EXPECT_EQ(made.rows[3].cells[0].step, "d.b.del.low.certify");
}

TEST_F(Tables, StepsOfEarlierPlansAreShown) {
  plan(std::string(kSuite) + kMethods);
  certify_low();
  manifest_.past.push_back(step("films.net.del.low.certify"));
  std::erase_if(manifest_.steps, [](const SuiteStep& one) { return one.tag("level") == "low"; });
  EXPECT_THAT(row(table("benchmark"), {"Films", "Net", "low", "certified"})[0], "60.0");
}

TEST_F(Tables, NamesAndRadiiThatCanNotBe) {
  EXPECT_THAT(error_of([&] { plan(std::string(kSuite) + "[[table]]\nname = \"suite\"\n"); }),
              HasSubstr("the name 'suite' is taken"));
  EXPECT_THAT(error_of([&] {
                plan(std::string(kSuite) + "[[table]]\nname = \"edits\"\nradii = [1, -1]\n");
              }),
              HasSubstr("found -1 among 'radii', expected numbers from 0"));
}

constexpr const char* kEdits = R"(
[[table]]
name = "edits"
radii = [1, 0, 3]
[[table]]
name = "deletions"
kind = "edits"
threat = "deletion"
data = ["films"]
radii = [1]
[[table]]
name = "radii"
methods = ["del"]
radii = [1, 2]
)";

TEST_F(Tables, EditsCountWhatIsProved) {
  plan(std::string(kSuite) + kEdits);
  certify("films.bag.votes.certify",
          {certified(0, Operation::kEdit, 3), certified(1, Operation::kEdit, 0),
           wrong(certified(2, Operation::kEdit, 9)), abstained(certified(3, Operation::kEdit, 9))},
          "votes");
  certify_low();
  const MadeTable made = table("edits");
  EXPECT_THAT(made.columns, ElementsAre("texts", "accuracy", "0", "1", "3"));
  EXPECT_THAT(row(made, {"Films", "bag", "votes", ""}),
              ElementsAre("4", "75.0", "50.0", "25.0", "25.0"));
  // It proves deletions, and says nothing of other edits.
  EXPECT_THAT(row(made, {"Films", "Net", "deletion", "delete:p=0.3"}),
              ElementsAre("5", "80.0", "60.0", "0.0", "0.0"));
  EXPECT_THAT(notes(made), HasSubstr("deletion: its certificate says nothing about mixtures"));
  EXPECT_THAT(row(made, {"news", "bag", "votes", ""}), ElementsAre("-", "-", "-", "-", "-"));
  // Edits of any kind are deletions, too.
  const MadeTable deletions = table("deletions");
  EXPECT_THAT(row(deletions, {"Films", "bag", "votes", ""}), ElementsAre("4", "75.0", "25.0"));
  EXPECT_THAT(row(deletions, {"Films", "Net", "deletion", "delete:p=0.3"}),
              ElementsAre("5", "80.0", "40.0"));
  EXPECT_THAT(row(deletions, {"news", "bag", "votes", ""}), ElementsAre("nothing"));
}

TEST_F(Tables, RadiiShowFormulaAndProof) {
  plan(std::string(kSuite) + kEdits);
  certify_low();
  const MadeTable made = table("radii");
  EXPECT_THAT(row(made, {"Films", "Net", "deletion", "delete:p=0.3", "paper's formula"}),
              ElementsAre("5", "80.0", "20.0", "0.0"));
  EXPECT_THAT(row(made, {"Films", "Net", "deletion", "delete:p=0.3", "proved"}),
              ElementsAre("5", "80.0", "40.0", "20.0"));
}

TEST_F(Tables, TextsWithoutLabelsAreNoAccuracy) {
  plan(std::string(kSuite) + kEdits);
  certify("films.bag.votes.certify", {unlabelled(certified(0, Operation::kEdit, 3))}, "votes");
  certify_low();
  EXPECT_THAT(row(table("edits"), {"Films", "bag", "votes", ""}),
              ElementsAre("-", "-", "-", "-", "-"));
  EXPECT_THAT(notes(table("edits")), HasSubstr("films.bag.votes.certify is not shown: its texts "
                                               "have no labels"));
}

}  // namespace
}  // namespace textcrs
