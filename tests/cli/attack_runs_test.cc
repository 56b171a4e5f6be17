// textcrs attack: what its runs leave on disk, whatever happens to them, and what it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "attack_run.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// A model under noise, with so many copies that the run takes seconds.
Arguments slow(const std::string& out, int threads = 2) {
  return attack(workspace().model(), "good-words:candidates=10,least=4", out,
                with_reference() + Arguments{"--copies", "15000", "--samples", "1000", "--threads",
                                             std::to_string(threads)});
}

const std::vector<json>& slow_records() {
  static const std::vector<json> all = [] {
    const Result result = run(slow("slow", 1));
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return checked_records("slow");
  }();
  return all;
}

TEST(AttackRuns, ResultsAreTheSameAfterBeingKilledAgainAndAgain) {
  const auto& expected = slow_records();
  size_t lines = 0;
  for (int times = 0; times < 2; ++times) {
    Process process(slow("slow-killed"));
    ASSERT_TRUE(runs_until(process, [&] { return records("slow-killed").size() > lines; }))
        << process.wait().err;
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGKILL);
    lines = records("slow-killed").size();
    ASSERT_LT(lines, kTexts);
  }
  const Result last = run(slow("slow-killed"));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_THAT(last.err, HasSubstr("going on"));
  EXPECT_EQ(checked_records("slow-killed"), expected);
}

TEST(AttackRuns, AnInterruptionKeepsTheResults) {
  const auto& expected = slow_records();
  Process process(slow("slow-stopped"));
  ASSERT_TRUE(runs_until(process, [] { return !records("slow-stopped").empty(); }));
  process.signal(SIGINT);
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 4) << result.err;
  const auto so_far = records("slow-stopped");
  ASSERT_LT(so_far.size(), kTexts);
  EXPECT_THAT(result.err, HasSubstr(fmt::format("interrupted after {} of 20 texts; the results are "
                                                "kept; the same command goes on",
                                                so_far.size())));
  EXPECT_TRUE(std::equal(so_far.begin(), so_far.end(), expected.begin()));
  EXPECT_FALSE(fs::exists(workspace().path("slow-stopped/summary.json")));
  ASSERT_EQ(run(slow("slow-stopped")).exit_code, 0);
  EXPECT_EQ(checked_records("slow-stopped"), expected);
}

// A record in which a certificate covers what it does not: as if the proof were wrong.
TEST(AttackRuns, ACertificateThatDoesNotHoldFailsTheRun) {
  const Arguments command = attack(votes(), "worst-case", "not-kept");
  ASSERT_EQ(run(command).exit_code, 0);
  auto lines = lines_of(read(results_path("not-kept")));
  const auto line = std::find_if(lines.begin(), lines.end(), [](const std::string& each) {
    return each.find("\"covered\":false") != std::string::npos;
  });
  ASSERT_NE(line, lines.end());
  const std::string mark = "\"covered\":false";
  line->replace(line->find(mark), mark.size(), "\"covered\":true");
  std::string content;
  for (const std::string& each : lines) content += each + "\n";
  std::ofstream(results_path("not-kept")) << content;
  const json record = json_of(*line);
  for (const Arguments& quiet : {Arguments{}, Arguments{"--quiet"}}) {
    const Result result = run(command + quiet);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(fmt::format("not as certified: text {}: the certificate of target",
                                            record["id"].get<int>())),
                      HasSubstr("\"" + record["original"].get<std::string>() + "\""),
                      HasSubstr("\"" + record["adversarial"].get<std::string>() + "\""),
                      HasSubstr("1 answer is not as certified: see above and " +
                                workspace().path("not-kept") + "/summary.json")));
    EXPECT_THAT(result.out, HasSubstr("target, all"));
  }
  const json summary = summary_of("not-kept");
  EXPECT_EQ(summary["models"][0]["contradicted"], 1);
  EXPECT_EQ(summary["contradictions"][0]["adversarial"], record["adversarial"]);
}

TEST(AttackRuns, BelongsToOneRunAndNamesTheFlagThatDiffers) {
  const Arguments command = attack(votes(), "good-words", "one-run", with_reference());
  ASSERT_EQ(run(command).exit_code, 0);
  const std::string before = read(results_path("one-run"));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"--recipe", "worst-case"},
      {"--limit", "21"},
      {"--seed", "2"},
      {"--queries", "7"},
      {"--model", plain()},
      {"--noise", "universal:p=0.3"},
      {"--reference", workspace().write("some.csv", "text,label\ngood,pos\ngood,neg\n")},
      {"--against", "plain=" + plain()}};
  std::vector<Arguments> commands;
  for (const auto& [flag, value] : changes) {
    commands.push_back(command);
    auto& changed = commands.back();
    if (const auto place = std::find(changed.begin(), changed.end(), flag); place != changed.end())
      *(place + 1) = value;
    else
      changed.insert(changed.end(), {flag, value});
  }
  const auto results = run_all(commands);
  for (size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << changes[i].first;
    EXPECT_THAT(results[i].err, HasSubstr("(" + changes[i].first));
    EXPECT_THAT(results[i].err,
                AllOf(HasSubstr(workspace().path("one-run") + "/run.json: holds the results of "
                                                              "another run"),
                      HasSubstr("choose another --out or add --overwrite")));
  }
  EXPECT_EQ(read(results_path("one-run")), before);
  // The results of another verb are another run, too.
  ASSERT_EQ(run({"certify", "--model", votes(), "--data", workspace().texts(), "--out",
                 workspace().path("certified")})
                .exit_code,
            0);
  EXPECT_EQ(run(attack(votes(), "worst-case", "certified")).exit_code, 2);
}

