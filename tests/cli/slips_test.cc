// Misspelled names, calls for help, output that goes nowhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_suggested(const std::vector<std::pair<Arguments, std::string>>& cases) {
  std::vector<Arguments> commands;
  for (const auto& [arguments, name] : cases) commands.push_back(arguments);
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << cases[i].second;
    EXPECT_EQ(results[i].out, "");
    EXPECT_THAT(results[i].err, HasSubstr("did you mean '" + cases[i].second + "'?"));
  }
}

TEST(Slips, AnUnknownCommandOrFlagBringsTheNearest) {
  const Arguments radius = {"radius", "--noise", "universal:p=0.9", "--words", "9"};
  expect_suggested({{{"trian"}, "train"},
                    {{"trian", "--data", "imdb", "--out", "x"}, "train"},
                    {{"data", "fetsh", "imdb"}, "fetch"},
                    {{"help", "predcit"}, "predict"},
                    {{"sample", "--noize", "none", "--text", "good film"}, "--noise"},
                    {{"sample", "--noize=none", "--text", "good film"}, "--noise"},
                    {radius + Arguments{"--pa", "0.9", "--jsno"}, "--json"},
                    {radius + Arguments{"--pa", "0.9", "-json"}, "--json"},
                    {{"list", "noises", "--confg", "x"}, "--config"}});
}

TEST(Slips, AnUnknownNoiseOrArchitectureBringsTheNearest) {
  expect_suggested(
      {{{"sample", "--noise", "unversal:p=0.5", "--text", "good film"}, "universal"},
       {{"radius", "--noise", "unversal:p=0.5", "--pa", "0.9", "--words", "9"}, "universal"},
       {{"predict", "--model", workspace().model(), "--noise", "unversal:p=0.5", "a"}, "universal"},
       {workspace().training(workspace().path("slip")) + Arguments{"--architecture", "bilsmt"},
        "bilstm"}});
}

TEST(Slips, AnUnknownKeyOfAConfigurationFileBringsTheNearest) {
  const Arguments sample = {"sample", "--noise", "none", "--text", "good film", "--config"};
  expect_suggested(
      {{sample + Arguments{workspace().write("key.toml", "[sample]\ncuont = 4\n")}, "count"},
       {sample + Arguments{workspace().write("section.toml", "[smaple]\ncount = 4\n")}, "sample"}});
}

TEST(Slips, WhatIsMissingOrSuperfluousIsStillSaid) {
  const auto results = run_all({{"confess"},
                                {"sample", "--noise", "none"},
                                {"sample", "--noise", "none", "--text", "good film", "surplus"},
                                {}});
  EXPECT_THAT(results[0].err, HasSubstr("'confess'"));
  EXPECT_THAT(results[1].err, HasSubstr("--text is required"));
  EXPECT_THAT(results[2].err, HasSubstr("'surplus'"));
  EXPECT_THAT(results[3].err, HasSubstr("subcommand is required"));
  for (const Result& result : results) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, Not(HasSubstr("did you mean")));
    EXPECT_THAT(result.err, HasSubstr("--help"));
  }
}

TEST(Slips, HelpIsAlsoACommandAndVersionAlsoAShortFlag) {
  const auto results = run_all({{"--help"},
                                {"help"},
                                {"train", "--help"},
                                {"help", "train"},
                                {"data", "fetch", "--help"},
                                {"help", "data", "fetch"},
                                {"--version"},
                                {"-v"}});
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].exit_code, 0) << i;
  for (size_t i = 0; i < results.size(); i += 2) {
    EXPECT_NE(results[i].out, "") << i;
    EXPECT_EQ(results[i + 1].out, results[i].out) << i;
  }
  EXPECT_THAT(results[7].out, StartsWith("textcrs "));
}

TEST(Slips, BoundsThatCertifyNothingAreExplained) {
  const Arguments noise = {"--noise", "universal:p=0.9", "--pa", "0.3"};
  const auto results =
      run_all({Arguments{"radius", "--words", "9"} + noise,
               Arguments{"radius", "--json", "--words", "9"} + noise,
               Arguments{"covers", "--original", "a good film", "--edited", "a film"} + noise,
               Arguments{"radius", "--words", "9", "--pb", "0.2"} + noise});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[i].exit_code, 2);
    EXPECT_EQ(results[i].out, "");
    EXPECT_THAT(results[i].err, HasSubstr("--pa is 0.3, below 1/2"));
    EXPECT_THAT(results[i].err, HasSubstr("pB = 1 - pA = 0.7"));
    EXPECT_THAT(results[i].err, HasSubstr("nothing is certified"));
  }
  EXPECT_EQ(results[3].exit_code, 0) << results[3].err;
}

TEST(Slips, OutputThatCanNotBeWrittenIsAnError) {
  const std::vector<Arguments> commands = {
      {"radius", "--noise", "universal:p=0.9", "--pa", "0.99", "--words", "9"},
      {"--help"},
      {"--version"},
      {"list", "noises"},
      {"predict", "--model", workspace().model(), "--samples", "100", "good film"}};
  for (const Arguments& command : commands) {
    const Result result = Process(command, {}, "", "/dev/full").wait();
    EXPECT_EQ(result.exit_code, 1) << command[0];
    EXPECT_THAT(result.err, HasSubstr("standard output: cannot be written")) << command[0];
  }
}

}  // namespace
}  // namespace textcrs::cli_test
