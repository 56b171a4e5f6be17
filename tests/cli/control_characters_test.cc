// What files hold is shown, and a terminal does not obey it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pseudo_terminal.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A title for the window, the CSI of one byte and of two, a bell, a rubout.
const std::string kHostile =
    "\033]0;owned\007\x7f\xc2\x9b"
    "31m";
const std::string kShown = "\\x1b]0;owned\\x07\\x7f\\xc2\\x9b31m";
const Environment kPlain = {{"TERM", "dumb"}, {"NO_COLOR", "1"}};

bool is_raw(const std::string& text) {
  for (const char* part : {"\033]", "\007", "\x7f", "\xc2\x9b"})
    if (text.find(part) != std::string::npos) return true;
  return false;
}

TEST(ControlCharacters, OfNamesAndContentsAreEscapedInMessages) {
  const std::string named = workspace().path("no" + kHostile);
  const std::string model = workspace().path("hostile-model");
  fs::create_directories(model);
  workspace().write("hostile-model/config.json",
                    R"({"format": "textcrs-model", "format_version": 1,)"
                    R"( "architecture": "\u001b]0;owned\u0007\u007f\u009b31m"})");
  const std::string config = workspace().write("hostile.toml", "[sample]\n" + kHostile + " = 1\n");
  const std::string texts =
      workspace().write("hostile.csv", "text,label\ngood,pos\nbad,\"" + kHostile + "\"\n");
  const std::vector<Arguments> commands = {
      {"data", "show", named + ".csv"},
      {"predict", "--model", named, "good"},
      {"predict", "--model", model, "good"},
      {"sample", "--config", config, "--noise", "delete:p=0.1", "good"},
      {"certify", "--model", workspace().model(), "--data", texts, "--out",
       workspace().path("hostile-out")},
      {"train", "--data", texts, "--out", named, "--noise", kHostile},
      {"list", kHostile}};
  for (const Arguments& command : commands) {
    const Result result = run(command);
    EXPECT_NE(result.exit_code, 0) << command[0];
    EXPECT_FALSE(is_raw(result.err)) << command[0] << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("\\x1b]0;owned")) << command[0];
  }
}

TEST(ControlCharacters, OfResultsAreEscapedOnATerminalOnly) {
  const std::string texts =
      workspace().write("obeyed.csv", "text,label\n\"good " + kHostile + "\",pos\n");
  const Arguments show = {"data", "show", texts};
  const Result terminal = run_on_terminal(OnTerminal::kOutput, show, kPlain);
  ASSERT_EQ(terminal.exit_code, 0) << terminal.err;
  EXPECT_FALSE(is_raw(terminal.out));
  EXPECT_THAT(terminal.out, HasSubstr("\tgood " + kShown + "\n"));
  const Result piped = run(show);  // data as it is
  EXPECT_THAT(piped.out, HasSubstr("\tgood " + kHostile + "\n"));
}

TEST(ControlCharacters, OfRemarksAreEscaped) {
  const std::string name = "remarked" + kHostile + ".csv";
  const std::string texts = workspace().write(name, "text,label\ngood film,pos\nbad film,neg\n");
  const Result result = run_on_terminal(
      OnTerminal::kErrors, {"evaluate", "--model", workspace().model(), "--data", texts}, kPlain);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("remarked" + kShown));
  EXPECT_FALSE(is_raw(result.err));
}

}  // namespace
}  // namespace textcrs::cli_test
