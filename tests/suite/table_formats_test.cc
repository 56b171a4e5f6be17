#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "suite/made_runs.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSuite = R"(
title = "A tiny suite"
caveats = ["100 % of | it & more_"]
[defaults]
seed = 3
[[data]]
name = "films"
title = "F|lms & Co_"
[[model]]
name = "net"
title = "Net"
[[method]]
name = "del"
title = "[deletion]"
operation = "deletion"
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
[[table]]
name = "benchmark"
title = "What is *certified*"
)";

class TableFormats : public MadeRuns {
 protected:
  void SetUp() override {
    plan(kSuite);
    const Record right = certified(0, Operation::kDeletion, 2);
    certify("films.net.del.low.certify", {right, wrong(certified(1, Operation::kDeletion, 0)),
                                          wrong(certified(2, Operation::kDeletion, 0)),
                                          wrong(certified(3, Operation::kDeletion, 0))});
    done("films.net.del.low.train");
  }
  std::string line_with(const std::string& text, const std::string& part) const {
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.find(part) != std::string::npos) return line;
      at = end == std::string::npos ? text.size() : end + 1;
    }
    return "";
  }
};

TEST_F(TableFormats, Markdown) {
  const std::string text = to_markdown(table("benchmark"));
  EXPECT_THAT(text, HasSubstr("# What is \\*certified\\*\n\n"
                              "| data | model | noise | number | [deletion] | runs |\n"
                              "|---|---|---|---|---:|---:|\n"
                              "| F\\|lms & Co\\_ | Net | low | certified | 25.0 | 1 |\n"
                              "|  |  |  | proved, 1 edit | 25.0 | 1 |\n"
                              "|  |  | high | certified | - |  |\n"));
  EXPECT_THAT(text, HasSubstr("* 100 % of \\| it & more\\_\n"));
  EXPECT_THAT(text, HasSubstr("\n1. films.net.del.low.certify: runs/films.net.del.low.certify; "
                              "noise delete:p=0.3, N = 500, alpha = 0.001; 4 texts counted\n"));
  EXPECT_THAT(text, HasSubstr("All runs: version 0.2.0, seed 3, on a machine.\n"));
}

TEST_F(TableFormats, Latex) {
  const std::string text = to_latex(table("benchmark"));
  EXPECT_THAT(text, HasSubstr("\\caption{What is *certified*}\n\\label{tab:benchmark}\n"
                              "\\begin{tabular}{llllrr}\n\\toprule\n"));
  EXPECT_THAT(text,
              HasSubstr("F\\textbar{}lms \\& Co\\_ & Net & low & certified & 25.0 & 1 \\\\\n"));
  EXPECT_THAT(text, HasSubstr("\n100 \\% of \\textbar{} it \\& more\\_.\\par\n"));
  EXPECT_THAT(text, HasSubstr("\n% 1 films.net.del.low.certify: runs/films.net.del.low.certify"));
  EXPECT_THAT(text, EndsWith("\\end{table}\n"));
}

TEST_F(TableFormats, ANewLineEndsNoComment) {
  suite_.tables[0].title = "one\ntwo";
  step("films.net.del.low.certify").machine = "a\n\\input{x}";
  const std::string text = to_latex(table("benchmark"));
  EXPECT_THAT(text, HasSubstr("\\caption{one two}"));
  EXPECT_THAT(text, HasSubstr("on a \\input{x}"));
  EXPECT_THAT(text, Not(HasSubstr("\n\\input")));
}

// 1 of 4: the bounds p of the two tails 0.025 are the roots of 1 - (1 - p)^4 = 0.025 and
// (1 - p)^4 + 4 p (1 - p)^3 = 0.025.
TEST_F(TableFormats, CsvHasIntervalsAndRuns) {
  const double low = 1 - std::pow(0.975, 0.25);
  const std::string text = to_csv(table("benchmark"));
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "table,data,model,noise,number,column,source,percent,value,count,texts,low,high,step,"
            "folder,run_noise,seed,version,machine");
  const std::string line = line_with(text, ",low,certified");
  EXPECT_THAT(line,
              HasSubstr("benchmark,F|lms & Co_,Net,low,certified,[deletion],ours,25.0,,1,4,"));
  EXPECT_THAT(line, HasSubstr(fmt::format(",{:.6g}", 100 * low)));
  EXPECT_THAT(line, HasSubstr(",films.net.del.low.certify,runs/films.net.del.low.certify,"
                              "delete:p=0.3,3,0.2.0,a machine"));
  EXPECT_EQ(line_with(text, ",high,certified"),
            "benchmark,F|lms & Co_,Net,high,certified,[deletion],ours,,,,,,,"
            "films.net.del.high.certify,,,,,");
}

