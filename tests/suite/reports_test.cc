#include "textcrs/suite/reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "done_suite.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const SuiteReport& report) {
  std::vector<std::string> names;
  for (const ReportedRun& run : report.runs) names.push_back(run.name);
  return names;
}

TEST(Reports, AreOnePerDataSet) {
  DoneSuite done;
  const auto reports = plan_reports(done.suite(), done.manifest(), done.out());
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].data, "d");
  EXPECT_EQ(reports[0].title, "Films: Shown");
  EXPECT_THAT(names_of(reports[0]),
              ElementsAre("First, deletion, low", "First, deletion, high", "First, other",
                          "First, other, more", "Second, deletion, low", "Second, deletion, high"));
  EXPECT_THAT(names_of(reports[1]), ElementsAre("First, deletion, low", "First, deletion, high",
                                                "Second, deletion, low", "Second, deletion, high"));
  // Each with the model that made it.
  const ReportedRun& run = reports[0].runs[3];
  EXPECT_EQ(run.folder, done.out() / "runs/d.m.other.certify.more");
  ASSERT_EQ(run.models.size(), 0u);  // its training is not done
  for (SuiteStep& step : done.manifest().steps)
    if (step.kind == "train") step.state = StepState::kDone;
  const auto trained = plan_reports(done.suite(), done.manifest(), done.out());
  ASSERT_EQ(trained[0].runs[3].models.size(), 1u);
  EXPECT_EQ(trained[0].runs[3].models[0].model, done.out() / "models/d.m.other");
}

TEST(Reports, LeaveOutWhatIsNotThere) {
  DoneSuite done;
  fs::remove(done.out() / "runs/d.m.other.certify/summary.json");
  const auto reports = plan_reports(done.suite(), done.manifest(), done.out());
  EXPECT_THAT(names_of(reports[0]), testing::Not(testing::Contains("First, other")));
  done.manifest().steps.clear();
  EXPECT_TRUE(plan_reports(done.suite(), done.manifest(), done.out()).empty());
}

TEST(Reports, TheSameResultsAreShownOnce) {
  DoneSuite done;
  for (SuiteStep& step : done.manifest().steps)
    if (step.name == "d.m.other.certify.more") step.folder = "runs/d.m.other.certify";
  const auto reports = plan_reports(done.suite(), done.manifest(), done.out());
  EXPECT_THAT(names_of(reports[0]), testing::Not(testing::Contains("First, other, more")));
  EXPECT_THAT(names_of(reports[0]), testing::Contains("First, other"));
}

TEST(Reports, ArePagesBesideTheManifest) {
  DoneSuite done;
  std::vector<std::string> told;
  const auto files =
      write_reports(plan_reports(done.suite(), done.manifest(), done.out()), done.out(),
                    [&](const std::string& name) { told.push_back(name); });
  EXPECT_THAT(files, ElementsAre(done.out() / "report-d.html", done.out() / "report-e.html"));
  EXPECT_THAT(told, ElementsAre("report-d.html", "report-e.html"));
  EXPECT_THAT(read_file(files[0]), HasSubstr("Films: Shown"));
}

}  // namespace
}  // namespace textcrs
