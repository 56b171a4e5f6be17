// textcrs predict and textcrs evaluate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kReviews = {"good film with great music and fine story",
                                           "bad film with poor music and dull story"};

Arguments predict(const Arguments& extra) {
  return Arguments{"predict", "--model", workspace().model(), "--samples", "500"} + extra;
}

TEST(Predict, AnswersForItsArgumentsInPlainWords) {
  const Result result = run(predict(kReviews));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], StartsWith("pos; certified for any reordering"));
  EXPECT_THAT(lines[1], StartsWith("neg; certified for any reordering"));
  EXPECT_THAT(lines[0], HasSubstr("99.9 % confidence"));
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