TEST_F(TableFormats, JsonKnowsTheRunOfEachNumber) {
  const json made = json::parse(to_json(table("benchmark")));
  EXPECT_EQ(made["rows"][0]["labels"]["number"], "certified");
  const json& cell = made["rows"][0]["cells"][0];
  EXPECT_EQ(cell["column"], "[deletion]");
  EXPECT_EQ(cell["count"], 1);
  EXPECT_EQ(cell["texts"], 4);
  EXPECT_EQ(cell["share"], 0.25);
  EXPECT_NEAR(cell["low"].get<double>(), 1 - std::pow(0.975, 0.25), 1e-6);
  const double p = cell["high"].get<double>();
  EXPECT_NEAR(std::pow(1 - p, 4) + 4 * p * std::pow(1 - p, 3), 0.025, 1e-6);
  EXPECT_EQ(cell["run"], 1);
  const json& run = made["runs"][0];
  EXPECT_EQ(run["step"], "films.net.del.low.certify");
  EXPECT_EQ(run["folder"], "runs/films.net.del.low.certify");
  EXPECT_EQ(run["version"], "0.2.0");
  EXPECT_EQ(run["machine"], "a machine");
  EXPECT_EQ(run["settings"]["samples"], "500");
  EXPECT_EQ(run["command"][0], "textcrs");
  EXPECT_EQ(made["models"][0]["step"], "films.net.del.low.train");
  EXPECT_EQ(made["rows"][2]["cells"][0]["missing"], "films.net.del.high.certify");
  EXPECT_THAT(made.dump(), Not(HasSubstr(work_.path().string())));
}

TEST_F(TableFormats, FilesForKeeping) {
  step("films.net.del.low.train").folder = "/elsewhere/models/a";
  const std::vector<std::string> gone = {"gone.md", "gone.tex", "gone.csv", "gone.json"};
  const std::vector<std::string> mine = {"mine.txt", "mine.md", "mine.csv"};
  fs::create_directories(out() / "tables");
  for (const auto* names : {&gone, &mine})
    for (const std::string& name : *names) write_file_atomically(out() / "tables" / name, "");
  write_tables(tables(), manifest_, out());
  for (const std::string& name : gone) EXPECT_FALSE(fs::exists(out() / "tables" / name)) << name;
  for (const std::string& name : mine) EXPECT_TRUE(fs::exists(out() / "tables" / name)) << name;
  for (const char* ending : {".md", ".tex", ".csv", ".json"})
    EXPECT_TRUE(fs::exists(out() / "tables" / (std::string("benchmark") + ending)));
  const SuiteManifest kept = read_manifest(out() / "tables");
  EXPECT_EQ(kept.steps.size(), manifest_.steps.size());
  EXPECT_EQ(kept.find("films.net.del.low.train")->folder, ".../a");
  const std::string text = read_file(out() / "tables" / kManifestFile);
  EXPECT_THAT(text, Not(HasSubstr(work_.path().string())));
  EXPECT_THAT(text, Not(HasSubstr("/elsewhere")));
}

TEST(Portable, LeavesNoFoldersOfTheMachine) {
  SuiteStep step;
  step.folder = "/home/me/out/runs/a";
  step.command = {"textcrs",
                  "certify",
                  "--model",
                  "/home/me/out/models/a",
                  "--data",
                  "/data/ag/test.csv",
                  "--against",
                  "votes=/home/me/out/models/v",
                  "--reference",
                  "x=/far/away/y",
                  "imdb",
                  "a/b",
                  "see /home/me/out/x",
                  "/top"};
  step.problem = "exit code 3: '/home/me/out/runs/a/x': no: /data/ag/test.csv:3: and http://a/b";
  const SuiteStep moved = portable(step, "/home/me/out");
  EXPECT_EQ(moved.folder, "runs/a");
  EXPECT_EQ(moved.problem, "exit code 3: 'runs/a/x': no: .../test.csv:3: and http://a/b");
  EXPECT_THAT(moved.command,
              testing::ElementsAre("textcrs", "certify", "--model", "models/a", "--data",
                                   ".../test.csv", "--against", "votes=models/v", "--reference",
                                   "x=.../y", "imdb", "a/b", "see x", "/top"));
  step.command = {"my-out/runs/a", "not/my-out/runs/a", "my-out"};
  EXPECT_THAT(portable(step, "my-out/").command,
              testing::ElementsAre("runs/a", "not/my-out/runs/a", "my-out"));
}

}  // namespace
}  // namespace textcrs
