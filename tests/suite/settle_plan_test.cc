#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite_parts.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The suite of kLeast, whose steps are made to look as if they had been run.
class SettlePlanTest : public testing::Test {
 protected:
  fs::path out() const { return work_.path() / "out"; }
  fs::path at(const std::string& name) const { return out() / name; }

  // Settles the plan, with these settings of [[method]]; keeps suite.json.
  std::vector<PlannedStep>& settle(const std::string& more = "", SettleOptions options = {}) {
    const Suite suite = suite_of(kLeast + more);
    plan_ = plan_suite(suite, {});
    options.out = out();
    manifest_ = settle_plan(suite, plan_, options);
    return plan_;
  }

  // What a run leaves behind.
  void run_all() {
    static const std::map<std::string, std::vector<std::string>> files = {
        {"train", {"train.toml", "training.json"}},
        {"evaluate", {"evaluation.json"}},
        {"certify", {"run.json", "summary.json"}}};
    for (PlannedStep& planned : plan_) {
      SuiteStep& step = planned.step;
      if (step.state != StepState::kDone)
        for (const std::string& file : files.at(step.kind))
          write_text(folder_of(step, out()) / file, step.identity);
      step.state = StepState::kDone;
      step.seconds = 3;
      step.machine = "here";
      step.version = version();
    }
    keep();
  }

  void keep() {
    manifest_.steps.clear();
    for (const PlannedStep& planned : plan_) manifest_.steps.push_back(planned.step);
    fs::create_directories(out());
    write_manifest(out(), manifest_);
  }

  SuiteStep& step(const std::string& verb) { return step_of(plan_, "d.m.a.low." + verb).step; }
  PlannedStep& planned(const std::string& verb) { return step_of(plan_, "d.m.a.low." + verb); }

  TemporaryFolder work_;
  std::vector<PlannedStep> plan_;
  SuiteManifest manifest_;
};

TEST_F(SettlePlanTest, NothingIsDoneInAFreshFolderAndNothingIsMade) {
  settle();
  for (const PlannedStep& one : plan_) EXPECT_EQ(one.step.state, StepState::kPlanned);
  EXPECT_EQ(step("train").folder, "models/d.m.a.low");
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify");
  EXPECT_EQ(step("train").command.back(), at("models/d.m.a.low"));
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(manifest_.suite, "tiny");
  EXPECT_EQ(manifest_.version, version());
  EXPECT_EQ(manifest_.machine, machine_in_words());
  EXPECT_THAT(manifest_.past, IsEmpty());
}

TEST_F(SettlePlanTest, WhatIsDoneStaysDone) {
  settle();
  run_all();
  settle();
  for (const PlannedStep& one : plan_) {
    EXPECT_EQ(one.step.state, StepState::kDone) << one.step.name;
    EXPECT_EQ(one.step.seconds, 3);
    EXPECT_EQ(one.step.machine, "here");
    EXPECT_TRUE(is_complete(one.step, out()));
  }
}

TEST_F(SettlePlanTest, ResultsThatAreGoneAreMadeAgain) {
  settle();
  run_all();
  fs::remove(at("runs/d.m.a.low.certify/summary.json"));
  fs::remove_all(at("models/d.m.a.low"));
  settle();
  EXPECT_EQ(step("train").state, StepState::kPlanned);
  EXPECT_EQ(step("certify").state, StepState::kPlanned);
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify");
  EXPECT_EQ(step("evaluate").state, StepState::kDone);
}

TEST_F(SettlePlanTest, WhatWasBegunGoesOnInItsFolder) {
  settle();
  run_all();
  step("train").state = StepState::kStarted;
  step("certify").state = StepState::kFailed;
  keep();
  fs::rename(at("models/d.m.a.low"), at("models/d.m.a.low.partial"));
  settle();
  EXPECT_EQ(step("train").state, StepState::kStarted);
  EXPECT_EQ(step("train").folder, "models/d.m.a.low");
  EXPECT_EQ(step("train").seconds, 3);
  EXPECT_EQ(step("certify").state, StepState::kFailed);
  EXPECT_FALSE(planned("train").replaces);
  // A second start that was killed before it came to the step.
  step("train").state = StepState::kPlanned;
  keep();
  settle();
  EXPECT_EQ(step("train").folder, "models/d.m.a.low");
  EXPECT_EQ(step("train").seconds, 3);
}

