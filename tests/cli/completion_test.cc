// textcrs completion: the scripts do in their shells what they are for.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "shell.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

std::string script_of(const std::string& shell_name) {
  const Result result = run({"completion", shell_name});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return workspace().write("completion." + shell_name, result.out);
}

// What bash offers for the last of the words, which are cut as bash cuts them. The folder where it
// happens holds the folders "home" and "model" and the file "a text.csv".
std::vector<std::string> offered(const std::vector<std::string>& words,
                                 const std::string& settings = "") {
  const std::string folder = workspace().path("completing");
  std::filesystem::create_directories(folder + "/home");
  std::filesystem::create_directories(folder + "/model");
  workspace().write("completing/a text.csv", "");
  std::string quoted;
  for (const std::string& word : words) quoted += " '" + word + "'";
  const std::string test = workspace().write(
      "test.bash",
      fmt::format("cd '{}' && source '{}' || exit 1\n{}\n"
                  "COMP_WORDS=(textcrs{})\nCOMP_CWORD={}\n_textcrs\n"
                  "[[ ${{#COMPREPLY[@]}} -eq 0 ]] || printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                  folder, script_of("bash"), settings, quoted, words.size()));
  const ShellResult result = shell(fmt::format("bash '{}' 2>&1", test));
  EXPECT_EQ(result.exit_code, 0) << result.out;
  return lines_of(result.out);
}

TEST(Completion, BashOffersCommandsAndFlags) {
  EXPECT_THAT(offered({"tr"}), ElementsAre("train"));
  EXPECT_THAT(offered({"data", ""}), UnorderedElementsAre("list", "fetch", "import", "show"));
  EXPECT_THAT(offered({"-q", "--color", "never", "data", "f"}), ElementsAre("fetch"));
  EXPECT_THAT(offered({"train", "--nois"}), UnorderedElementsAre("--noise", "--noise-mean"));
  EXPECT_THAT(offered({"train", "--overwrite", "--qu"}), ElementsAre("--quiet"));
  EXPECT_THAT(offered({"help", "cert"}), ElementsAre("certify"));
  EXPECT_THAT(offered({"radius", ""}),
              AllOf(IsSupersetOf({"--pa", "--words", "--help"}), Not(Contains("--epochs"))));
}

TEST(Completion, BashOffersTheValuesThatThereAre) {
  EXPECT_THAT(offered({"train", "--device", ""}), UnorderedElementsAre("cpu", "cuda"));
  EXPECT_THAT(offered({"train", "--architecture", ""}),
              UnorderedElementsAre("bilstm", "cnn", "bert", "votes", "linear"));
  EXPECT_THAT(offered({"certify", "--precision", ""}), UnorderedElementsAre("fp32", "bf16"));
  EXPECT_THAT(
      offered({"train", "--noise", ""}),
      IsSupersetOf({"universal:p=", "reorder:full", "substitute:kernel=graph", "hash:buckets="}));
  EXPECT_THAT(offered({"data", "fetch", "imdb", "g"}), ElementsAre("glove"));
  EXPECT_THAT(offered({"completion", ""}), UnorderedElementsAre("bash", "zsh"));
  EXPECT_THAT(offered({"train", "--epochs", ""}), ElementsAre());
}

TEST(Completion, BashOffersFilesAndFoldersWhereTheyAreMeant) {
  EXPECT_THAT(offered({"train", "--data", ""}),
              UnorderedElementsAre("imdb", "sms-spam", "home", "model", "a text.csv"));
  EXPECT_THAT(offered({"predict", "--model", ""}), UnorderedElementsAre("home", "model"));
  EXPECT_THAT(offered({"--config", "a"}), ElementsAre("a text.csv"));
  EXPECT_THAT(offered({"data", "import", "glove", "a"}), ElementsAre("a text.csv"));
}

// bash cuts at ":" and "=" and replaces what is behind them, unless it is told not to.
TEST(Completion, BashGoesOnBehindColonsAndEqualsSigns) {
  EXPECT_THAT(offered({"train", "--device", "=", "cu"}), ElementsAre("cuda"));
  EXPECT_THAT(offered({"train", "--noise", "universal", ":"}), ElementsAre("p="));
  EXPECT_THAT(offered({"train", "--noise", "=", "substitute", ":", "kernel", "=", "g"}),
              ElementsAre("graph"));
  EXPECT_THAT(offered({"train", "--noise", "universal", ":", "p", "=", "0.5", "--devi"}),
              ElementsAre("--device"));
  EXPECT_THAT(offered({"train", "--noise=uni"}, "COMP_WORDBREAKS=' '"),
              ElementsAre("--noise=universal:p="));
}

TEST(Completion, ZshParsesItsScript) {
  const std::string script = script_of("zsh");
  EXPECT_THAT(read(script), testing::StartsWith("#compdef textcrs\n"));
  for (const char* name : {"'(--architecture)--architecture=[", "'fetch:Download", "cpu cuda'"})
    EXPECT_THAT(read(script), testing::HasSubstr(name));
  if (!is_installed("zsh")) GTEST_SKIP() << "there is no zsh";
  const ShellResult parsed = shell(fmt::format("zsh -n '{}' 2>&1", script));
  EXPECT_EQ(parsed.exit_code, 0) << parsed.out;
}

TEST(Completion, AnUnknownShellIsAUsageError) {
  const Result result = run({"completion", "fish"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, testing::HasSubstr("fish not in {bash,zsh}"));
}

}  // namespace
}  // namespace textcrs::cli_test
