// textcrs predict, certify, evaluate, covers with a fallback, and textcrs threshold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string trained(const std::string& name, const Arguments& command) {
  const Result result = run(command);
  if (result.exit_code != 0) throw std::runtime_error(result.err);
  return workspace().path(name);
}

std::string votes_model() {
  static const std::string model =
      trained("cascade-votes", {"train", "--data", workspace().texts(), "--vectors",
                                workspace().vectors(), "--architecture", "votes", "--edits", "1",
                                "--epochs", "3", "--out", workspace().path("cascade-votes")});
  return model;
}

std::string plain_model() {
  static const std::string model = [] {
    Arguments command = workspace().training(workspace().path("cascade-plain"));
    *(std::find(command.begin(), command.end(), "--noise") + 1) = "none";
    return trained("cascade-plain", command);
  }();
  return model;
}

Arguments cascade(const std::string& verb, const std::string& threshold) {
  return {verb, "--model", votes_model(), "--fallback", plain_model(), "--threshold", threshold};
}

const std::string kByFallback =
    "the votes were not clear: answered by the fallback, nothing is certified";

TEST(Cascade, PredictSaysWhoAnswers) {
  const std::string text = "good film with great music bright and warm";
  const auto results = run_all({cascade("predict", "0.5") + Arguments{text},
                                cascade("predict", "1000") + Arguments{text},
                                cascade("predict", "1000") + Arguments{"--json", text, ""},
                                cascade("predict", "1000") + Arguments{"--explain", text}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, AllOf(StartsWith("pos ("), HasSubstr("stays so in any word order"),
                                    EndsWith("; more edits may leave it to the fallback\n")));
  EXPECT_EQ(results[1].out, "pos; " + kByFallback + "\n");
  const auto lines = lines_of(results[2].out);
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& line : lines) {
    const auto json = json_of(line);
    EXPECT_EQ(json["not_certified"], kByFallback);
    EXPECT_EQ(json["sound"]["certified"], false);
    EXPECT_EQ(json["sound"]["edit"], 0);
    EXPECT_FALSE(json.contains("witness"));
  }
  EXPECT_THAT(results[3].out, HasSubstr("% of the votes are for pos"));
}

TEST(Cascade, CoversSaysWhy) {
  const Arguments texts = {"--original", "good great warm bright film", "--edited",
                           "film good great warm bright"};
  const auto results =
      run_all({cascade("covers", "0.5") + texts, cascade("covers", "1000") + texts});
  EXPECT_THAT(results[0].out, HasSubstr("\ncovered: "));
  EXPECT_THAT(results[1].out, HasSubstr("\nnot covered: " + kByFallback + "\n"));
}

Arguments certify(const std::string& out, const std::string& threshold) {
  return cascade("certify", threshold) +
         Arguments{"--data", workspace().texts(), "--out", workspace().path(out)};
}

