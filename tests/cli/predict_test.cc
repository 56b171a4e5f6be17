// textcrs predict and textcrs evaluate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> kReviews = {"good film with great music and fine story",
                                           "bad film with poor music and dull story"};

Arguments predict_with_any_seed(const Arguments& extra) {
  return Arguments{"predict", "--model", workspace().model(), "--samples", "500"} + extra;
}

Arguments predict(const Arguments& extra) {
  return predict_with_any_seed(Arguments{"--seed", "1"} + extra);
}

TEST(Predict, AnswersForItsArgumentsInPlainWords) {
  const Result result = run(predict(kReviews));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0],
              MatchesRegex("pos \\(.* votes\\), and stays so in any word order, even with "
                           "up to [1-8] of its 8 words deleted; certified at 99.9 % "
                           "confidence"));
  EXPECT_THAT(lines[1], StartsWith("neg ("));
}

// A seed that others know lets them search for a lucky sample.
TEST(Predict, DrawsItsSeedAndSaysIt) {
  const Arguments command = predict_with_any_seed({"--exact", "never"}) + kReviews;
  const Result first = run(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, MatchesRegex("the same answers again: --seed [0-9]+\n"));
  const std::string seed = first.err.substr(first.err.rfind(' ') + 1);
  const auto results = run_all({command + Arguments{"--seed", seed.substr(0, seed.size() - 1)},
                                command + Arguments{"--json"}, command + Arguments{"--json"},
                                command + Arguments{"--json", "--seed", "7"}});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].out, first.out);
  EXPECT_EQ(results[0].err, "");
  EXPECT_EQ(results[1].err, "");
  const auto seed_of = [&](const Result& result, size_t line) {
    return json_of(lines_of(result.out)[line])["seed"].get<uint64_t>();
  };
  EXPECT_EQ(seed_of(results[1], 0), seed_of(results[1], 1));
  EXPECT_NE(seed_of(results[1], 0), seed_of(results[2], 0));
  EXPECT_EQ(seed_of(results[3], 0), 7u);
  const Result repeated =
      run(command + Arguments{"--json", "--seed", std::to_string(seed_of(results[1], 0))});
  EXPECT_EQ(repeated.out, results[1].out);
}

TEST(Predict, SaysNoSeedWhereNothingIsDrawn) {
  const Arguments command =
      predict_with_any_seed({"--noise", "hash:buckets=2,functions=9"}) + kReviews;
  const auto results = run_all(
      {command, command + Arguments{"--json", "--explain"}, command + Arguments{"--explain"}});
  ASSERT_EQ(results[0].exit_code, 0) << results[0].err;
  EXPECT_EQ(results[0].err, "");
  EXPECT_EQ(results[2].err, "");
  EXPECT_FALSE(json_of(lines_of(results[1].out)[0]).contains("seed"));
}

TEST(Predict, WarnsOfAnswersThatMeanLittle) {
  const Arguments short_text = predict({"--noise", "universal:p=0.9", "good film"});
  const auto results = run_all({short_text, short_text + Arguments{"--json"},
                                predict({"--json", "qwxz zzkjq film", kReviews[0]})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string blank = "noisy copies that keep no word of the text are enough to decide",
                    noise =
                        "noise universal:p=0.9 is not the one the model was trained with, "
                        "universal:p=0.3";
  EXPECT_THAT(results[0].out, HasSubstr("; warning: " + blank));
  EXPECT_THAT(results[0].out, HasSubstr("; warning: " + noise + "\n"));
  const auto warnings = json_of(results[1].out)["warnings"];
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], StartsWith(blank));
  EXPECT_EQ(warnings[1], noise);
  const auto lines = lines_of(results[2].out);
  const auto unknown = json_of(lines[0])["warnings"];
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0], "most words of the text are unknown to the model");
  EXPECT_FALSE(json_of(lines[1]).contains("warnings"));
}

