// Interval bounds from training to certificate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Arguments training(const std::string& out, const Arguments& extra) {
  Arguments arguments = workspace().training(out, 12);
  for (std::string& argument : arguments)
    if (argument == "universal:p=0.3") argument = "none";
  return arguments + Arguments{"--synonyms", workspace().synonyms()} + extra;
}

TEST(Intervals, FromTrainingToCertificate) {
  const std::string model = workspace().path("intervals");
  const Result trained = run(training(model, {"--intervals"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("mean of validation accuracy and certified accuracy"));
  EXPECT_TRUE(json_of(read(model + "/training.json"))
                  .contains("mean_of_validation_and_certified_accuracy"));
  EXPECT_THAT(read(model + "/config.json"), HasSubstr(R"("intervals": true)"));
  const std::string text = "good film with fine music", edited = "great story with good music";
  const auto results = run_all({
      {"predict", "--json", "--model", model, text},
      {"predict", "--model", model, text, "with music"},
      {"covers", "--json", "--model", model, "--original", text, "--edited", edited},
      {"covers", "--json", "--model", model, "--original", text, "--edited",
       "bad film with fine music"},
      {"certify", "--model", model, "--data", workspace().texts(), "--limit", "40", "--out",
       workspace().path("intervals-results")},
      {"predict", "--json", "--model", model, edited},
      {"predict", "--engine", "reference", "--model", model, text},
      {"radius", "--model", model, "--pa", "0.9", "--words", "5"},
  });
  for (size_t i = 0; i < 6; ++i) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  const json answer = json_of(results[0].out);
  EXPECT_EQ(answer["prediction"], "pos");
  EXPECT_EQ(answer["sound"]["substitution"], "unlimited");
  EXPECT_EQ(answer["sound"]["replaceable"], 3);
  EXPECT_THAT(results[1].out, HasSubstr("pos, and stays so with up to 3 of its 3 words that have "
                                        "candidates replaced, each by one of its own"));
  EXPECT_THAT(results[1].out, HasSubstr("no word of it has candidates"));
  EXPECT_EQ(json_of(results[2].out)["covered"], true) << results[2].out;
  EXPECT_EQ(json_of(results[3].out)["covered"], false) << results[3].out;
  EXPECT_THAT(results[4].out, HasSubstr("no noise, no sampling"));
  EXPECT_THAT(results[4].out, HasSubstr(" any\n"));  // the radius
  EXPECT_EQ(json_of(results[5].out)["prediction"], "pos");
  EXPECT_EQ(results[6].exit_code, 2);
  EXPECT_THAT(results[6].err, HasSubstr("interval bounds are computed on the CPU"));
  EXPECT_EQ(results[7].exit_code, 2);
  EXPECT_THAT(results[7].err, HasSubstr("interval bounds certify text by text"));
}

TEST(Intervals, FlagsThatDoNotGoTogether) {
  const auto out = [](int i) { return workspace().path("no-model-" + std::to_string(i)); };
  const auto results = run_all({
      workspace().training(out(0)) + Arguments{"--intervals", "--synonyms", workspace().synonyms()},
      training(out(1), {"--interval-weight", "0.5"}),
      training(out(2), {"--intervals", "--architecture", "votes"}),
      {"train", "--data", workspace().texts(), "--vectors", workspace().vectors(), "--intervals",
       "--out", out(3)},
      training(out(4), {"--encoder-hidden", "5"}),
      training(out(5), {"--encoder-weight", "1"}),
  });
  const char* const said[] = {"--intervals has none",
                              "need --intervals",
                              "expected cnn or bilstm",
                              "--intervals needs --synonyms",
                              "--encoder-hidden needs --encoder-weight",
                              "an encoder is trained under Gaussian noise"};
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << i << results[i].err;
    EXPECT_THAT(results[i].err, HasSubstr(said[i])) << i;
  }
}

TEST(Intervals, AnEncoderLeavesVectorsOfTheModelsOwn) {
  const std::string model = workspace().path("encoder");
  Arguments arguments = workspace().training(model, 3);
  for (std::string& argument : arguments)
    if (argument == "universal:p=0.3") argument = "insert:sigma=0.3";
  const Result trained =
      run(arguments + Arguments{"--synonyms", workspace().synonyms(), "--encoder-weight", "0.1"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(read(model + "/config.json"), HasSubstr(R"("trained_vectors": true)"));
  const Result answer = run({"predict", "--samples", "500", "--model", model, "good film"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
}

}  // namespace
}  // namespace textcrs::cli_test