TEST(AttackRuns, RefusesWhatDoesNotGoTogether) {
  const std::string none = workspace().path("no-model"), out = "refused";
  const std::string other = trained(
      "attacked-other", {"train", "--data",
                         workspace().write("other.csv",
                                           "text,label\ngood film,ham\nbad film,spam\ngood,ham\n"
                                           "bad,spam\ngood plot,ham\nbad plot,spam\n"),
                         "--architecture", "votes", "--hidden", "0", "--epochs", "2"});
  fs::create_directories(workspace().path("empty"));
  const auto labelled = [&](const std::string& name, const std::string& rows) {
    Arguments command = attack(votes(), "worst-case", out);
    *(std::find(command.begin(), command.end(), "--data") + 1) = workspace().write(name, rows);
    return command;
  };
  struct Case {
    Arguments command;
    int exit_code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {attack(votes(), "textfoller", out), 2, "textfoller: no such attack, expected textfooler,"},
      {attack(votes(), "good-words:share=1.5", out), 2, "share"},
      {attack(votes(), "good-words:depth=2", out), 2, "depth"},
      {attack(votes(), "good-words:share=much", out), 2, "much"},
      {attack(votes(), "bae-insert", out), 2,
       "--recipe bae-insert proposes words by a masked language model: expected --masked-lm"},
      {attack(votes(), "good-words", out), 2, "expected --reference with some"},
      {attack(votes(), "good-words", out, {"--reference", workspace().path("no.csv")}), 3,
       "no.csv"},
      {attack(votes(), "word-reorder", out, {"--encoder", workspace().path("empty")}), 3,
       workspace().path("empty")},
      {attack(votes(), "word-reorder", out), 3, "textcrs data fetch minilm"},
      {attack(none, "worst-case", out), 3, none},
      {attack(workspace().path("empty"), "worst-case", out), 3, workspace().path("empty")},
      {attack(votes(), "worst-case", out, {"--against", none}), 3, none},
      {attack(votes(), "worst-case", out, {"--against", "=" + votes()}), 2,
       "expected a name before the '='"},
      {attack(votes(), "worst-case", out, {"--against", "target=" + votes()}), 2,
       "the name 'target' is taken"},
      {attack(votes(), "worst-case", out,
              {"--against", "a=" + votes(), "--against", "a=" + plain()}),
       2, "the name 'a' is taken"},
      {attack(votes(), "worst-case", out, {"--against", "other=" + other}), 2,
       "other: found the classes ham, spam, expected those of the model that is attacked: neg, "
       "pos"},
      {attack(plain(), "worst-case", out), 2,
       "--recipe worst-case on " + plain() + ": noise none: nothing is known of edits"},
      {attack(workspace().model(), "worst-case", out), 2,
       "noise universal:p=0.3: nothing is known"},
      {attack(plain(), "frontier", out, with_reference()), 2,
       "--recipe frontier on " + plain() + ": noise none certifies no words"},
      {attack(workspace().model(), "frontier", out,
              with_reference() + Arguments{"--noise", "mask:p=0.5"}),
       2, "noise mask:p=0.5 certifies no words"},
      {attack(workspace().model(), "good-words", out,
              with_reference() + Arguments{"--noise", "blur"}),
       2, "blur"},
      {attack(votes(), "worst-case", out, {"--fallback", plain()}), 2,
       "attack has no flag '--fallback'"},
      {labelled("unlabelled.csv", "text\ngood film\n"), 2, "text 0 has no label"},
      {labelled("foreign.csv", "text,label\ngood film,great\n"), 3, "great"},
      {labelled("no-texts.csv", "text,label\n"), 3, "no-texts.csv"},
      {attack(votes(), "worst-case", out, {"--queries", "-1"}), 2, "--queries"},
      {attack(workspace().model(), "good-words", out, with_reference() + Arguments{"--alpha", "2"}),
       2, "alpha"}};
  std::vector<Arguments> commands;
  for (const Case& each : cases) commands.push_back(each.command);
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].message);
    EXPECT_EQ(results[i].exit_code, cases[i].exit_code) << results[i].err;
    EXPECT_THAT(results[i].err, HasSubstr(cases[i].message));
    EXPECT_EQ(results[i].out, "");
    EXPECT_THAT(lines_of(results[i].err),
                testing::Contains(testing::StartsWith("textcrs: error: ")));
  }
  EXPECT_FALSE(fs::exists(workspace().path(out)));
}

}  // namespace
}  // namespace textcrs::cli_test