TEST(Predict, ExplainsByTheWordsThatMoveTheVotes) {
  const Arguments command = predict({"--explain", "film with very bad music and two scene"});
  const auto results = run_all({command, command + Arguments{"--json", "--explain-words", "2"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(results[0].out);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_THAT(lines[1], MatchesRegex("  measured, not proved: [0-9.]+ % of the votes are for neg; "
                                     "without the word"));
  EXPECT_THAT(lines[2], MatchesRegex(" +[0-9.]+ %  bad"));
  const auto explanation = json_of(results[1].out)["explanation"];
  EXPECT_EQ(explanation["proved"], false);
  EXPECT_EQ(explanation["copies"], 1000);
  EXPECT_GT(explanation["share"], 0.5);
  const auto listed = explanation["words"];
  ASSERT_FALSE(listed.empty());
  EXPECT_LE(listed.size(), 2u);
  EXPECT_EQ(listed[0]["word"], "bad");
  EXPECT_EQ(listed[0]["positions"], std::vector<int>{3});
  EXPECT_LT(listed[0]["change"], -0.2);
}

// Few outcomes: they are counted for the answer and for the explanation.
TEST(Predict, ExplainsByCountsWhatItCounted) {
  const Arguments command = predict_with_any_seed({"--explain", "very bad scene", "good bad"});
  const auto results = run_all({command, command + Arguments{"--json"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].err, "");  // no seed
  EXPECT_THAT(results[0].out, HasSubstr("\n  counted: "));
  EXPECT_THAT(results[0].out, Not(HasSubstr("measured")));
  for (const std::string& line : lines_of(results[1].out)) {
    const auto answer = json_of(line);
    EXPECT_EQ(answer["exact"], true);
    EXPECT_EQ(answer["explanation"]["counted"], true);
    EXPECT_NEAR(answer["explanation"]["share"].get<double>(), answer["pa"].get<double>(), 1e-9);
    EXPECT_FALSE(answer.contains("seed"));
  }
}

TEST(Predict, AnswersTheSameForLinesOfStandardInput) {
  const Result result = run(predict({}), {}, kReviews[0] + "\n" + kReviews[1] + "\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, run(predict(kReviews)).out);
}

TEST(Predict, JsonIsOneObjectAText) {
  const Result result = run(predict({"--json", kReviews[0], kReviews[1], ""}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3u);
  const auto first = json_of(lines[0]), empty = json_of(lines[2]);
  ASSERT_TRUE(first.is_object() && json_of(lines[1]).is_object() && empty.is_object());
  EXPECT_EQ(first["prediction"], "pos");
  EXPECT_EQ(first["abstained"], false);
  EXPECT_EQ(first["words"], 8);
  EXPECT_EQ(first["counts"][0].get<int>() + first["counts"][1].get<int>(), 500);
  EXPECT_GT(first["pa"], 0.5);
  EXPECT_EQ(first["noise"], "universal:p=0.3");
  EXPECT_EQ(first["sound"]["certified"], true);
  EXPECT_EQ(first["sound"]["reordering"], "unlimited");
  EXPECT_FALSE(first["sound"].contains("proved"));
  EXPECT_EQ(first["paper"]["proved"], false);
  // The one noisy copy of an empty text is the empty one.
  EXPECT_TRUE(empty["prediction"].is_string());
  EXPECT_EQ(empty["abstained"], false);
  EXPECT_EQ(empty["words"], 0);
  EXPECT_EQ(empty["exact"], true);
  EXPECT_EQ(empty["samples"], 1);
  EXPECT_EQ(empty["sound"]["certified"], true);
  EXPECT_EQ(empty["sound"]["deletion"], 0);
}

TEST(Evaluate, MeasuresTheSmoothedClassifier) {
  const Arguments command = {
      "evaluate", "--model", workspace().model(), "--data", workspace().texts(), "--copies", "20"};
  const auto results = run_all(
      {command, command + Arguments{"--threads", "1"}, command + Arguments{"--noise", "none"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].out, results[1].out);
  EXPECT_THAT(results[0].out, HasSubstr("200 texts"));
  EXPECT_THAT(results[0].out, HasSubstr("universal:p=0.3, 20 copies per text"));
  EXPECT_THAT(results[2].out, HasSubstr("none, 1 copy per text"));
  EXPECT_THAT(results[0].out, Not(HasSubstr("trained with")));
  EXPECT_THAT(results[2].out,
              HasSubstr("noise none is not the one the model was trained with, universal:p=0.3\n"));
  double accuracy = 0;
  ASSERT_EQ(sscanf(results[0].out.c_str(), "accuracy %lf %%", &accuracy), 1) << results[0].out;
  EXPECT_GT(accuracy, 90);
}

TEST(Evaluate, NeedsLabels) {
  const std::string file = workspace().write("no-labels.csv", "text\ngood film\n");
  const Result result = run({"evaluate", "--model", workspace().model(), "--data", file});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(file));
}

}  // namespace
}  // namespace textcrs::cli_test
