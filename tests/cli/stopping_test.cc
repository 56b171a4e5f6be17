// textcrs certify with early stops and joint bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr int kTexts = 20, kSamples = 6000;

Arguments stopping_run(const std::string& out, const Arguments& extra) {
  return certify_run(out, kTexts, kSamples) + extra;
}

TEST(Stopping, SavesSamplesAndSaysSo) {
  const auto results = run_all(
      {stopping_run("stop-fixed", {}),
       stopping_run("stop-radius", {"--stop-at-radius", "1", "--stop-operation", "deletion"}),
       stopping_run("stop-auto", {"--stop", "auto"})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto fixed = records("stop-fixed"), radius = records("stop-radius"),
             automatic = records("stop-auto");
  ASSERT_EQ(radius.size(), static_cast<size_t>(kTexts));
  ASSERT_EQ(automatic.size(), static_cast<size_t>(kTexts));
  uint64_t samples = 0;
  for (size_t i = 0; i < fixed.size(); ++i) {
    const json& record = radius[i];
    EXPECT_EQ(record["prediction"], fixed[i]["prediction"]);
    const uint64_t drawn = record["samples"];
    EXPECT_EQ(record["counts"][0].get<uint64_t>() + record["counts"][1].get<uint64_t>(),
              drawn - 50);
    samples += drawn;
    EXPECT_EQ(record["stop"] == "all_drawn", drawn == kSamples + 50);
    if (record["stop"] == "reached") {
      EXPECT_GE(record["sound"]["deletion"], 1);
    }
    EXPECT_FALSE(fixed[i].contains("stop"));
    EXPECT_LE(automatic[i]["samples"], fixed[i]["samples"]);
  }
  EXPECT_LT(samples, kTexts * kSamples / 2);
  const json summary = json_of(read(workspace().path("stop-radius") + "/summary.json"));
  EXPECT_EQ(summary["samples"], samples);
  EXPECT_EQ(summary["samples_saved"], uint64_t{kTexts} * (kSamples + 50) - samples);
  EXPECT_GT(summary["stops"]["reached"], 0);
  EXPECT_THAT(results[1].out, HasSubstr("samples: " + std::to_string(samples) + " used ("));
  EXPECT_THAT(results[1].out, testing::ContainsRegex("reached +[0-9]+  the radius is certified"));
  EXPECT_THAT(results[0].out, Not(HasSubstr("saved")));
}

TEST(Stopping, ResultsDoNotDependOnThreadsBatchesAndInterruptions) {
  const Arguments rule = {"--stop-at-radius", "2", "--stop-operation", "deletion"};
  const auto results =
      run_all({stopping_run("stop-a", rule + Arguments{"--threads", "1"}),
               stopping_run("stop-b", rule + Arguments{"--threads", "2", "--batch-size", "512"})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto expected = records("stop-a");
  ASSERT_EQ(expected.size(), static_cast<size_t>(kTexts));
  EXPECT_EQ(records("stop-b"), expected);

  const auto lines = lines_of(read(results_path("stop-b")));
  std::ofstream(results_path("stop-b")) << lines[0] << '\n' << lines[1] << '\n' << "{\"id\":";
  const Result again = run(stopping_run("stop-b", rule));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("going on: 2 of 20"));
  EXPECT_EQ(records("stop-b"), expected);
}

TEST(Stopping, OtherFlagsAreAnotherRun) {
  const Result first = run(stopping_run("stop-other", {"--stop-at-radius", "1"}));
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const json run_json = json_of(read(workspace().path("stop-other") + "/run.json"));
  EXPECT_EQ(run_json["bounds"], "complement");
  EXPECT_EQ(run_json["stop"], "never");
  EXPECT_EQ(run_json["stop_at_radius"], 1);
  EXPECT_EQ(run_json["stop_operation"], "");
  const Result same =
      run(stopping_run("stop-other", {"--stop-at-radius", "1", "--bounds", "auto"}));
  EXPECT_EQ(same.exit_code, 0) << same.err;
  const std::vector<std::pair<Arguments, std::string>> others = {
      {{}, "--stop-at-radius"},
      {{"--stop-at-radius", "2"}, "--stop-at-radius"},
      {{"--stop", "auto"}, "--stop"},
      {{"--stop-at-radius", "1", "--stop-operation", "deletion"}, "--stop-operation"},
      {{"--stop-at-radius", "1", "--bounds", "joint"}, "--bounds"}};
  std::vector<Arguments> commands;
  for (const auto& [extra, flag] : others) commands.push_back(stopping_run("stop-other", extra));
  const auto results = run_all(commands);
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << i;
    EXPECT_THAT(results[i].err, HasSubstr(others[i].second + " was ")) << i;
  }
}

TEST(Stopping, TheSavedFlagsGiveTheSameRun) {
  const Arguments rule = {"--stop", "auto", "--stop-operation", "deletion", "--bounds", "joint"};
  ASSERT_EQ(run(stopping_run("stop-saved", rule)).exit_code, 0);
  const std::string config = workspace().path("stop-saved") + "/certify.toml";
  const Result again =
      run({"--config", config, "certify", "--out", workspace().path("stop-again")});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(records("stop-again"), records("stop-saved"));
  const Result plain = run(stopping_run("stop-plain", {}));
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const Result plain_again = run({"--config", workspace().path("stop-plain") + "/certify.toml",
                                  "certify", "--out", workspace().path("stop-plain-again")});
  ASSERT_EQ(plain_again.exit_code, 0) << plain_again.err;
  EXPECT_EQ(records("stop-plain-again"), records("stop-plain"));
}

TEST(Stopping, FlagsThatMakeNoSenseAreRefusedBeforeAnythingIsWritten) {
  const std::vector<Arguments> wrong = {
      {"--stop", "later"},
      {"--bounds", "both"},
      {"--stop-at-radius", "-1"},
      {"--stop-at-radius", "nan"},
      {"--stop-at-radius", "one"},
      {"--stop-at-radius", "1", "--stop", "auto"},
      {"--stop-operation", "edit"},
      {"--stop", "auto", "--stop-operation", "translation"},
      {"--stop", "auto", "--noise", "mask:p=0.5", "--stop-operation", "deletion"}};
  std::vector<Arguments> commands;
  for (const Arguments& flags : wrong) commands.push_back(stopping_run("stop-wrong", flags));
  const auto results = run_all(commands);
  for (size_t i = 0; i < wrong.size(); ++i) EXPECT_EQ(results[i].exit_code, 2) << i;
  EXPECT_THAT(results[2].err, HasSubstr("stop radius is -1, expected at least 0"));
  EXPECT_THAT(results.back().err, HasSubstr("mask:p=0.5"));
  EXPECT_FALSE(std::filesystem::exists(workspace().path("stop-wrong")));
}

}  // namespace
}  // namespace textcrs::cli_test
