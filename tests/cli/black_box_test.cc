// certify, predict and covers of programs and endpoints that are none of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "certify_run.h"
#include "http/broken_server.h"
#include "shell.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// The positive words of the workspace's texts.
constexpr const char* kRule =
    "sed -u -E 's/.*\"text\":\"(.* )?(good|great|fine|warm|bright)( .*)?\"}$/pos/; t; s/.*/neg/'";

Arguments of_box(const Arguments& box, const std::string& out, int limit = 12, int samples = 200) {
  return Arguments{"certify",
                   "--noise",
                   "delete:p=0.3",
                   "--data",
                   workspace().texts(),
                   "--limit",
                   std::to_string(limit),
                   "--samples",
                   std::to_string(samples),
                   "--selection-samples",
                   "50",
                   "--exact",
                   "never",
                   "--out",
                   workspace().path(out)} +
         box;
}

Arguments certify_box(const std::string& command, const std::string& out,
                      const Arguments& extra = {}) {
  return of_box(Arguments{"--classifier-command", command} + extra, out);
}

Arguments predict_box(const Arguments& extra) {
  return Arguments{"predict", "--classifier-command", kRule,       "--classes", "neg,pos",
                   "--noise", "universal:p=0.5",      "--samples", "500"} +
         extra;
}

// Every file under a folder, one after the other.
std::string all_files(const std::string& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all += read(entry.path());
  return all;
}

// Labels texts as kRule does, as a list or as a chat.
std::string label_of(const std::string& text) {
  for (const char* word : {"good", "great", "fine", "warm", "bright"})
    if (text.find(word) != text.npos) return "pos";
  return "neg";
}

BrokenServer::Behaviour labels() {
  return [](Peer& peer) {
    const std::string request = peer.read_request();
    const json asked = json_of(request.substr(request.find("\r\n\r\n")));
    json list = json::array();
    for (const std::string text : asked["texts"]) list.push_back(label_of(text));
    peer.send(http_answer("200 OK", json{{"labels", list}}.dump()));
  };
}

BrokenServer::Behaviour chats() {
  return [](Peer& peer) {
    const std::string request = peer.read_request();
    const std::string asked =
        json_of(request.substr(request.find("\r\n\r\n")))["messages"][0]["content"];
    json message = {{"message", {{"content", "**" + label_of(asked) + "**"}}}};
    peer.send(http_answer("200 OK", json{{"choices", {message}}}.dump()));
  };
}

