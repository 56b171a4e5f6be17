#include "textcrs/suite/estimate.h"

#include <gtest/gtest.h>

#include "suite_parts.h"

namespace textcrs {
namespace {

constexpr const char* kSuite = R"(
[[data]]
name = "d"
[[data]]
name = "e"
[[model]]
name = "m"
[[method]]
name = "a"
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
certify = { samples = 1000, limit = 10 }
[[method]]
name = "u"
noise = "universal:p=0.3"
certify = { samples = 1000, limit = 10 }
[[variant]]
name = "ten"
certify = { samples = 10000 }
)";

class EstimateTest : public testing::Test {
 protected:
  EstimateTest() : plan_(settled(suite_of(kSuite), "out")) {}

  PlannedStep& step(const std::string& name) { return step_of(plan_, name); }
  StepCost cost(const std::string& name) { return estimate(step(name), plan_, "here"); }

  void done(const std::string& name, double seconds, const std::string& machine = "here") {
    step(name).step.state = StepState::kDone;
    step(name).step.seconds = seconds;
    step(name).step.machine = machine;
  }

  std::vector<PlannedStep> plan_;
};

TEST_F(EstimateTest, WhatIsDoneCostsNothing) {
  done("d.m.a.low.certify", 12);
  EXPECT_EQ(cost("d.m.a.low.certify").seconds, 0);
  EXPECT_EQ(cost("d.m.a.low.certify").bytes, 0u);
  step("d.m.a.low.evaluate").twin = "d.m.a.low.certify";
  EXPECT_EQ(cost("d.m.a.low.evaluate").seconds, 0);
}

TEST_F(EstimateTest, WithoutARecordItGrowsWithTheWork) {
  const StepCost once = cost("d.m.a.low.certify"), more = cost("d.m.a.low.certify.ten");
  EXPECT_FALSE(once.recorded);
  EXPECT_GT(once.seconds, 0);
  EXPECT_GT(more.seconds, once.seconds);
  EXPECT_LT(cost("d.m.a.high.certify.ten").seconds, more.seconds);  // fewer words survive
  EXPECT_GT(cost("d.m.a.low.train").bytes, 1'000'000u);
  EXPECT_EQ(once.bytes, more.bytes);
}

// By the units of the network and the words that it reads.
TEST_F(EstimateTest, ASmallNetworkCostsLess) {
  std::vector<PlannedStep> small = settled(
      suite_of(std::string(kSuite) + "[defaults]\ntrain = { hidden = 30, slots = 43 }\n"), "out");
  for (const char* name : {"d.m.a.low.train", "d.m.a.low.certify.ten"}) {
    const double less = estimate(step_of(small, name), small, "here").seconds - 2;
    // (100 + 30) 30 of (100 + 150) 150, and 43 of 215 words
    EXPECT_NEAR(less, (cost(name).seconds - 2) * 0.104 * 0.2, 1e-6 * less) << name;
  }
}

// Of a file by what it has: 400 texts of about 10 words.
TEST_F(EstimateTest, FilesAreLookedAt) {
  const TemporaryFolder folder;
  std::string texts = "text,label\n";
  for (int i = 0; i < 400; ++i) texts += "four words of five letters, no more in this line,pos\n";
  const std::string file = write_text(folder.path() / "d.csv", texts).string();
  PlanOptions options;
  options.texts["d"] = {file, file};
  std::vector<PlannedStep> plan = settled(suite_of(kSuite), "out", options);
  const auto seconds = [&](std::vector<PlannedStep>& of) {
    return estimate(step_of(of, "d.m.a.low.train"), of, "here").seconds - 2;
  };
  EXPECT_GT(seconds(plan), 0);
  EXPECT_LT(seconds(plan), seconds(plan_) / 500);
  EXPECT_LT(estimate(step_of(plan, "d.m.a.low.certify"), plan, "here").bytes, 30'000u);
}

// 12 s for 10 texts with 1,000 samples, 2 of them to start.
TEST_F(EstimateTest, ARecordIsScaledByTheWork) {
  done("d.m.a.low.certify", 12);
  EXPECT_DOUBLE_EQ(cost("d.m.a.low.certify.ten").seconds, 2 + 10 * 10);
  EXPECT_TRUE(cost("d.m.a.low.certify.ten").recorded);
  EXPECT_DOUBLE_EQ(cost("e.m.a.low.certify").seconds, 12);
  EXPECT_FALSE(cost("d.m.a.low.train").recorded);  // another verb
  EXPECT_FALSE(cost("d.m.u.certify").recorded);    // another noise
  done("e.m.a.low.certify", 22);                   // nearer: of the same data
  EXPECT_DOUBLE_EQ(cost("e.m.a.low.certify.ten").seconds, 2 + 10 * 20);
  EXPECT_DOUBLE_EQ(cost("d.m.a.low.certify.ten").seconds, 2 + 10 * 10);
}

TEST_F(EstimateTest, OtherMachinesSayNothing) {
  done("d.m.a.low.certify", 12, "elsewhere");
  EXPECT_FALSE(cost("d.m.a.low.certify.ten").recorded);
  done("d.m.a.low.certify", 0);
  EXPECT_FALSE(cost("d.m.a.low.certify.ten").recorded);
}

}  // namespace
}  // namespace textcrs
