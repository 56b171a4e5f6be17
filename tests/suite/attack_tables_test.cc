#include <gmock/gmock.h>

#include "suite/made_runs.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSuite = R"(
[[data]]
name = "films"
title = "Films"
published = "IMDB"
[[model]]
name = "net"
title = "Net"
published = "LSTM"
[[method]]
name = "plain"
operation = "none"
noise = "none"
[[method]]
name = "del"
title = "deletion"
operation = "deletion"
published = "deletion"
levels = { low = "delete:p=0.3" }
[[method]]
name = "ins"
title = "insertion"
operation = "insertion"
published = "insertion"
levels = { low = "insert:sigma=0.1" }
[[method]]
name = "safer"
title = "SAFER"
operation = "substitution"
published = "SAFER"
[[attack]]
name = "reduce"
title = "Reduction"
operation = "deletion"
published = "InputReduction"
methods = ["plain"]
against = ["del.low", "ins.low"]
judged = true
[[attack]]
name = "swap"
title = "Swap"
operation = "reordering"
published = "WordReorder"
methods = ["plain"]
against = ["ins.low", "safer"]
[[table]]
name = "attack-accuracy"
[[table]]
name = "certified-attacks"
[[table]]
name = "universality"
methods = ["ins"]
[[table]]
name = "judge"
)";

class AttackTables : public MadeRuns {
 protected:
  void SetUp() override {
    plan(kSuite);
    const std::vector<std::string> attacks = {"InputReduction", "WordReorder"};
    publish("attack-accuracy", "", {"IMDB", "LSTM", ""}, attacks, {30.65, 40.2});
    publish("certified-attacks", "Text-CRS", {"IMDB", "LSTM", ""}, attacks, {77.0, 86.0});
    publish("certified-attacks", "SAFER", {"IMDB", "LSTM", ""}, attacks, {68.8, std::nullopt});
    publish("universality", "", {"IMDB", "LSTM", ""}, attacks, {68.8, 87.2});
    publish("judge", "deception", {"IMDB", "", ""}, attacks, {73, 60});
  }

  // Of four texts three are attacked and two are turned.
  void reduce() {
    using Status = AttackStatus;
    attack("films.net.plain.reduce.attack",
           {attacked(0, Status::kSucceeded,
                     {reader("del.low", "pos", true), reader("ins.low", "neg", false)}),
            attacked(1, Status::kSucceeded,
                     {reader("del.low", "neg", false), reader("ins.low", "pos", false)}),
            attacked(2, Status::kFailed,
                     {reader("del.low", "pos", true), reader("ins.low", "pos", true)}),
            attacked(3, Status::kSkipped)});
  }
};

TEST_F(AttackTables, AttackAccuracyCountsThoseThatStand) {
  reduce();
  const MadeTable made = table("attack-accuracy");
  EXPECT_THAT(made.columns, ElementsAre("Reduction", "Swap"));
  EXPECT_THAT(row(made, {"Films", "Net", "attack accuracy"}), ElementsAre("33.3", "-"));
  EXPECT_EQ(made.rows[0].cells[0].share.count, 1u);
  EXPECT_EQ(made.rows[0].cells[0].share.all, 3u);
  EXPECT_THAT(row(made, {"Films", "Net", "published"}), ElementsAre("30.6", "40.2"));
  EXPECT_THAT(notes(made), HasSubstr("shown as a dash: films.net.plain.swap.attack\n"));
}

TEST_F(AttackTables, ReadersAnswerForWhatTurnedTheModel) {
  reduce();
  const MadeTable made = table("certified-attacks");
  EXPECT_THAT(row(made, {"Films", "Net", "deletion, low", "right"}), ElementsAre("50.0", ""));
  EXPECT_THAT(row(made, {"Films", "Net", "deletion, low", "covered"}), ElementsAre("50.0", ""));
  EXPECT_THAT(row(made, {"Films", "Net", "insertion, low", "right"}), ElementsAre("50.0", "-"));
  EXPECT_THAT(row(made, {"Films", "Net", "insertion, low", "covered"}), ElementsAre("0.0", "-"));
  EXPECT_THAT(row(made, {"Films", "Net", "SAFER", "right"}), ElementsAre("", "-"));
  EXPECT_THAT(row(made, {"Films", "Net", "Text-CRS, by operation", "published"}),
              ElementsAre("77.0", "86.0"));
  EXPECT_THAT(row(made, {"Films", "Net", "SAFER", "published"}), ElementsAre("68.8", ""));
  EXPECT_THAT(notes(made),
              HasSubstr("of 6 answers for edited texts 3 were covered by a certificate "
                        "of a clean text answered right; none that was covered was"));
}

TEST_F(AttackTables, UniversalityIsThatOfTheMethodsAskedFor) {
  reduce();
  const MadeTable made = table("universality");
  EXPECT_THAT(row(made, {"Films", "Net", "insertion, low", "right"}), ElementsAre("50.0", "-"));
  EXPECT_THAT(row(made, {"Films", "Net", "deletion, low", "right"}), ElementsAre("nothing"));
  EXPECT_THAT(row(made, {"Films", "Net", "insertion", "published"}), ElementsAre("68.8", "87.2"));
}

TEST_F(AttackTables, AnAttackWithoutSuccessIsADash) {
  attack("films.net.plain.swap.attack",
         {attacked(0, AttackStatus::kFailed, {reader("ins.low", "pos", true)})});
  const MadeTable made = table("certified-attacks");
  EXPECT_THAT(row(made, {"Films", "Net", "insertion, low", "right"}), ElementsAre("-", "-"));
  EXPECT_THAT(row(table("attack-accuracy"), {"Films", "Net", "attack accuracy"}),
              ElementsAre("-", "100.0"));
}

TEST_F(AttackTables, ABrokenPromiseIsNotOverlooked) {
  attack("films.net.plain.swap.attack",
         {attacked(0, AttackStatus::kSucceeded, {reader("ins.low", "neg", true)})});
  EXPECT_THAT(notes(table("certified-attacks")),
              HasSubstr("1 THAT WERE COVERED WERE OTHER ANSWERS: a certificate did not hold"));
}

TEST_F(AttackTables, TheJudgesVerdicts) {
  reduce();
  write_file_atomically(done("films.net.plain.reduce.judge") / "judge.json",
                        R"({"judge": "a judge", "successes": 8, "same": 6, "different": 1,
                            "unclear": 1, "deception_rate": 0.75, "similarity": 0.91234})");
  const MadeTable made = table("judge");
  EXPECT_THAT(made.columns, ElementsAre("Reduction"));
  EXPECT_THAT(row(made, {"Films", "Net", "deception rate"}), ElementsAre("75.0"));
  EXPECT_THAT(row(made, {"Films", "Net", "similarity"}), ElementsAre("0.912"));
  EXPECT_THAT(row(made, {"Films", "Net", "similarity, deceiving"}), ElementsAre("-"));
  EXPECT_THAT(row(made, {"Films", "Net", "published"}), ElementsAre("73.0"));
  EXPECT_THAT(notes(made), HasSubstr("the judge (a judge)"));
}

}  // namespace
}  // namespace textcrs