TEST(Cascade, CertifyGoesOnWithTheSameModelsOnly) {
  const Result result = run(certify("cascade", "2"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto all = records("cascade");
  ASSERT_EQ(all.size(), 200u);
  const auto by_fallback = std::count_if(
      all.begin(), all.end(), [](const auto& record) { return record.contains("not_certified"); });
  EXPECT_GT(by_fallback, 0);
  EXPECT_LT(by_fallback, 200);
  for (const auto& record : all) {
    EXPECT_EQ(record["sound"]["certified"], !record.contains("not_certified"));
    EXPECT_EQ(record["samples"], record.contains("not_certified") ? 1 : 0);
  }
  EXPECT_THAT(result.out,
              HasSubstr(std::to_string(by_fallback) + " of 200 texts answered by the fallback: "));
  const auto summary = json_of(read(workspace().path("cascade") + "/summary.json"));
  EXPECT_EQ(summary["by_fallback"], by_fallback);
  // evaluate gives the same answers.
  const Result evaluated =
      run(cascade("evaluate", "2") + Arguments{"--data", workspace().texts(), "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const auto json = json_of(evaluated.out);
  EXPECT_EQ(json["confusion"], summary["confusion"]);
  EXPECT_EQ(json["by_fallback"], by_fallback);
  EXPECT_EQ(json["threshold"], 2.0);

  Arguments other_fallback = certify("cascade", "2"), no_fallback = other_fallback;
  *(std::find(other_fallback.begin(), other_fallback.end(), "--fallback") + 1) = votes_model();
  no_fallback.erase(no_fallback.begin() + 3, no_fallback.begin() + 7);
  const auto results =
      run_all({certify("cascade", "2"), certify("cascade", "2.5"), other_fallback, no_fallback});
  EXPECT_EQ(results[0].exit_code, 0) << results[0].err;
  for (size_t i = 1; i < results.size(); ++i) EXPECT_EQ(results[i].exit_code, 2) << results[i].err;
  EXPECT_THAT(results[1].err, HasSubstr("(--threshold was 2.0, now 2.5)"));
  EXPECT_THAT(results[2].err, HasSubstr("(--fallback was "));
  EXPECT_THAT(results[3].err, HasSubstr("(--engine was \"votes, else cpu "));
}

TEST(Cascade, TheSavedFlagsGiveTheSameRun) {
  ASSERT_EQ(run(certify("cascade-saved", "2")).exit_code, 0);
  const Result again = run({"--config", workspace().path("cascade-saved") + "/certify.toml",
                            "certify", "--out", workspace().path("cascade-again")});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(records("cascade-again"), records("cascade-saved"));
}

TEST(Cascade, EvaluateSaysHowManyTheFallbackAnswered) {
  const Result result = run(cascade("evaluate", "1000") + Arguments{"--data", workspace().texts()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n200 of 200 texts answered by the fallback\n"));
}

TEST(Cascade, ContradictionsAreRefused) {
  const Arguments predict = {"predict", "good film"};
  const Arguments votes = {"--model", votes_model()}, fallback = {"--fallback", plain_model()},
                  one = {"--threshold", "1"};
  const std::string others = workspace().write("ham.csv", "text,label\ngood,ham\nbad,spam\n");
  const std::string two =
      trained("cascade-ham", {"train", "--data", others, "--vectors", workspace().vectors(),
                              "--architecture", "linear", "--noise", "none", "--epochs", "1",
                              "--out", workspace().path("cascade-ham")});
  const auto results = run_all(
      {predict + votes + one, predict + votes + fallback,
       predict + Arguments{"--model", plain_model()} + fallback + one,
       predict + votes + Arguments{"--fallback", workspace().model()} + one,
       predict + votes + Arguments{"--fallback", two} + one,
       predict + votes + fallback + one + Arguments{"--noise", "universal:p=0.5"},
       predict + votes + fallback + Arguments{"--threshold", "-1"},
       predict + votes + fallback + Arguments{"--threshold", "1e7"},
       predict + votes + fallback + one + Arguments{"--candidates", "3"},
       Arguments{"evaluate", "--data", workspace().texts()} + votes + one,
       Arguments{"covers", "--pa", "0.9", "--original", "a", "--edited", "b"} + votes + fallback});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(results[0].err, HasSubstr("--threshold goes with --fallback"));
  EXPECT_THAT(results[1].err, HasSubstr("--fallback needs --threshold"));
  EXPECT_THAT(results[2].err, HasSubstr("found a bilstm, expected a model that casts votes"));
  EXPECT_THAT(results[3].err, HasSubstr("answers by noisy copies (universal:p=0.3)"));
  EXPECT_THAT(results[4].err, AllOf(HasSubstr("neg, pos"), HasSubstr("ham, spam")));
  EXPECT_THAT(results[5].err, HasSubstr("found noise universal:p=0.5"));
  EXPECT_THAT(results[6].err, HasSubstr("the threshold is -1"));
  EXPECT_THAT(results[7].err, HasSubstr("expected 0 to 1000000 strongest votes"));
  EXPECT_THAT(results[8].err, HasSubstr("candidates are not cut for a cascade"));
  EXPECT_THAT(results[9].err, HasSubstr("--threshold goes with --fallback"));
  EXPECT_THAT(results[10].err, HasSubstr("--fallback goes with a model that certifies"));
}

Arguments threshold(const Arguments& extra) {
  return Arguments{"threshold",   "--model", votes_model(),      "--fallback",
                   plain_model(), "--data",  workspace().texts()} +
         extra;
}

TEST(Threshold, NamesTheSmallestThatIsGoodEnough) {
  const auto results = run_all({threshold({"--accuracy", "1"}), threshold({"--json"}),
                                threshold({"--accuracy", "1", "--json"})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, AllOf(HasSubstr("\nthreshold  % by votes  accuracy  1 edit  2 edits"),
                                    HasSubstr("\n--threshold 0: accuracy ")));
  const auto json = json_of(results[1].out), chosen = json_of(results[2].out);
  EXPECT_EQ(json["texts"], 200);
  EXPECT_TRUE(json["chosen"].is_null());
  EXPECT_EQ(chosen["chosen"]["threshold"], 0.0);
  // Any row is what the cascade does there.
  ASSERT_GT(json["thresholds"].size(), 3u);
  const auto& row = json["thresholds"][3];
  const Result evaluated = run(cascade("evaluate", row["threshold"].dump()) +
                               Arguments{"--data", workspace().texts(), "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(json_of(evaluated.out)["accuracy"], row["accuracy"]);
}

// Labels that no model can get right.
TEST(Threshold, SaysWhatCanBeReached) {
  const std::string wrong =
      workspace().write("wrong.csv", "text,label\ngood film,pos\ngood film,neg\n");
  Arguments command = threshold({"--accuracy", "90"});
  *(std::find(command.begin(), command.end(), "--data") + 1) = wrong;
  const Result result = run(command);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no threshold has an accuracy of 90 % on these texts; the "
                                    "best: --threshold 0: accuracy 50.00 %"));
  EXPECT_THAT(result.out, HasSubstr("threshold  % by votes"));
}

TEST(Threshold, RefusesWhatDoesNotFit) {
  const std::string bare = workspace().write("bare.csv", "text\ngood film\n");
  Arguments unlabelled = threshold({}), no_votes = threshold({});
  *(std::find(unlabelled.begin(), unlabelled.end(), "--data") + 1) = bare;
  no_votes[2] = plain_model();
  const auto results = run_all({unlabelled, no_votes, threshold({"--accuracy", "101"})});
  EXPECT_EQ(results[0].exit_code, 3) << results[0].err;
  EXPECT_EQ(results[1].exit_code, 2) << results[1].err;
  EXPECT_EQ(results[2].exit_code, 2) << results[2].err;
  EXPECT_THAT(results[1].err, HasSubstr("a model that casts votes"));
}

}  // namespace
}  // namespace textcrs::cli_test
