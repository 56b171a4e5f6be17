// textcrs certify and textcrs predict with a model that was trained without noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string plain_model() {
  static const std::string model = [] {
    Arguments command = workspace().training(workspace().path("plain"));
    *(std::find(command.begin(), command.end(), "--noise") + 1) = "none";
    const Result result = run(command);
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return workspace().path("plain");
  }();
  return model;
}

TEST(Plain, PredictAnswersAndSaysThatNothingIsCertified) {
  const Arguments predict = {"predict", "--model", plain_model()};
  const auto results =
      run_all({predict + Arguments{"good film with great music"},
               predict + Arguments{"--json", "bad film with poor music", ""},
               predict + Arguments{"--noise", "universal:p=0.3", "good film with great music"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].out, "pos; nothing is certified: the model was trained without noise\n");
  const auto lines = lines_of(results[1].out);
  ASSERT_EQ(lines.size(), 2u);
  const auto json = json_of(lines[0]);
  EXPECT_EQ(json["prediction"], "neg");
  EXPECT_EQ(json["counts"], (nlohmann::json{1, 0}));
  EXPECT_EQ(json["samples"], 1);
  EXPECT_EQ(json["noise"], "none");
  EXPECT_EQ(json["sound"]["certified"], false);
  EXPECT_EQ(json["paper"]["certified"], false);
  EXPECT_EQ(json_of(lines[1])["abstained"], false);  // the model's answer to no words
  EXPECT_THAT(results[2].out, HasSubstr("stays so in any word order"));
}

TEST(Plain, CertifyCountsPlainAnswers) {
  const Arguments command = {"certify",
                             "--model",
                             plain_model(),
                             "--data",
                             workspace().texts(),
                             "--out",
                             workspace().path("plain-results")};
  const Result result = run(command);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("the model's plain answers\naccuracy "));
  EXPECT_THAT(result.out, HasSubstr("label \\ answer  neg  pos  no answer\n"));
  EXPECT_THAT(result.out, HasSubstr("\nNothing is certified: the model was trained without noise"));
  EXPECT_THAT(result.out, Not(HasSubstr("Certified accuracy")));
  const auto all = records("plain-results");
  ASSERT_EQ(all.size(), 200u);
  for (const auto& record : all) {
    EXPECT_FALSE(record.contains("sound") || record.contains("paper"));
    EXPECT_EQ(record["samples"], 1);
    EXPECT_EQ(record["exact"], true);
  }
  const auto summary = json_of(read(workspace().path("plain-results") + "/summary.json"));
  EXPECT_FALSE(summary.contains("sound") || summary.contains("certified_share"));
  // The same answers as evaluate's.
  const Result evaluated =
      run({"evaluate", "--model", plain_model(), "--data", workspace().texts(), "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(json_of(evaluated.out)["confusion"], summary["confusion"]);
  EXPECT_EQ(json_of(evaluated.out)["accuracy"], summary["answered_accuracy"]);
}

TEST(Plain, AStopRuleIsRefused) {
  const Result result = run({"certify", "--model", plain_model(), "--data", workspace().texts(),
                             "--stop", "auto", "--out", workspace().path("plain-stop")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("without noise"));
}

}  // namespace
}  // namespace textcrs::cli_test
