// What is common to all verbs: help, usage errors, the environment, configuration files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;

TEST(Flags, EveryVerbHasHelpWithAnExample) {
  const std::vector<std::string> verbs = {"train",  "evaluate", "certify", "predict",
                                          "radius", "sample",   "data",    "list"};
  std::vector<Arguments> commands = {{"--help"}};
  for (const std::string& verb : verbs) commands.push_back({verb, "--help"});
  const auto results = run_all(commands);
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 0);
  for (size_t i = 0; i < verbs.size(); ++i) {
    EXPECT_THAT(results[0].out, HasSubstr("  " + verbs[i] + " "));
    EXPECT_THAT(results[i + 1].out, HasSubstr("Example"));
    EXPECT_THAT(results[i + 1].out, HasSubstr("\n  textcrs " + verbs[i] + " "));
    EXPECT_THAT(results[i + 1].out, HasSubstr("as every command: --color, --quiet"));
  }
}

TEST(Flags, HelpSaysWhatAValueIsInLinesOfAHundredColumns) {
  const Result result = run({"help", "train"}), program = run({"help"});
  for (const char* part : {"\n  --out FOLDER  ", "\n  --device cpu|cuda  ", "(required)",
                           "(0 to 0.99; default: 0.1)", "(above 0; default: "})
    EXPECT_THAT(result.out, HasSubstr(part));
  for (const std::string& line : lines_of(program.out + result.out))
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(Flags, UsageErrorsAreExitCodeTwo) {
  const Arguments sample = {"sample", "--noise", "none", "--text", "good film"};
  const std::vector<Arguments> commands = {{},
                                           {"confess"},
                                           {"sample", "--noise", "none"},
                                           {"data"},
                                           sample + Arguments{"--confetti"},
                                           sample + Arguments{"--count", "many"},
                                           sample + Arguments{"--count", "0"},
                                           {"train"},
                                           {"certify", "--model", "m"}};
  const auto results = run_all(commands);
  for (size_t i = 0; i < commands.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << i;
    EXPECT_EQ(results[i].out, "") << i;
    EXPECT_NE(results[i].err, "") << i;
  }
  EXPECT_THAT(results[2].err, HasSubstr("--text"));
  EXPECT_THAT(results[4].err, HasSubstr("--confetti"));
  EXPECT_THAT(results[5].err, HasSubstr("--count"));
}

size_t copies(const Arguments& extra, const Environment& environment) {
  const Result result =
      run(Arguments{"sample", "--noise", "none", "--text", "good film"} + extra, environment);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return lines_of(result.out).size();
}

TEST(Flags, TheCommandLineWinsOverTheFileAndTheFileOverTheEnvironment) {
  const std::string config = workspace().write("four.toml", "[sample]\ncount = 4\n");
  EXPECT_EQ(copies({}, {}), 5u);
  EXPECT_EQ(copies({}, {{"TEXTCRS_COUNT", "2"}}), 2u);
  EXPECT_EQ(copies({"--count", "3"}, {{"TEXTCRS_COUNT", "2"}}), 3u);
  EXPECT_EQ(copies({"--config", config}, {{"TEXTCRS_COUNT", "2"}}), 4u);
  EXPECT_EQ(copies({"--config", config, "--count", "3"}, {{"TEXTCRS_COUNT", "2"}}), 3u);
}

TEST(Flags, UnknownVariablesAreWarnedAbout) {
  const Arguments sample = {"sample", "--noise", "none", "--text", "good film"};
  const Result plain = run(sample);
  const Result misspelt = run(sample, {{"TEXTCRS_COUNTS", "2"}, {"TEXTCRSX", "2"}});
  EXPECT_EQ(misspelt.exit_code, 0);
  EXPECT_EQ(misspelt.out, plain.out);
  EXPECT_EQ(misspelt.err, plain.err +
                              "the environment variable TEXTCRS_COUNTS is none of textcrs and has "
                              "no effect; did you mean 'TEXTCRS_COUNT'?\n");
  EXPECT_EQ(run(sample + Arguments{"--quiet"}, {{"TEXTCRS_COUNTS", "2"}}).err, "");
  // Variables of other commands, and those without a flag.
  EXPECT_EQ(run(sample, {{"TEXTCRS_LEARNING_RATE", "0.1"}}).err, plain.err);
  // It may be what is missing.
  const Result missing = run({"predict", "good film"}, {{"TEXTCRS_MODLE", workspace().model()}});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("did you mean 'TEXTCRS_MODEL'?"));
  EXPECT_EQ(run({"--version"}, {{"TEXTCRS_COUNTS", "2"}}).err, "");
}

TEST(Flags, TheVersionAndHelpAreNoVariables) {
  const Arguments sample = {"sample", "--noise", "none", "--text", "good film"};
  const Result plain = run(sample);
  for (const char* name : {"TEXTCRS_VERSION", "TEXTCRS_HELP"})
    for (const char* value : {"1", "true", "0.2.0", "false"}) {
      const Result result = run(sample, {{name, value}});
      EXPECT_EQ(result.exit_code, 0) << name << "=" << value;
      EXPECT_EQ(result.out, plain.out) << name << "=" << value;
      EXPECT_THAT(result.err, HasSubstr(std::string("variable ") + name + " is none of textcrs"));
    }
}

TEST(Flags, AnUnknownKeyOrValueInTheFileIsRefused) {
  const Arguments sample = {"sample", "--noise", "none", "--text", "good film"};
  const std::string key = workspace().write("key.toml", "[sample]\nnumber = 4\n");
  const std::string value = workspace().write("value.toml", "[sample]\ncount = \"many\"\n");
  const auto results =
      run_all({sample + Arguments{"--config", key}, sample + Arguments{"--config", value}});
  for (const Result& result : results) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
  }
  EXPECT_THAT(results[0].err, HasSubstr("number"));
  EXPECT_THAT(results[1].err, HasSubstr("count"));
}

TEST(Flags, ProgressGoesToStderrOnly) {
  const Result result = run(workspace().training(workspace().path("progress")));
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("epoch  3/3"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("epoch  3/3")));
  EXPECT_THAT(result.err, testing::Not(HasSubstr("\033")));  // not a terminal
}

}  // namespace
}  // namespace textcrs::cli_test
