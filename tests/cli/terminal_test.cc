// Colour, progress and silence, on a terminal and elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pseudo_terminal.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Environment kTerminal = {{"TERM", "xterm"}, {"NO_COLOR", ""}};
const std::string kEscape = "\033[";

Arguments predicting(const std::string& text) {
  return {"predict", "--model", workspace().model(), "--samples", "200", text};
}

// So few votes are never enough.
Arguments abstaining() {
  return {"predict",   "--model", workspace().model(), "--exact", "never",
          "--samples", "2",       "--alpha",           "1e-9",    "good film"};
}

TEST(Colour, OnATerminalTheClassIsGreenAndNoAnswerYellow) {
  const Result answer =
      run_on_terminal(OnTerminal::kOutput, predicting("good great film"), kTerminal);
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, StartsWith("\033[1;32mpos\033[0m"));
  const Result none = run_on_terminal(OnTerminal::kOutput, abstaining(), kTerminal);
  ASSERT_EQ(none.exit_code, 0) << none.err;
  EXPECT_THAT(none.out, StartsWith("\033[1;33mno answer\033[0m"));
}

TEST(Colour, OnATerminalAnErrorIsRed) {
  for (const Arguments& command : std::vector<Arguments>{{"trian"}, {"data", "show", "no.csv"}}) {
    const Result result = run_on_terminal(OnTerminal::kErrors, command, kTerminal);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, StartsWith("textcrs: \033[1;31merror:\033[0m "));
    EXPECT_THAT(run(command, kTerminal).err, StartsWith("textcrs: error: "));
  }
}

TEST(Colour, HeadingsOfTablesAreBold) {
  const std::string out = workspace().path("coloured");
  const Result result =
      run_on_terminal(OnTerminal::kOutput,
                      {"certify", "--model", workspace().model(), "--data", workspace().texts(),
                       "--limit", "4", "--samples", "100", "--out", out},
                      kTerminal);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("can change it\n\033[1m"));
  EXPECT_THAT(read(out + "/results.jsonl"), Not(HasSubstr(kEscape)));
}

TEST(Colour, IsLeftOutWhereItIsNotWanted) {
  const Arguments list = {"list", "noises"};
  EXPECT_THAT(run_on_terminal(OnTerminal::kOutput, list, kTerminal).out, HasSubstr(kEscape));
  const std::vector<std::pair<Arguments, Environment>> cases = {
      {list, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}},
      {list, {{"TERM", "dumb"}, {"NO_COLOR", ""}}},
      {list + Arguments{"--color", "never"}, kTerminal},
      {list, {{"TERM", "xterm"}, {"NO_COLOR", ""}, {"TEXTCRS_COLOR", "never"}}}};
  for (const auto& [command, environment] : cases) {
    const Result result = run_on_terminal(OnTerminal::kOutput, command, environment);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr(kEscape)));
  }
  EXPECT_THAT(run(list, kTerminal).out, Not(HasSubstr(kEscape)));
}

TEST(Colour, AlwaysIsAlways) {
  const Environment none = {{"NO_COLOR", "1"}};
  EXPECT_THAT(run({"list", "noises", "--color", "always"}, none).out, HasSubstr(kEscape));
  EXPECT_THAT(run({"--color=always", "trian"}, none).err, HasSubstr("\033[1;31merror:\033[0m"));
  EXPECT_THAT(run(predicting("good film") + Arguments{"--color", "always", "--json"}).out,
              Not(HasSubstr(kEscape)));
}

TEST(Quiet, NothingButResultsAndErrors) {
  const Arguments training = workspace().training(workspace().path("quiet"));
  const Result before = run(Arguments{"--quiet"} + training);
  const Result behind = run(training + Arguments{"--overwrite", "-q"});
  const Result variable = run(training + Arguments{"--overwrite"}, {{"TEXTCRS_QUIET", "1"}});
  for (const Result& result : {before, behind, variable}) {
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    const auto lines = lines_of(result.out);
    ASSERT_EQ(lines.size(), 2u) << result.out;
    EXPECT_THAT(lines[0], StartsWith("trained bilstm under universal:p=0.3 in "));
    EXPECT_THAT(lines[1], StartsWith("model: "));
  }
  const Result loud = run(training + Arguments{"--overwrite"}, {{"TEXTCRS_QUIET", "0"}});
  EXPECT_THAT(loud.err, HasSubstr("epoch"));
  const Result failing = run(training + Arguments{"-q"});
  EXPECT_EQ(failing.exit_code, 2);
  EXPECT_THAT(failing.err, HasSubstr("exists; choose another --out"));
}

TEST(Quiet, NoRemarkAboutAnInterruptedRun) {
  const std::string out = workspace().path("begun");
  std::filesystem::create_directories(out + ".partial");
  const Result loud = run(workspace().training(out, 1));
  EXPECT_THAT(loud.err, HasSubstr("holds an interrupted run"));
  std::filesystem::create_directories(out + ".partial");
  const Result quiet = run(workspace().training(out, 1) + Arguments{"--overwrite", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
}

TEST(Quiet, NoStatusLineOnATerminal) {
  const Arguments training = workspace().training(workspace().path("silent"), 30);
  const Result loud = run_on_terminal(OnTerminal::kErrors, training, kTerminal);
  ASSERT_EQ(loud.exit_code, 0);
  EXPECT_THAT(loud.err, HasSubstr("epoch"));
  const Result quiet = run_on_terminal(OnTerminal::kErrors,
                                       training + Arguments{"--overwrite", "--quiet"}, kTerminal);
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace textcrs::cli_test
