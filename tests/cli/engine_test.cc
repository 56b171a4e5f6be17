// Which engine runs the copies, and that a run says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Engines, AgreeAndAreNamedInTheRun) {
  const Arguments cpu = {"--engine", "cpu"}, portable = {"--isa", "portable"};
  const Arguments fp32 = {"--precision", "fp32"}, reference = {"--engine", "reference"};
  const auto results = run_all({certify_run("auto", 30, 500), certify_run("cpu", 30, 500) + cpu,
                                certify_run("portable", 30, 500) + portable + fp32,
                                certify_run("reference", 30, 500) + reference});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto engine_of = [](const std::string& out) {
    return json_of(read(workspace().path(out) + "/run.json"))["engine"].get<std::string>();
  };
  EXPECT_THAT(engine_of("auto"), StartsWith("cpu bf16 "));
  EXPECT_EQ(engine_of("cpu"), engine_of("auto"));
  EXPECT_EQ(engine_of("portable"), "cpu fp32 portable");
  EXPECT_EQ(engine_of("reference"), "reference");
  EXPECT_EQ(records("cpu"), records("auto"));
  const auto exact = records("portable"), rounded = records("auto"),
             expected = records("reference");
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(exact[i]["counts"][0].get<double>(), expected[i]["counts"][0].get<double>(), 2);
    EXPECT_NEAR(rounded[i]["counts"][0].get<double>(), expected[i]["counts"][0].get<double>(), 15);
  }
}

TEST(Engines, AModelKeepsItsPrecision) {
  const Result trained = run(workspace().training(workspace().path("fp32-model"), 1) +
                             Arguments{"--precision", "fp32"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  Arguments command = certify_run("kept", 5, 100);
  for (std::string& argument : command)
    if (argument == workspace().model()) argument = workspace().path("fp32-model");
  const Result result = run(command);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read(workspace().path("kept") + "/run.json"), HasSubstr("cpu fp32 "));
}

TEST(Engines, WhatCanNotRunIsRefusedBeforeAnythingIsWritten) {
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{"--isa", "abacus"}, "abacus"},
      {{"--engine", "steam"}, "steam"},
      {{"--precision", "int1"}, "int1"},
      {{"--precision", "fp32", "--isa", "amx"}, "amx"},
      {{"--engine", "reference", "--precision", "fp32"}, "--precision"},
      {{"--engine", "reference", "--isa", "portable"}, "--isa"},
      {{"--engine", "cuda"}, "--device cuda"},
  };
  std::vector<Arguments> commands;
  for (const auto& [flags, what] : cases)
    commands.push_back(certify_run("never-run", 5, 100) + flags);
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2);
    EXPECT_THAT(results[i].err, HasSubstr(cases[i].second));
  }
  EXPECT_FALSE(std::filesystem::exists(workspace().path("never-run")));
}

}  // namespace
}  // namespace textcrs::cli_test