TEST(BlackBox, AProgramIsCertifiedOverADataSet) {
  const Result result = run(certify_box(kRule, "box", {"--classifier-version", "7"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith(std::string(kRule) + " under delete:p=0.3: 12 texts of"));
  EXPECT_THAT(result.out, HasSubstr("Certified accuracy"));
  EXPECT_THAT(result.out, HasSubstr("note: a black box is taken at its word"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\n3000 copies, [0-9]+ asked; [0-9]+ asked twice, "
                                                 "none answered otherwise\n"));
  const auto lines = records("box");
  ASSERT_EQ(lines.size(), 12u);
  for (const json& line : lines) {
    EXPECT_EQ(line["samples"], 250) << line;
    EXPECT_EQ(line["counts"].at(0).get<int>() + line["counts"].at(1).get<int>(), 200) << line;
    EXPECT_EQ(line["prediction"], line["label"]) << line;
  }
  const json settings = json_of(read(workspace().path("box") + "/run.json"));
  EXPECT_THAT(settings.dump(), AllOf(HasSubstr("\"classifier_command\""), HasSubstr("sed -u -E"),
                                     HasSubstr("\"classifier_version\":\"7\""),
                                     HasSubstr("\"classes\":\"neg, pos\"")));
}

TEST(BlackBox, TheSavedFlagsGiveTheSameRun) {
  const auto again = [](const std::string& out) {
    return run({"--config", workspace().path(out) + "/certify.toml", "certify", "--out",
                workspace().path(out + "-again")});
  };
  ASSERT_EQ(run(certify_box("sed -u s/.*/pos/", "flags")).exit_code, 0);
  const Result plain = again("flags");
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(records("flags-again"), records("flags"));
  const BrokenServer server({labels()});
  ASSERT_EQ(
      run(of_box({"--classifier-url", server.url(), "--classes", "neg,pos"}, "url")).exit_code, 0);
  const Result named = again("url");
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(records("url-again"), records("url"));
}

// However it is asked, the votes are the same: batches, workers, repeats, a cache, a URL.
TEST(BlackBox, AnswersDoNotDependOnHowItIsAsked) {
  const BrokenServer server({labels()}), chat({chats()});
  const std::string cache = workspace().path("kept");
  const Arguments cached = {"--classifier-cache", cache};
  const std::vector<Arguments> commands = {
      certify_box(kRule, "asked0"),
      certify_box(kRule, "asked1", {"--classifier-batch", "1", "--classifier-repeats", "0"}),
      certify_box(kRule, "asked2", {"--classifier-workers", "3", "--classifier-batch", "7"}),
      certify_box(kRule, "asked3", cached),
      of_box({"--classifier-url", server.url("/label"), "--classifier-workers", "2"}, "asked5"),
      of_box({"--classifier-url", chat.url("/v1"), "--classifier-model", "m"}, "asked6")};
  for (const Result& result : run_all(commands)) ASSERT_EQ(result.exit_code, 0) << result.err;
  const Result again = run(certify_box(kRule, "asked4", cached));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out,
              testing::ContainsRegex("\n3000 copies, 0 asked, [0-9]+ kept from earlier runs\n"));
  const auto expected = records("asked0");
  EXPECT_EQ(expected.size(), 12u);
  for (const char* out : {"asked1", "asked2", "asked3", "asked4", "asked5", "asked6"})
    EXPECT_EQ(records(out), expected) << out;
}

TEST(BlackBox, AKeyIsWrittenNowhere) {
  const BrokenServer server({labels()});
  const std::string url = server.url("/label?token=hidden"), cache = workspace().path("key-cache");
  const Result result = run(of_box({"--classifier-url", url, "--classifier-cache", cache}, "keyed"),
                            {{"TEXTCRS_CLASSIFIER_KEY", "sk-secret"}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(server.requests()[0], HasSubstr("Authorization: Bearer sk-secret"));
  EXPECT_THAT(result.out, AllOf(StartsWith(server.url("/label") + " under"),
                                testing::ContainsRegex("; [0-9]+ requests\n")));
  const std::string written =
      all_files(workspace().path("keyed")) + all_files(cache) + result.out + result.err;
  EXPECT_THAT(written, HasSubstr(server.url("/label")));
  EXPECT_THAT(written, Not(HasSubstr("sk-secret")));
  EXPECT_THAT(written, Not(HasSubstr("hidden")));
}

TEST(BlackBox, AnInterruptedRunGoesOnWithTheSameCommand) {
  const std::string slow =
      "while IFS= read -r line; do sleep 0.002; case $line in *good*) echo pos;; *) echo neg;; "
      "esac; done";
  const auto slowly = [&](const std::string& out) {
    return of_box({"--classifier-command", slow}, out, 5, 100);
  };
  {
    Process process(slowly("stopped-box"));
    ASSERT_TRUE(runs_until(process, [] { return records("stopped-box").size() >= 1; }))
        << process.wait().err;
    process.signal(SIGINT);
    const Result result = process.wait();
    EXPECT_EQ(result.exit_code, 4) << result.err;
  }
  EXPECT_LT(records("stopped-box").size(), 5u);
  const Result other = run(slowly("stopped-box") + Arguments{"--classifier-version", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("classifier-version"));
  const Result resumed = run(slowly("stopped-box"));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const Result whole = run(slowly("whole-box"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(records("stopped-box"), records("whole-box"));
}

TEST(BlackBox, ASpentBudgetKeepsWhatIsDone) {
  const BrokenServer server({labels()});
  const auto with_budget = [&](const char* budget) {
    return of_box(
        {"--classifier-url", server.url(), "--classifier-budget", budget, "--classifier-repeats",
         "0", "--classifier-cache", workspace().path("spent-cache")},
        "spent");
  };
  const Result spent = run(with_budget("10"));
  EXPECT_EQ(spent.exit_code, 1);
  EXPECT_THAT(spent.err, AllOf(HasSubstr("the budget of 10 questions is spent"),
                               HasSubstr(workspace().path("spent-cache"))));
  const size_t done = records("spent").size();
  EXPECT_GT(done, 0u);
  EXPECT_LT(done, 12u);
  const Result more = run(with_budget("1000"));
  ASSERT_EQ(more.exit_code, 0) << more.err;
  const Result whole = run(of_box({"--classifier-url", server.url()}, "unspent"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(records("spent"), records("unspent"));
}

TEST(BlackBox, PredictSaysWhatIsCertain) {
  const Result result =
      run(predict_box({"--seed", "1", "a good and warm film with a bright story", "a dull film"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(
      lines[0],
      MatchesRegex("pos \\(.* votes\\).*certified at 99.9 % confidence; note: a black box .*"));
  EXPECT_THAT(lines[1], StartsWith("neg ("));
  EXPECT_THAT(result.err, HasSubstr(" asked"));
  const Result piped =
      run(predict_box({"--json", "--explain"}), {}, "good great fine warm film\n\n");
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  ASSERT_EQ(lines_of(piped.out).size(), 2u);
  EXPECT_EQ(json_of(lines_of(piped.out)[0])["prediction"], "pos");
}

TEST(BlackBox, ClassesAreOneArgument) {
  const Arguments base = {
      "predict", "--classifier-command", kRule, "--noise", "delete:p=0.1", "--seed", "1"};
  const std::string text = "a good great fine warm film";
  const auto results = run_all({base + Arguments{"--classes", "neg,pos", text},
                                base + Arguments{"--classes", "neg", "--classes", "pos", text},
                                base + Arguments{"--classes=neg,pos", text}});
  const Result twin = run(base + Arguments{text}, {{"TEXTCRS_CLASSES", "neg,pos"}});
  EXPECT_EQ(twin.exit_code, 0) << twin.err;
  EXPECT_THAT(twin.out, StartsWith("pos ("));
  for (const Result& result : results) EXPECT_EQ(result.out, twin.out) << result.err;
}

TEST(BlackBox, PredictDrawsItsSeed) {
  const Arguments command = predict_box({"--exact", "never", "--json", "a good film with a story"});
  const auto results = run_all(
      {command, command, command + Arguments{"--seed", "5"}, command + Arguments{"--seed", "5"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(json_of(results[0].out)["seed"], json_of(results[1].out)["seed"]);
  EXPECT_EQ(results[2].out, results[3].out);
}

TEST(BlackBox, CoversSaysWhetherAnEditIsCovered) {
  const auto covers = [](const std::string& edited) {
    return run({"covers", "--classifier-command", "sed -u s/.*/pos/", "--classes", "neg,pos",
                "--noise", "universal:p=0.9", "--seed", "1", "--samples", "2000", "--original",
                "a warm and funny film", "--edited", edited});
  };
  const Result covered = covers("film warm a funny");
  ASSERT_EQ(covered.exit_code, 0) << covered.err;
  EXPECT_THAT(covered.out, AllOf(StartsWith("original: pos ("), HasSubstr("\ncovered: ")));
  EXPECT_THAT(covers("one two three four five six seven eight").out, HasSubstr("\nnot covered: "));
}

TEST(BlackBox, SubstituteDrawsFromTheSynonymsThatAreNamed) {
  const Arguments command = {
      "predict", "--classifier-command",    kRule,    "--classes", "neg,pos",
      "--noise", "substitute:kernel=graph", "--seed", "1",         "a good film"};
  EXPECT_EQ(run(command).exit_code, 2);
  const Result result = run(command + Arguments{"--synonyms", workspace().synonyms()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("pos ("));
}

TEST(BlackBox, WhatAnswersATextInTwoWaysIsNamed) {
  const std::string counting =
      "i=0; while IFS= read -r line; do i=$((i+1)); [ $((i % 3)) = 0 ] && echo pos || echo neg; "
      "done";
  const Result result = run(certify_box(counting, "changing"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" answered otherwise"));
  EXPECT_THAT(result.out, testing::ContainsRegex("warning: [0-9]+ of 12 texts: the black box does "
                                                 "not answer a text the same way each time"));
  // Whoever reads the results alone is told, too.
  EXPECT_THAT(records("changing").back()["warnings"].dump(),
              HasSubstr("the black box does not answer a text the same way each time"));
}

TEST(BlackBox, WhatItDoesWrongEndsTheRunWithItsReason) {
  const struct {
    const char* command;
    int exit_code;
    const char* why;
  } cases[] = {
      {"sed -u s/.*/maybe/", 3,
       "line 1 of its answers: found the label \"maybe\", expected one of"},
      {"sed -u 's/.*/[NaN,1]/'", 3, "line 1 of its answers: "},
      {"while read -r l; do printf 'pos\\npos\\n'; done", 3, "which nothing was asked for"},
      {"/no/such/program", 1, "exited with code 127 after 0 of"},
      {"read -r line; echo pos; echo why >&2; exit 5", 1,
       "exited with code 5 after 1 of 13 answers (3 attempts); its standard error ends in \"why\""},
      {"cat >/dev/null", 1, "it has never answered"},
      {"read -r line; head -c 3000000 /dev/zero", 3, "found more than 1048576 bytes"},
  };
  std::vector<Arguments> commands;
  for (const auto& one : cases)
    commands.push_back(certify_box(one.command, "wrong" + std::to_string(commands.size()),
                                   {"--classifier-timeout", "5"}));
  const auto results = run_all(commands);
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, cases[i].exit_code) << cases[i].command;
    EXPECT_THAT(results[i].err, HasSubstr(cases[i].why)) << cases[i].command;
  }
}

TEST(BlackBox, FlagsThatContradictEachOtherAreRefused) {
  const auto refused = [](const Arguments& command) {
    const Result result = run(command);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(refused(certify_box(kRule, "no", {"--classifier-url", "http://localhost:1"})),
              HasSubstr("not both"));
  EXPECT_THAT(refused(certify_box(kRule, "no", {"--model", "m"})),
              HasSubstr("--model is for models"));
  EXPECT_THAT(refused(certify_box(kRule, "no", {"--threads", "2"})), HasSubstr("--threads"));
  EXPECT_THAT(refused(certify_box(kRule, "no", {"--classifier-budget", "2"})),
              HasSubstr("--classifier-budget goes with --classifier-url"));
  EXPECT_THAT(refused(of_box(
                  {"--classifier-url", "http://localhost:1", "--classifier-unclear", "neg"}, "no")),
              HasSubstr("goes with --classifier-model"));
  EXPECT_THAT(refused({"predict", "--model", "m", "--classes", "a,b", "x"}),
              HasSubstr("--classes goes with"));
  EXPECT_THAT(refused({"predict", "--classifier-command", kRule, "--noise", "insert:sigma=1",
                       "--classes", "a,b", "x"}),
              HasSubstr("reads texts"));
  EXPECT_THAT(refused({"predict", "--classifier-command", kRule, "--noise", "delete:p=0.5",
                       "--classes", "a", "x"}),
              HasSubstr("alone"));
  EXPECT_THAT(refused({"predict", "--classifier-command", kRule, "--classes", "a,b", "x"}),
              HasSubstr("needs --noise"));
  EXPECT_THAT(refused({"predict", "--classifier-command", kRule, "--noise", "delete:p=0.5", "x"}),
              HasSubstr("needs --classes"));
  EXPECT_FALSE(std::filesystem::exists(workspace().path("no")));
}

// The scripts of the documentation.

const std::string kExamples = std::string(TEXTCRS_MODELS) + "/../examples/black-box/";

std::string messages() {
  std::string lines;
  for (int i = 0; i < 60; ++i)
    lines += i % 3 == 0 ? "spam\tclaim your free prize now " + std::to_string(i) + "\n"
                        : "ham\tsee you at home in the evening " + std::to_string(i) + "\n";
  return workspace().write("SMSSpamCollection.txt", lines);
}

Arguments certify_messages(const std::string& command, const std::string& out) {
  return {"certify",
          "--classifier-command",
          command,
          "--noise",
          "delete:p=0.5",
          "--data",
          messages(),
          "--format",
          "sms-spam",
          "--samples",
          "500",
          "--out",
          workspace().path(out)};
}

TEST(BlackBoxExamples, TheShellsRuleIsCertified) {
  const Result result = run(certify_messages(kExamples + "rule.sh", "rule"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = records("rule");
  EXPECT_EQ(lines.size(), 12u);
  for (const json& line : lines) EXPECT_EQ(line["prediction"], line["label"]);
}

TEST(BlackBoxExamples, AModelOfScikitLearnIsCertified) {
  if (shell("/usr/bin/python3 -c 'import sklearn' 2>&1").exit_code != 0)
    GTEST_SKIP() << "/usr/bin/python3 has no scikit-learn (Debian: python3-sklearn)";
  const std::string model = workspace().path("spam.joblib");
  const ShellResult trained =
      shell("/usr/bin/python3 " + kExamples + "train_spam.py " + messages() + " " + model + " 0.5");
  ASSERT_EQ(trained.exit_code, 0);
  const Result result =
      run(certify_messages("/usr/bin/python3 " + kExamples + "serve_spam.py " + model, "sklearn"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& line : records("sklearn")) EXPECT_EQ(line["prediction"], line["label"]);
}

TEST(BlackBoxExamples, AProgramBehindAUrlAnswersAsItDoes) {
  if (!is_installed("python3")) GTEST_SKIP() << "no python3";
  const std::string address = workspace().path("address"), id = workspace().path("server-id");
  shell("python3 " + kExamples + "serve_http.py 0 " + kExamples + "rule.sh >" + address +
        " 2>/dev/null & echo $! >" + id);
  std::string url;
  for (int look = 0; look < 400 && url.empty(); ++look) {
    shell("sleep 0.05");
    url = read(address);
  }
  ASSERT_THAT(url, testing::EndsWith("\n"));
  url.pop_back();
  const std::string texts = "you won a prize\nsee you at home\n";
  const Arguments common = {"predict", "--classes", "ham,spam",  "--noise", "delete:p=0.5",
                            "--seed",  "1",         "--samples", "100"};
  const Environment local = {{"no_proxy", "127.0.0.1"}};
  const Result program =
      run(common + Arguments{"--classifier-command", kExamples + "rule.sh"}, local, texts);
  const Result list = run(common + Arguments{"--classifier-url", url}, local, texts);
  const Result chat =
      run(common + Arguments{"--classifier-url", url + "/v1", "--classifier-model", "any"}, local,
          texts);
  shell("kill $(cat " + id + ")");
  EXPECT_EQ(program.exit_code, 0) << program.err;
  EXPECT_THAT(program.out, StartsWith("spam ("));
  EXPECT_EQ(list.out, program.out) << list.err;
  EXPECT_EQ(chat.out, program.out) << chat.err;
}

}  // namespace
}  // namespace textcrs::cli_test
