// textcrs suite: a small matrix from the plan to the report, by the real program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A plain and a smoothed BiLSTM, words that vote, an attack; `more` is appended.
std::string suite_file(const std::string& name, const std::string& more = "",
                       const std::string& data = workspace().texts()) {
  return workspace().write(name + ".toml", fmt::format(
                                               R"(title = "Tiny"
[defaults]
seed = 3
limit = 12
samples = 300
alpha = 0.01
train = {{ batch-size = 16 }}
certify = {{ selection-samples = 20, exact = "never" }}
evaluate = {{ limit = 40, copies = 3 }}
attack = {{ limit = 6, samples = 100, selection-samples = 20 }}
[[data]]
name = "films"
title = "Films"
texts = ["{}"]
[[model]]
name = "bilstm"
title = "BiLSTM"
train = {{ vectors = "{}", hidden = 4, epochs = 2, slots = 16, learning-rate = 0.03 }}
[[model]]
name = "votes"
train = {{ architecture = "votes", hidden = 0, epochs = 5, edits = 1 }}
[[method]]
name = "plain"
operation = "none"
models = ["bilstm"]
noise = "none"
[[method]]
name = "delete"
title = "deletion"
operation = "deletion"
models = ["bilstm"]
levels = {{ low = "universal:p=0.3" }}
[[method]]
name = "votes"
models = ["votes"]
[[attack]]
name = "shorter"
recipe = "input-reduction:similarity=0"
operation = "deletion"
methods = ["plain"]
against = ["delete.low", "votes"]
[[table]]
name = "clean"
[[figure]]
name = "edits"
{})",
                                               data, workspace().vectors(), more));
}

constexpr const char* kTrained = "films.bilstm.delete.low.train";
constexpr const char* kCertified = "films.bilstm.delete.low.certify";

Arguments suite(const std::string& file, const std::string& out, const Arguments& more = {}) {
  return Arguments{"suite", file, "--out", workspace().path(out)} + more;
}

// The suite, run once for all tests that only look at it.
const std::string& done_suite() {
  static const std::string out = [] {
    const Result result = run(suite(suite_file("tiny"), "suite-done"));
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return workspace().path("suite-done");
  }();
  return out;
}

nlohmann::json step_of(const std::string& out, const std::string& name) {
  const nlohmann::json manifest = json_of(read(out + "/suite.json"));
  for (const nlohmann::json& step : manifest["steps"])
    if (step["name"] == name) return step;
  return nlohmann::json::object();
}

// What the steps of a suite wrote, without the times they took: by their names.
std::map<std::string, std::string> results_of(const std::string& out) {
  std::map<std::string, std::string> results;
  const nlohmann::json manifest = json_of(read(out + "/suite.json"));
  for (const nlohmann::json& step : manifest["steps"]) {
    const std::string folder = out + "/" + step["folder"].get<std::string>();
    std::string& content = results[step["name"]];
    content = step["state"].get<std::string>() + read(folder + "/model.safetensors");
    for (const std::string& line : lines_of(read(folder + "/results.jsonl"))) {
      nlohmann::json record = json_of(line);
      for (const char* time : {"seconds", "wall_seconds"}) record.erase(time);
      content += record.dump();
    }
    nlohmann::json evaluation = json_of(read(folder + "/evaluation.json"));
    if (evaluation.is_object()) content += evaluation["accuracy"].dump();
  }
  return results;
}

