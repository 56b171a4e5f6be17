// textcrs certify: the same answers however the work is split.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Certify, ResultsDoNotDependOnThreadsAndBatches) {
  const std::vector<Arguments> ways = {{"--threads", "1"},
                                       {"--threads", "2"},
                                       {"--threads", "3", "--batch-size", "1"},
                                       {"--threads", "1", "--batch-size", "37"},
                                       {"--threads", "2", "--batch-size", "512"}};
  std::vector<Arguments> commands;
  for (size_t i = 0; i < ways.size(); ++i)
    commands.push_back(certify_run("ways" + std::to_string(i), 20, 700) + ways[i]);
  for (const Result& result : run_all(commands)) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto expected = records("ways0");
  ASSERT_EQ(expected.size(), 20u);
  for (size_t i = 1; i < ways.size(); ++i)
    EXPECT_EQ(records("ways" + std::to_string(i)), expected) << i;
}

TEST(Certify, ARecordHoldsWhatTheSummaryIsMadeFrom) {
  ASSERT_EQ(run(certify_run("record", 200, 300)).exit_code, 0);
  const auto all = records("record");
  ASSERT_EQ(all.size(), 200u);
  int certified = 0;
  for (const auto& record : all) {
    const auto& counts = record["counts"];
    EXPECT_EQ(counts[0].get<int>() + counts[1].get<int>(), 300);
    EXPECT_EQ(record["samples"], 350);
    const int predicted = record["prediction"] == "pos" ? 1 : 0;
    EXPECT_LT(record["pa"], counts[predicted].get<double>() / 300);
    EXPECT_EQ(record["pb"].get<double>(), 1 - record["pa"].get<double>());
    EXPECT_EQ(record["abstained"], record["pa"].get<double>() <= 0.5);
    EXPECT_EQ(record["correct"], !record["abstained"] && record["prediction"] == record["label"]);
    EXPECT_GE(record["words"], 4);
    EXPECT_LE(record["words"], 12);
    if (!record["correct"]) continue;
    ++certified;
    EXPECT_EQ(record["sound"]["certified"], true);
    EXPECT_EQ(record["sound"]["reordering"], "unlimited");
    // docs/certificates.md, B1: d is the largest number with p^d > 1 - (pA - pB), at most m.
    const double doubt = 1 - (record["pa"].get<double>() - record["pb"].get<double>());
    const int words = record["words"];
    int deletions = 0;
    for (double p = 0.3; deletions < words && p > doubt; p *= 0.3) ++deletions;
    EXPECT_EQ(record["sound"]["deletion"], deletions);
  }
  EXPECT_GT(certified, 150);  // the class's words decide it
}

TEST(Certify, ATextWithoutWordsIsAnswered) {
  const std::string file = workspace().write("empty.csv", "text,label\n\"\",neg\ngood film,pos\n");
  const auto results = run_all({{"certify", "--model", workspace().model(), "--data", file,
                                 "--samples", "200", "--out", workspace().path("empty")},
                                {"predict", "--json", "--model", workspace().model(), ""}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto all = records("empty");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["words"], 0);
  EXPECT_EQ(all[0]["abstained"], false);
  EXPECT_EQ(all[0]["exact"], true);
  EXPECT_EQ(all[0]["prediction"], json_of(results[1].out)["prediction"]);
  EXPECT_EQ(all[0]["sound"]["certified"], true);
  EXPECT_EQ(all[0]["sound"]["edit"], 0);  // .3 < 1/2
}

// There, empty copies cast no vote.
TEST(Certify, ATextWithoutWordsIsAbstainedOnByAFiniteNoise) {
  const std::string file = workspace().write("empty.csv", "text,label\n\"\",neg\ngood film,pos\n");
  const Result result =
      run({"certify", "--model", workspace().model(), "--data", file, "--noise",
           "hash:buckets=2,functions=5", "--out", workspace().path("empty-pieces")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto all = records("empty-pieces");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["abstained"], true);
  EXPECT_EQ(all[0]["correct"], false);
  EXPECT_FALSE(all[0].contains("sound"));
  EXPECT_EQ(all[0]["prediction"], "neg");  // a guess, which happens to be right
  EXPECT_EQ(all[1]["correct"], true);
  EXPECT_THAT(result.out, HasSubstr("smoothed accuracy 100.0 % if an abstention counts by its "
                                    "guess, 50.0 % if it counts as wrong; abstained 1\n"));
}

TEST(Certify, WarnsOfAnswersThatMeanLittle) {
  const std::string file = workspace().write(
      "doubtful.csv",
      "text,label\nqwxz zzkjq,neg\ngood film with great music and fine story,pos\n");
  const Arguments command = {"certify",   "--model", workspace().model(), "--data", file,
                             "--samples", "200"};
  const auto results = run_all(
      {command + Arguments{"--out", workspace().path("doubtful")},
       command + Arguments{"--noise", "delete:p=0.9", "--out", workspace().path("doubtful-other")},
       command + Arguments{"--limit", "1", "--out", workspace().path("doubtful-one")}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto own = records("doubtful"), other = records("doubtful-other");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0]["warnings"],
            std::vector<std::string>{"most words of the text are unknown to the model"});
  EXPECT_FALSE(own[1].contains("warnings"));
  EXPECT_EQ(other[0]["warnings"].size(), 2u);
  EXPECT_FALSE(other[1].contains("warnings"));  // .9^8 < 1/2
  EXPECT_THAT(results[0].out, HasSubstr("warning: 1 of 2 texts: most words of the text are unknown "
                                        "to the model\n"));
  EXPECT_THAT(results[0].out, HasSubstr(": 2 texts of "));
  EXPECT_THAT(results[2].out, HasSubstr(": 1 text of "));
  EXPECT_THAT(results[0].out, Not(HasSubstr("trained with")));
  EXPECT_THAT(results[1].out,
              HasSubstr("noise delete:p=0.9 is not the one the model was trained with, "
                        "universal:p=0.3\n"));
  EXPECT_THAT(read(workspace().path("doubtful-other/run.json")),
              HasSubstr(R"("trained_noise": "universal:p=0.3")"));
}

TEST(Certify, ANoiseThatDoesNotFitTheModelIsRefused) {
  const auto results =
      run_all({certify_run("unfit", 5, 100) + Arguments{"--noise", "insert:sigma=0.1"},
               certify_run("unfit", 5, 100) + Arguments{"--noise", "none"},
               certify_run("unfit", 5, 100) + Arguments{"--noise", "delete:p=2"},
               certify_run("unfit", 5, 100) + Arguments{"--noise", "substitute:kernel=uniform"}});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(results[0].err, HasSubstr("insert:sigma=0.1"));
  EXPECT_THAT(results[1].err, HasSubstr("no certificate"));
  EXPECT_THAT(results[2].err, HasSubstr("delete:p=2"));
  EXPECT_THAT(results[3].err, HasSubstr("needs a synonym table"));
  EXPECT_FALSE(std::filesystem::exists(workspace().path("unfit")));
}

}  // namespace
}  // namespace textcrs::cli_test
