// textcrs train --noise-mean and --reconstruct: from the flags to a certificate, and what is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;

// Of the workspace's training, under another noise.
Arguments training(const std::string& out, const std::string& noise, const Arguments& extra) {
  Arguments arguments = workspace().training(out, 2);
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "--noise") arguments[i + 1] = noise;
  return arguments + extra;
}

TEST(SlotMap, IsTrainedRecordedAndCertified) {
  const std::string small = workspace().path("map-small"), large = workspace().path("map-large");
  const Result first =
      run(training(small, "insert:sigma=0.1", {"--noise-mean", "--reconstruct", "20"}));
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto config = json_of(read(small + "/config.json"));
  EXPECT_EQ(config["noise_mean"], true);
  EXPECT_EQ(config["reconstruction"], 20);
  const std::string saved = read(small + "/train.toml");
  for (const char* line : {"noise-mean=true", "reconstruct=20", "reconstruction-weight=1"})
    EXPECT_THAT(saved, HasSubstr(line));
  // The saved flags make the same model; one at a larger sigma goes on from it.
  const std::string again = workspace().path("map-again");
  const auto results = run_all(
      {{"train", "--config", small + "/train.toml", "--out", again},
       training(large, "insert:sigma=0.3",
                {"--noise-mean", "--reconstruct", "20", "--reconstruction-weight", "0.5",
                 "--start-from", small}),
       training(workspace().path("map-none"), "insert:sigma=0.3", {"--start-from", small})});
  ASSERT_EQ(results[0].exit_code, 0) << results[0].err;
  EXPECT_EQ(read(again + "/model.safetensors"), read(small + "/model.safetensors"));
  ASSERT_EQ(results[1].exit_code, 0) << results[1].err;
  EXPECT_EQ(results[2].exit_code, 2);
  EXPECT_THAT(results[2].err, HasSubstr("another shape"));

  const auto answers = run_all(
      {{"certify", "--model", large, "--data", workspace().texts(), "--limit", "5", "--samples",
        "200", "--out", workspace().path("map-certified")},
       {"certify", "--model", large, "--data", workspace().texts(), "--noise", "delete:p=0.3",
        "--out", workspace().path("map-refused")},
       {"evaluate", "--model", large, "--data", workspace().texts(), "--noise", "delete:p=0.3"},
       {"evaluate", "--model", large, "--data", workspace().texts(), "--noise", "none"}});
  EXPECT_EQ(answers[0].exit_code, 0) << answers[0].err;
  EXPECT_EQ(answers[1].exit_code, 2);
  EXPECT_EQ(answers[2].exit_code, 2);
  EXPECT_THAT(answers[2].err, HasSubstr("a Gaussian on every slot"));
  EXPECT_EQ(answers[3].exit_code, 0) << answers[3].err;
}

TEST(SlotMap, IsRefusedWhereItDoesNotBelong) {
  const std::string out = workspace().path("map-nothing"), insert = "insert:sigma=0.1";
  const auto without_noise = [&](const Arguments& extra) {
    return Arguments{"train", "--data", workspace().texts(), "--out", out} + extra;
  };
  const auto results = run_all(
      {training(out, "delete:p=0.3", {"--noise-mean"}),
       training(out, "universal:p=0.3", {"--reconstruct", "8"}), without_noise({"--noise-mean"}),
       training(out, insert, {"--reconstruction-weight", "2"}),
       training(out, insert, {"--reconstruct", "-1"}),
       training(out, insert, {"--reconstruct", "8", "--reconstruction-weight", "-1"}),
       without_noise({"--noise", insert, "--architecture", "bert", "--reconstruct", "8"}),
       without_noise({"--architecture", "votes", "--noise-mean"}),
       without_noise({"--architecture", "linear", "--noise", insert, "--reconstruct", "8"})});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(results[0].err, HasSubstr("delete:p=0.3, expected --noise insert:sigma=S"));
  EXPECT_THAT(results[1].err, HasSubstr("--reconstruct is for a Gaussian on word vectors"));
  EXPECT_THAT(results[2].err, HasSubstr("--noise-mean is for a Gaussian on word vectors"));
  EXPECT_THAT(results[3].err, HasSubstr("--reconstruction-weight is for --reconstruct"));
  EXPECT_THAT(results[6].err, HasSubstr("a bert has --noise-mean"));
  EXPECT_THAT(results[7].err, HasSubstr("votes"));
  EXPECT_THAT(results[8].err, HasSubstr("linear"));
}

}  // namespace
}  // namespace textcrs::cli_test