TEST_F(SettlePlanTest, ResultsOfAnotherCommandAreLeftAlone) {
  settle();
  run_all();
  settle("certify = { samples = 5 }\n");
  EXPECT_EQ(step("train").state, StepState::kDone);
  EXPECT_EQ(step("certify").state, StepState::kPlanned);
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify-2");
  EXPECT_EQ(planned("certify").instead_of, "runs/d.m.a.low.certify");
  EXPECT_EQ(step("certify").command.back(), at("runs/d.m.a.low.certify-2"));
  // The first ones are remembered, and are the step's again with its first command.
  ASSERT_EQ(manifest_.past.size(), 1u);
  EXPECT_EQ(manifest_.past[0].folder, "runs/d.m.a.low.certify");
  run_all();
  settle();
  EXPECT_EQ(step("certify").state, StepState::kDone);
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify");
  ASSERT_EQ(manifest_.past.size(), 1u);
  EXPECT_EQ(manifest_.past[0].folder, "runs/d.m.a.low.certify-2");
}

// Another model has other results.
TEST_F(SettlePlanTest, WhatNeedsAChangedStepHasChanged) {
  settle();
  run_all();
  settle("train = { epochs = 2 }\n");
  EXPECT_EQ(step("train").folder, "models/d.m.a.low-2");
  EXPECT_EQ(step("evaluate").folder, "runs/d.m.a.low.evaluate-2");
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify-2");
  EXPECT_THAT(in_shell_words(step("certify").command), HasSubstr("models/d.m.a.low-2 "));
}

TEST_F(SettlePlanTest, ResultsOfAnotherCommandAreReplacedOnRequest) {
  settle();
  run_all();
  settle("train = { epochs = 2 }\n", {.overwrite = true});
  for (const char* verb : {"train", "evaluate", "certify"}) {
    EXPECT_TRUE(planned(verb).replaces) << verb;
    EXPECT_EQ(step(verb).state, StepState::kPlanned);
  }
  EXPECT_EQ(step("train").folder, "models/d.m.a.low");
  EXPECT_THAT(manifest_.past, IsEmpty());
}

// Killed while the old results were there: they still have to go, without another --overwrite.
TEST_F(SettlePlanTest, AReplacementThatWasKilledGoesOn) {
  settle();
  run_all();
  settle("certify = { samples = 5 }\n", {.overwrite = true});
  step("certify").replaces = claim_of(step("certify"), out());
  EXPECT_NE(step("certify").replaces, "");
  step("certify").state = StepState::kStarted;
  step("certify").version = version();
  keep();
  settle("certify = { samples = 5 }\n");
  EXPECT_TRUE(planned("certify").replaces);
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify");
  // Killed later: what is there is its own.
  write_text(at("runs/d.m.a.low.certify/run.json"), "new");
  settle("certify = { samples = 5 }\n");
  EXPECT_FALSE(planned("certify").replaces);
}

TEST_F(SettlePlanTest, WhatAnotherVersionBeganMayBeReplaced) {
  settle();
  run_all();
  step("certify").state = StepState::kStarted;
  step("certify").version = "0.0.1";
  keep();
  settle();
  EXPECT_FALSE(planned("certify").replaces);
  settle("", {.overwrite = true});
  EXPECT_TRUE(planned("certify").replaces);
  EXPECT_FALSE(planned("train").replaces);
}

