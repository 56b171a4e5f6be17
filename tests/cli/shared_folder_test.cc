// Folders that are written by somebody else, or by nobody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <set>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;

TEST(SharedFolder, ASecondCertifyIsToldWhoIsThere) {
  constexpr int kTexts = 30, kSamples = 10000;
  const Arguments command = certify_run("both", kTexts, kSamples);
  Process first(command);
  ASSERT_TRUE(runs_until(first, [] { return !records("both").empty(); })) << first.wait().err;
  first.signal(SIGSTOP);
  for (const Result& second : run_all({command, command + Arguments{"--overwrite"}})) {
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_EQ(second.out, "");
    EXPECT_THAT(second.err, HasSubstr(workspace().path("both")));
    EXPECT_THAT(second.err, HasSubstr("process " + std::to_string(first.id()) + " "));
  }
  first.signal(SIGCONT);
  const Result result = first.wait();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::set<int> ids;
  for (const auto& record : records("both")) ids.insert(record.value("id", -1));
  EXPECT_EQ(ids.size(), size_t{kTexts});
  EXPECT_EQ(records("both").size(), size_t{kTexts});
  EXPECT_FALSE(std::filesystem::exists(workspace().path("both") + "/lock"));
}

// /proc takes no files, not even root's.
TEST(SharedFolder, TrainingThatCouldNotBeSavedDoesNotBegin) {
  const std::string missing = workspace().path("not-read.csv");
  const auto results = run_all({workspace().training("/proc/model"),
                                {"train", "--data", missing, "--out", "/proc/deep/model"},
                                {"pretrain", "--data", missing, "--out", "/proc/model"},
                                {"train", "--data", missing, "--out", workspace().texts() + "/m"}});
  for (const Result& result : results) {
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_THAT(results[i].err, HasSubstr("/proc: "));
  EXPECT_THAT(results[3].err, HasSubstr(workspace().texts() + ": "));
}

}  // namespace
}  // namespace textcrs::cli_test
