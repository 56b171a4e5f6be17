// A model whose sentences vote, from training to certificates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"
#include "textcrs/base/stream.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// 120 texts of three to seven sentences, most of which say what the text says; one text is empty.
std::string reviews() {
  static const std::string path = [] {
    const std::vector<std::string> good = {"This was a great film.", "Good music!", "Very bright."},
                                   bad = {"This was a poor film.", "Bad music!", "Very cold."};
    std::string csv = "text,label\n\" \",neg\n";
    for (uint32_t i = 0; i < 120; ++i) {
      Stream stream(3, i, 0);
      const bool positive = i % 2 == 1;
      csv += '"';
      for (uint32_t s = 3 + stream.below(5); s > 0; --s)
        csv += (stream.below(8) == 0 ? "The town is one of two. "
                                     : (positive ? good : bad)[stream.below(3)]) +
               " ";
      csv += positive ? "\",pos\n" : "\",neg\n";
    }
    return workspace().write("reviews.csv", csv);
  }();
  return path;
}

Arguments training(const std::string& out) {
  Arguments command = workspace().training(workspace().path(out), 6);
  const auto at = [&](const char* flag) { return std::find(command.begin(), command.end(), flag); };
  *(at("--data") + 1) = reviews();
  const auto noise = at("--noise");
  command.erase(noise, noise + 2);
  return command + Arguments{"--units", "sentences"};
}

std::string model() {
  static const std::string folder = [] {
    const Result result = run(training("sentences"));
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return workspace().path("sentences");
  }();
  return folder;
}

TEST(Sentences, AreWrittenToTheModel) {
  EXPECT_EQ(json_of(read(model() + "/config.json"))["units"], "sentences");
  EXPECT_THAT(read(model() + "/train.toml"), HasSubstr("units=\"sentences\""));
  EXPECT_THAT(read(model() + "/train.toml"), HasSubstr("edits=1"));
}

TEST(Sentences, PredictSpeaksOfThem) {
  const std::string text =
      "This was a great film. Good music! Very bright. Good music! This was a great film.";
  const Arguments predict = {"predict", "--model", model()};
  const auto results =
      run_all({predict + Arguments{text, ""}, predict + Arguments{"--json", "--explain", text}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(results[0].out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("pos ("));
  EXPECT_THAT(lines[0], HasSubstr("stays so in any order of its sentences, even with"));
  EXPECT_THAT(lines[0], HasSubstr("up to 2 sentences rewritten, inserted or deleted"));
  EXPECT_THAT(lines[0], HasSubstr("proved without sampling"));
  EXPECT_THAT(lines[0], Not(HasSubstr("word")));
  EXPECT_THAT(lines[1], HasSubstr("neg (without a vote)"));  // the first class
  const auto json = json_of(results[1].out);
  EXPECT_EQ(json["sentences"], 5);
  EXPECT_FALSE(json.contains("words"));
  EXPECT_EQ(json["exact"], true);
  EXPECT_GE(json["sound"]["edit"], 1);
  EXPECT_FALSE(json.contains("witness"));
  EXPECT_TRUE(json["explanation"].contains("sentences"));
}

TEST(Sentences, CoversSplitsBothTexts) {
  const std::string text =
      "This was a great film. Good music! Very bright. Good music! This was a great film.";
  const Arguments covers = {"covers", "--model", model(), "--original", text, "--edited"};
  const auto results = run_all(
      {covers + Arguments{"Good music! This was a great film. Very bright. This was a great film. "
                          "Bad bad town!"},
       covers + Arguments{"This was a great film. Good music! Very bright. Good music! This was. A "
                          "great. Film."},
       covers + Arguments{"Bad music!"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, HasSubstr("\ncovered: 1 sentence lost and 1 gained"));
  EXPECT_THAT(results[1].out, HasSubstr("1 sentence lost and 3 gained"));
  EXPECT_THAT(results[2].out, HasSubstr("\nnot covered: 5 sentences lost and 1 gained"));
}

TEST(Sentences, CertifyCountsThem) {
  const Result result = run({"certify", "--model", model(), "--data", reviews(), "--out",
                             workspace().path("sentence-results"), "--split", "train"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("under sentence votes"));
  EXPECT_THAT(result.out, HasSubstr("the radius counts sentences"));
  const auto all = records("sentence-results");
  ASSERT_EQ(all.size(), 121u);
  size_t once = 0;
  for (const auto& record : all) {
    EXPECT_TRUE(record.contains("sentences"));
    EXPECT_EQ(record["exact"], true);
    once += record["sound"]["edit"] >= 1;
  }
  EXPECT_EQ(all[0]["sentences"], 0);
  EXPECT_EQ(all[0]["prediction"], "neg");
  EXPECT_GT(once, 60u);
  const auto summary = json_of(read(workspace().path("sentence-results") + "/summary.json"));
  EXPECT_EQ(summary["unit"], "sentence");
  const Result evaluated =
      run({"evaluate", "--model", model(), "--data", reviews(), "--split", "train", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(json_of(evaluated.out)["confusion"], summary["confusion"]);
  EXPECT_GT(json_of(evaluated.out)["accuracy"], 0.9);
}

TEST(Sentences, WhatDoesNotGoWithThemIsRefused) {
  const auto results =
      run_all({training("refused") + Arguments{"--noise", "delete:p=0.3"},
               training("refused") + Arguments{"--for", "deletions"},
               training("refused") + Arguments{"--architecture", "votes"},
               training("refused") + Arguments{"--units", "paragraphs"},
               {"predict", "--model", model(), "--noise", "delete:p=0.3", "x"},
               {"predict", "--model", model(), "--engine", "reference", "x"},
               {"predict", "--model", model(), "--stop", "auto", "x"},
               {"evaluate", "--model", model(), "--data", reviews(), "--noise", "delete:p=0.3"}});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(results[0].err, HasSubstr("without noise"));
  EXPECT_THAT(results[5].err, HasSubstr("cpu and cuda engines"));
}

}  // namespace
}  // namespace textcrs::cli_test