TEST_F(SettlePlanTest, AModelWithoutARecordIsTakenOnlyWhereItWasTrainedSo) {
  settle();
  run_all();
  fs::remove(at("suite.json"));
  std::vector<std::string> asked;
  SettleOptions options;
  options.was_trained_so = [&](const fs::path& folder, const std::string& verb,
                               const SuiteFlags& flags) {
    asked = {folder.filename().string(), verb};
    for (const SuiteFlag& flag : flags) asked.push_back(flag.name);
    return true;
  };
  settle("train = { epochs = 2, threads = 3 }\n", options);
  EXPECT_THAT(asked, ElementsAre("d.m.a.low", "train", "data", "noise", "epochs"));
  EXPECT_TRUE(planned("train").reused);
  EXPECT_EQ(step("train").state, StepState::kDone);
  EXPECT_EQ(step("evaluate").folder, "runs/d.m.a.low.evaluate-2");  // whose is it?
  EXPECT_EQ(step("certify").folder, "runs/d.m.a.low.certify");      // certify will say
  settle();
  EXPECT_FALSE(planned("train").reused);
  EXPECT_EQ(step("train").folder, "models/d.m.a.low-2");
}

TEST_F(SettlePlanTest, ModelsElsewhereAreUsedWhereTheyLie) {
  const fs::path models = work_.path() / "models";
  for (const char* name : {"b", "a"}) write_text(models / name / "training.json", "{}");
  SettleOptions options;
  options.models = models;
  options.was_trained_so = [](const fs::path& folder, const std::string&, const SuiteFlags&) {
    return folder.filename() == "b";
  };
  settle("", options);
  EXPECT_TRUE(planned("train").reused);
  EXPECT_EQ(step("train").folder, models / "b");
  EXPECT_THAT(in_shell_words(step("certify").command),
              HasSubstr("--model " + (models / "b").string()));
  // A later start that is not told of them goes on with the one that was used.
  run_all();
  settle();
  EXPECT_EQ(step("train").folder, models / "b");
  EXPECT_EQ(step("train").state, StepState::kDone);
  EXPECT_EQ(step("certify").state, StepState::kDone);
  fs::remove_all(models);
  settle();
  EXPECT_EQ(step("train").folder, "models/d.m.a.low");
  EXPECT_EQ(step("train").state, StepState::kPlanned);
}

// The same certification under two names is run once.
TEST_F(SettlePlanTest, TwinsShareAFolder) {
  const std::string variant =
      "[defaults]\nsamples = 5\n[[variant]]\nname = \"same\"\n"
      "certify = { samples = 5 }\n";
  settle(variant);
  EXPECT_EQ(planned("certify.same").twin, "d.m.a.low.certify");
  EXPECT_EQ(step("certify.same").folder, "runs/d.m.a.low.certify");
  run_all();
  settle(variant);
  EXPECT_EQ(step("certify.same").state, StepState::kDone);
  // A plan of a part forgets neither.
  const Suite suite = suite_of(kLeast + variant);
  std::vector<PlannedStep> part = plan_suite(suite, {.only = {"evaluate"}});
  const SuiteManifest manifest = settle_plan(suite, part, {.out = out()});
  std::vector<std::string> past;
  for (const SuiteStep& one : manifest.past) past.push_back(one.name);
  EXPECT_THAT(past, ElementsAre("d.m.a.low.certify", "d.m.a.low.certify.same"));
}

TEST_F(SettlePlanTest, PastStepsGoWithTheirFolders) {
  settle();
  run_all();
  const Suite suite = suite_of(kLeast);
  std::vector<PlannedStep> part = plan_suite(suite, {.only = {"evaluate"}});
  EXPECT_EQ(settle_plan(suite, part, {.out = out()}).past.size(), 1u);
  fs::remove_all(at("runs/d.m.a.low.certify"));
  EXPECT_THAT(settle_plan(suite, part, {.out = out()}).past, IsEmpty());
}

TEST_F(SettlePlanTest, AFolderIsOfOneSuite) {
  settle();
  run_all();
  const Suite other = suite_of(kLeast, "other.toml");
  std::vector<PlannedStep> plan = plan_suite(other, {});
  EXPECT_THAT(error_of([&] { settle_plan(other, plan, {.out = out()}); }),
              HasSubstr("out: holds the suite 'tiny'; choose another folder for 'other'"));
}

TEST_F(SettlePlanTest, ADamagedManifestIsNamed) {
  write_text(out() / "suite.json", "{");
  EXPECT_THAT(error_of([&] { settle(); }), HasSubstr("suite.json: "));
}

}  // namespace
}  // namespace textcrs