TEST(Suite, ADryRunPrintsThePlanAndTouchesNothing) {
  const Result result = run(suite(suite_file("tiny"), "suite-dry", {"--dry-run"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("tiny: Tiny\n"), HasSubstr(kTrained),
                    HasSubstr("textcrs certify --data " + workspace().texts() + " --model " +
                              workspace().path("suite-dry/models/films.bilstm.delete.low")),
                    HasSubstr("0 of 9 steps done; the others take about "), HasSubstr(" of disk ("),
                    Not(HasSubstr("Missing:"))));
  EXPECT_EQ(result.err, "");
  EXPECT_FALSE(fs::exists(workspace().path("suite-dry")));
  const Result both = run(suite(suite_file("tiny"), "suite-dry", {"--dry-run", "--no-runs"}));
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--dry-run writes nothing"));
}

TEST(Suite, RunsWhatItPlannedAndShowsIt) {
  const std::string& out = done_suite();
  const nlohmann::json manifest = json_of(read(out + "/suite.json"));
  ASSERT_EQ(manifest["steps"].size(), 9u);
  for (const nlohmann::json& step : manifest["steps"]) {
    EXPECT_EQ(step["state"], "done") << step;
    EXPECT_GT(step["seconds"].get<double>(), 0) << step;
    EXPECT_EQ(step["version"], manifest["version"]);
    EXPECT_EQ(step["machine"], manifest["machine"]);
    EXPECT_TRUE(fs::exists(out + "/logs/" + step["name"].get<std::string>() + ".log")) << step;
  }
  EXPECT_THAT(read(out + "/report-films.html"), HasSubstr("Films: Tiny"));
  EXPECT_TRUE(fs::exists(out + "/tables")) << out;
  EXPECT_FALSE(fs::exists(out + "/lock"));
}

TEST(Suite, ASecondRunDoesNothing) {
  const std::string results = done_suite() + "/" +
                              step_of(done_suite(), kCertified)["folder"].get<std::string>() +
                              "/results.jsonl";
  const auto before = fs::last_write_time(results);
  const std::string log = done_suite() + "/logs/" + kCertified + ".log", said = read(log);
  const Result result = run(suite(suite_file("tiny"), "suite-done"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("9 of 9 steps done\n"));
  EXPECT_EQ(result.out, "results: " + done_suite() + "\n");
  EXPECT_EQ(fs::last_write_time(results), before);
  EXPECT_EQ(read(log), said);
}

// Each command of the plan, run by hand into a folder of its own, gives what the suite has.
TEST(Suite, NumbersAreThoseOfTheSingleCommands) {
  const auto by_hand = [](const std::string& name, const std::string& to) {
    Arguments command = step_of(done_suite(), name)["command"].get<Arguments>();
    command.erase(command.begin());  // textcrs
    const auto out = std::find(command.begin(), command.end(), "--out");
    if (out != command.end()) *(out + 1) = workspace().path(to);
    const Result result = run(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  by_hand(kTrained, "by-hand-model");
  EXPECT_EQ(read(workspace().path("by-hand-model/model.safetensors")),
            read(done_suite() + "/models/films.bilstm.delete.low/model.safetensors"));
  by_hand(kCertified, "by-hand-certified");
  EXPECT_EQ(
      records("by-hand-certified"),
      records("suite-done/" + step_of(done_suite(), kCertified)["folder"].get<std::string>()));
  by_hand("films.bilstm.plain.shorter.attack", "by-hand-attack");
  EXPECT_EQ(records("by-hand-attack"),
            records("suite-done/runs/films.bilstm.plain.shorter.attack"));
  const nlohmann::json evaluation =
      json_of(read(done_suite() + "/runs/films.bilstm.delete.low.evaluate/evaluation.json"));
  EXPECT_EQ(json_of(by_hand("films.bilstm.delete.low.evaluate", ""))["accuracy"],
            evaluation["accuracy"]);
  EXPECT_GT(evaluation["accuracy"].get<double>(), 0);
}

TEST(Suite, ShowsAgainWithoutRuns) {
  done_suite();
  for (const char* made : {"tables", "figures"}) fs::remove_all(done_suite() + "/" + made);
  fs::remove(done_suite() + "/report-films.html");
  const Result result = run(suite(suite_file("tiny"), "suite-done", {"--no-runs"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(done_suite() + "/report-films.html"));
  EXPECT_TRUE(fs::exists(done_suite() + "/tables"));
  const Result none = run(suite(suite_file("tiny"), "suite-none", {"--no-runs"}));
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err,
              HasSubstr("suite-none: found no suite.json, expected the folder of a suite"));
  EXPECT_FALSE(fs::exists(workspace().path("suite-none")));
  const Result other = run(suite(suite_file("other"), "suite-done", {"--no-runs"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds the suite 'tiny', not 'other'"));
  EXPECT_EQ(run(suite(suite_file("other"), "suite-done")).exit_code, 2);
}

// Killed while a model is trained, and again while it is certified.
TEST(Suite, AKilledSuiteEndsWithTheSameResults) {
  const std::string out = workspace().path("suite-killed");
  const Arguments command = suite(suite_file("tiny"), "suite-killed", {"--jobs", "2"});
  for (const char* step : {kTrained, kCertified}) {
    Process process(command);
    EXPECT_TRUE(runs_until(process, [&] {
      return fs::exists(out + "/suite.json") && step_of(out, step).value("state", "") == "started";
    })) << process.wait().err;
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGKILL);
  }
  const Result result = run(command);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results_of(out), results_of(done_suite()));
}

TEST(Suite, AnInterruptedSuiteSaysThatItGoesOn) {
  const std::string out = workspace().path("suite-interrupted");
  const Arguments command = suite(suite_file("tiny"), "suite-interrupted");
  Process process(command);
  EXPECT_TRUE(runs_until(process, [&] {
    return fs::exists(out + "/suite.json") &&
           step_of(out, kTrained).value("state", "") == "started";
  }));
  process.signal(SIGINT);
  const Result interrupted = process.wait();
  EXPECT_EQ(interrupted.exit_code, 4);
  EXPECT_THAT(interrupted.err, AllOf(HasSubstr("interrupted after "),
                                     HasSubstr(" of 9 steps; the same command goes on\n")));
  EXPECT_EQ(run(command).exit_code, 0);
  EXPECT_EQ(results_of(out), results_of(done_suite()));
}

TEST(Suite, TwoSuitesDoNotWriteToOneFolder) {
  Process first(suite(suite_file("tiny"), "suite-shared"));
  EXPECT_TRUE(
      runs_until(first, [] { return fs::exists(workspace().path("suite-shared/suite.json")); }));
  const Result second = run(suite(suite_file("tiny"), "suite-shared"));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err,
              HasSubstr(fmt::format("suite-shared: process {} is writing there", first.id())));
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait().exit_code, 4);
}

// What is wrong with a step is said at its end, and nothing else is lost.
TEST(Suite, AFailedStepDoesNotEndTheOthers) {
  workspace().write("broken.txt", "film 1 2\nstory 1\n");
  const std::string file = suite_file(
      "failing",
      "[[method]]\nname = \"broken\"\nmodels = [\"bilstm\"]\nnoise = \"universal:p=0.5\"\n"
      "train = { vectors = \"" +
          workspace().path("broken.txt") + "\" }\n");
  const Arguments command = suite(file, "suite-failing", {"--only", "broken"});
  const Result result = run(command);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("films.bilstm.broken.train: failed, exit code 3: "),
                    HasSubstr("broken.txt:2"), HasSubstr("logs/films.bilstm.broken.train.log\n"),
                    HasSubstr("error: 1 of 3 steps failed, and 2 steps that need them did not run; "
                              "the same command tries them again\n")));
  // Mended, it goes on.
  workspace().write("broken.txt", read(workspace().vectors()));
  const Result again = run(command);
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(Suite, ResultsOfAnotherCommandStayOrGo) {
  const std::string file = suite_file("changing"), out = workspace().path("suite-changing");
  const Arguments part = {"--only", "votes", "certify"};
  EXPECT_EQ(run(suite(file, "suite-changing", part)).exit_code, 0);
  EXPECT_EQ(step_of(out, "films.votes.votes.certify")["folder"], "runs/films.votes.votes.certify");
  const Result beside = run(suite(file, "suite-changing", part + Arguments{"--limit", "5"}));
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_THAT(beside.err,
              HasSubstr("its command has changed; runs/films.votes.votes.certify stays, "
                        "and the new results go to runs/films.votes.votes.certify-2"));
  EXPECT_EQ(records("suite-changing/runs/films.votes.votes.certify").size(), 12u);
  EXPECT_EQ(records("suite-changing/runs/films.votes.votes.certify-2").size(), 5u);
  const Result instead =
      run(suite(file, "suite-changing", part + Arguments{"--limit", "7", "--overwrite"}));
  EXPECT_EQ(instead.exit_code, 0) << instead.err;
  EXPECT_EQ(records("suite-changing/runs/films.votes.votes.certify").size(), 7u);
}

TEST(Suite, ModelsElsewhereAreUsed) {
  done_suite();
  const Result result = run(suite(suite_file("tiny"), "suite-reusing",
                                  {"--models", done_suite() + "/models", "--only", kCertified}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(fmt::format("{}: {}/models/films.bilstm.delete.low is used",
                                                kTrained, done_suite())));
  EXPECT_EQ(records("suite-reusing/runs/films.bilstm.delete.low.certify"),
            records("suite-done/runs/films.bilstm.delete.low.certify"));
  EXPECT_FALSE(fs::exists(workspace().path("suite-reusing/models")));
}

// Signs that part a name from its files, and these from each other, in the files' names.
TEST(Suite, DataMayLieAnywhere) {
  const std::string texts = read(workspace().texts());
  workspace().write("a=1,b.csv", texts);
  workspace().write("c,d.csv", texts);
  const std::string file = suite_file("elsewhere", "", "nowhere/films.csv");
  const auto planned = [&](const std::string& data) {
    return run(suite(file, "suite-elsewhere", {"--dry-run", "--data", data}));
  };
  const Result both =
      planned("films=" + workspace().path("a=1,b.csv") + "," + workspace().path("c,d.csv"));
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.out, AllOf(HasSubstr("train --data " + workspace().path("a=1,b.csv") + " "),
                              HasSubstr("certify --data " + workspace().path("c,d.csv") + " "),
                              Not(HasSubstr("Missing"))));
  const Result missing = planned("films");
  EXPECT_EQ(missing.exit_code, 0);
  EXPECT_THAT(missing.out, HasSubstr("Missing: --data nowhere/films.csv: neither a file"));
  for (const char* bad : {"films=", "films=a,", "films=,a"}) EXPECT_EQ(planned(bad).exit_code, 2);
  EXPECT_THAT(planned("film").err, HasSubstr("no data 'film', expected some of: films; did you "
                                             "mean 'films'?"));
}

TEST(Suite, WhatIsMissingIsSaidBeforeAnythingRuns) {
  const std::string file = suite_file("missing",
                                      "[[method]]\nname = \"synonyms\"\nmodels = [\"bilstm\"]\n"
                                      "noise = \"substitute:kernel=uniform,size=3\"\n"
                                      "train = { synonyms = \"wordnet\" }\n",
                                      "nowhere/films.csv");
  const Result result = run(suite(file, "suite-missing"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--data nowhere/films.csv: neither a file or folder nor "
                                          "the name of known data"),
                                HasSubstr("wordnet is needed and not fetched; run: textcrs data "
                                          "fetch wordnet")));
  EXPECT_FALSE(fs::exists(workspace().path("suite-missing")));
}

TEST(Suite, WrongFilesAreSaidWithTheirLine) {
  const auto problem = [](const std::string& more) {
    const Result result = run(suite(suite_file("wrong", more), "suite-wrong"));
    EXPECT_EQ(result.exit_code, 3) << more;
    EXPECT_FALSE(fs::exists(workspace().path("suite-wrong")));
    return result.err;
  };
  const auto method = [](const std::string& lines) {
    return "[[method]]\nname = \"x\"\nmodels = [\"bilstm\"]\n" + lines;
  };
  EXPECT_THAT(problem(method("nose = 1\n")), HasSubstr("wrong.toml:49: [[method]]: found the key "
                                                       "'nose'"));
  EXPECT_THAT(problem(method("train = { epoch = 1 }\n")),
              HasSubstr("wrong.toml:49: train has no flag 'epoch'; did you mean 'epochs'?"));
  EXPECT_THAT(problem(method("train = { out = \"x\" }\n")),
              HasSubstr("wrong.toml:49: --out of train is given by the suite itself"));
  EXPECT_THAT(problem(method("judge = { key = \"x\" }\n")),
              HasSubstr("wrong.toml:49: --key of judge may not stand in a file"));
  EXPECT_THAT(problem(method("train = { epochs = true }\n")),
              HasSubstr("wrong.toml:49: --epochs of train needs a value"));
  EXPECT_THAT(problem(method("train = { noise-mean = 2 }\n")),
              HasSubstr("wrong.toml:49: --noise-mean of train takes no value: true, or false"));
  EXPECT_THAT(problem(method("noise = \"delet:p=0.3\"\n")),
              AllOf(HasSubstr("wrong.toml:46: found the noise 'delet', expected one of: "),
                    HasSubstr("did you mean 'delete'?")));
  EXPECT_THAT(problem(method("levels = { low = \"delete:p=1.3\" }\n")),
              HasSubstr("wrong.toml:49: "));
  EXPECT_THAT(problem("[[attack]]\nname = \"textfoole\"\nmethods = [\"plain\"]\n"),
              AllOf(HasSubstr("wrong.toml:46: "), HasSubstr("textfoole")));
  // A value is wrong only for the step that gets it.
  EXPECT_THAT(problem(method("train = { epochs = \"many\" }\n")),
              AllOf(HasSubstr("wrong.toml: films.bilstm.x.train: "), HasSubstr("epochs")));
  EXPECT_THAT(problem(method("certify = { alpha = 2 }\n")),
              HasSubstr("wrong.toml: films.bilstm.x.certify: "));
}

TEST(Suite, WrongNamesAreSaidWithTheNearest) {
  const Result unknown = run({"suite", "quik"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("no suite 'quik', expected a file (.toml) or one of: "),
                                 HasSubstr("did you mean 'quick'?")));
  const Result file = run({"suite", workspace().path("none.toml")});
  EXPECT_EQ(file.exit_code, 3);
  EXPECT_THAT(file.err, HasSubstr("none.toml: there is no such file"));
  const Result word =
      run(suite(suite_file("tiny"), "suite-word", {"--dry-run", "--only", "deletoin"}));
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_THAT(word.err, HasSubstr("no step of the suite is 'deletoin'; did you mean 'deletion'?"));
}

TEST(Suite, ADamagedManifestIsNamed) {
  fs::create_directories(workspace().path("suite-damaged"));
  workspace().write("suite-damaged/suite.json", "{\"suite\": 3}");
  const Result result = run(suite(suite_file("tiny"), "suite-damaged"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("suite-damaged/suite.json: "));
  EXPECT_EQ(read(workspace().path("suite-damaged/suite.json")), "{\"suite\": 3}");
}

// Those that come with the program are understood by it, flag by flag.
TEST(Suite, ThoseThatComeWithTheProgramArePlanned) {
  for (const char* name : {"quick", "paper", "edits"}) {
    const Result result =
        run({"suite", name, "--dry-run", "--out", workspace().path("suite-shipped")});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr(std::string(name) + ": "));
  }
}

}  // namespace
}  // namespace textcrs::cli_test
