// Substitution from training to certificate: the synonyms are shown, kept with the model and named
// by what is certified.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Synonyms, AreShownWithTheirSourceAndWhatTheNoiseDraws) {
  const Arguments list = {
      "list", "synonyms", "good", "great", "music", "--synonyms", workspace().synonyms()};
  const auto results = run_all({list, list + Arguments{"--candidates", "1"},
                                list + Arguments{"--noise", "substitute:kernel=uniform"},
                                list + Arguments{"--noise", "delete:p=0.5"}});
  ASSERT_EQ(results[0].exit_code, 0) << results[0].err;
  EXPECT_THAT(results[0].out,
              HasSubstr("synonyms.json; a model has only those that are in its vocabulary"));
  EXPECT_THAT(results[0].out, HasSubstr("good: great fine\n"));
  EXPECT_THAT(results[0].out, HasSubstr("great: good\n"));  // made symmetric
  EXPECT_THAT(results[0].out, HasSubstr("music: none\n"));
  EXPECT_THAT(results[1].out, HasSubstr("good: great\n"));
  EXPECT_THAT(results[2].out, HasSubstr("good 0.3333 great 0.3333 fine 0.3333"));
  EXPECT_EQ(results[3].exit_code, 2);
}

TEST(Synonyms, WithoutTheDataTheFetchIsNamed) {
  const Result result = run({"list", "synonyms", "good"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("textcrs data fetch wordnet"));
}

TEST(Substitution, FromTrainingToCertificate) {
  const std::string model = workspace().path("substitution");
  Arguments training = workspace().training(model, 2);
  for (std::string& argument : training)
    if (argument == "universal:p=0.3") argument = "substitute:kernel=cluster,size=3";
  const Result trained = run(training + Arguments{"--synonyms", workspace().synonyms()});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const std::string text = "good film with bad music";
  const auto results = run_all({
      {"predict", "--json", "--samples", "2000", "--model", model, text},
      {"predict", "--json", "--samples", "2000", "--model", model, "fine story with poor music"},
      {"radius", "--json", "--model", model, "--pa", "0.99", "--text", text},
      {"covers", "--json", "--model", model, "--pa", "0.99", "--original", text, "--edited",
       "great story with poor music"},
      {"list", "synonyms", "good", "--model", model},
      {"list", "synonyms", "good", "--model", workspace().model()},
      {"predict", "--samples", "2000", "--model", model, "music", "good music"},
  });
  for (const size_t i : {0, 1, 2, 3, 4, 6}) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  const json answer = json_of(results[0].out);
  EXPECT_EQ(answer["exact"], true);  // 3 * 2 * 2 copies
  EXPECT_EQ(answer["samples"], 12);
  EXPECT_THAT(answer["sound"]["candidates"].get<std::string>(), HasSubstr("synonyms.json"));
  EXPECT_EQ(answer["sound"]["substitution"], 5);  // inside the clusters everything is free
  EXPECT_EQ(answer["sound"]["replaceable"], 3);   // not "with" and "music"
  // The same law around the edited text, so the same bounds and the same answer.
  const json same = json_of(results[1].out);
  EXPECT_EQ(same["prediction"], answer["prediction"]);
  EXPECT_NEAR(same["pa"].get<double>(), answer["pa"].get<double>(), 1e-9);
  EXPECT_EQ(json_of(results[2].out)["radius"], 5);
  EXPECT_EQ(json_of(results[2].out)["replaceable"], 3);
  EXPECT_EQ(json_of(results[3].out)["covered"], true) << results[3].out;
  EXPECT_THAT(results[4].out, HasSubstr("good: great fine\n"));
  EXPECT_THAT(results[4].out, Not(HasSubstr("a model has only")));
  EXPECT_EQ(results[5].exit_code, 2);
  const auto sentences = lines_of(results[6].out);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0], HasSubstr("for the text as it is: no word of it has candidates (the "
                                      "model's, from "));
  EXPECT_THAT(sentences[1], HasSubstr("stays so with its only word that has candidates replaced by "
                                      "one of its own (the model's, from "));
  EXPECT_THAT(results[5].err, HasSubstr("has no synonyms"));
}

}  // namespace
}  // namespace textcrs::cli_test
