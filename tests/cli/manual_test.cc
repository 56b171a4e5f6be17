// textcrs help --man
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "shell.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;

// The commands a page of help names, each on a line of its own behind "Subcommands:".
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> commands;
  bool here = false;
  for (const std::string& line : lines_of(help)) {
    if (line.empty()) here = false;
    if (here) commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Subcommands:") here = true;
  }
  return commands;
}

void collect(const Arguments& command, std::vector<Arguments>& all) {
  all.push_back(command);
  for (const std::string& name : commands_in(run(Arguments{"help"} + command).out))
    collect(command + Arguments{name}, all);
}

std::string in_troff(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

TEST(Manual, HasEveryCommandAndEveryFlagOfTheHelp) {
  const std::string page = run({"help", "--man"}).out;
  std::vector<Arguments> commands;
  collect({}, commands);
  EXPECT_GE(commands.size(), 20u);
  for (const Arguments& command : commands) {
    std::string path = "textcrs";
    for (const std::string& name : command) path += " " + name;
    if (!command.empty()) {
      EXPECT_THAT(page, HasSubstr(fmt::format(".SS \"{}\"\n", path)));
    }
    const std::string help = run(Arguments{"help"} + command).out;
    const std::regex flag("\n  (?:-[a-z],)?(--[a-z-]+)");
    for (std::sregex_iterator match(help.begin(), help.end(), flag), end; match != end; ++match)
      EXPECT_THAT(page, HasSubstr(in_troff("\\fB" + (*match)[1].str() + "\\fR"))) << path;
  }
}

TEST(Manual, IsSetWithoutWarnings) {
  const std::string file = workspace().write("textcrs.1", run({"help", "--man"}).out);
  const std::vector<std::pair<std::string, std::string>> checks = {
      {"groff", "groff -man -Tutf8 -ww -wall '{}' 2>&1 >/dev/null"},
      {"mandoc", "mandoc -Tlint -W warning '{}' 2>&1 | grep -v 'missing date'"}};
  bool checked = false;
  for (const auto& [program, command] : checks) {
    if (!is_installed(program)) continue;
    checked = true;
    EXPECT_EQ(shell(fmt::format(fmt::runtime(command), file)).out, "") << program;
  }
  if (!checked) GTEST_SKIP() << "there is neither groff nor mandoc";
}

TEST(Manual, ShowsExamplesAsTheyAre) {
  if (!is_installed("groff")) GTEST_SKIP() << "there is no groff";
  const std::string file = workspace().write("textcrs.1", run({"help", "--man"}).out);
  const std::string shown =
      shell(fmt::format("groff -man -Tascii -P-cbou -rLL=100n '{}'", file)).out;
  for (const char* part :
       {"textcrs [flags] command [flags]", "-q, --quiet\n", "--device cpu|cuda\n",
        "textcrs train --data imdb --noise universal:p=0.9",
        "--text-column message --label-column spam \\\n", "~/.cache/textcrs"})
    EXPECT_THAT(shown, HasSubstr(part));
}

}  // namespace
}  // namespace textcrs::cli_test
