// Length-adaptive deletion and Gaussian noise in place, from training to certificate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The model trained under `noise` with these flags.
std::string trained(const std::string& name, const std::string& noise, const Arguments& more) {
  const std::string model = workspace().path(name);
  Arguments training = workspace().training(model, 2);
  for (std::string& argument : training)
    if (argument == "universal:p=0.3") argument = noise;
  const Result result = run(training + more);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return model;
}

TEST(Gaussian, WithSynonymsItCountsWords) {
  const std::string model =
      trained("gaussian-words", "gaussian:sigma=0.5", {"--synonyms", workspace().synonyms()});
  const std::string text = "good film with bad music", edited = "great film with bad music";
  const auto results = run_all({
      {"predict", "--json", "--samples", "2000", "--model", model, text},
      {"radius", "--json", "--model", model, "--pa", "1", "--text", text},
      {"radius", "--json", "--model", model, "--pa", "0.501", "--text", text},
      {"covers", "--json", "--model", model, "--pa", "1", "--original", text, "--edited", edited},
      {"covers", "--json", "--model", model, "--pa", "0.501", "--original", text, "--edited",
       edited},
      {"covers", "--json", "--model", model, "--pa", "1", "--original", text, "--edited",
       "good film"},
      {"radius", "--model", model, "--pa", "0.9", "--words", "5"},
      {"certify", "--model", model, "--data", workspace().texts(), "--limit", "4", "--samples",
       "500", "--out", workspace().path("gaussian-words-run")},
  });
  for (const size_t i : {0, 1, 2, 3, 4, 5, 7}) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  const json answer = json_of(results[0].out);
  EXPECT_EQ(answer["noise"], "gaussian:sigma=0.5");
  EXPECT_EQ(answer["exact"], false);
  const json all = json_of(results[1].out), none = json_of(results[2].out);
  EXPECT_EQ(all["radius"], 5);
  EXPECT_EQ(all["replaceable"], 3);
  EXPECT_THAT(all["candidates"].get<std::string>(), HasSubstr("synonyms.json"));
  EXPECT_EQ(none["radius"], 0);
  EXPECT_EQ(json_of(results[3].out)["covered"], true);
  EXPECT_EQ(json_of(results[4].out)["covered"], false) << results[4].out;
  EXPECT_EQ(json_of(results[5].out)["covered"], false);
  EXPECT_EQ(results[6].exit_code, 2);
  EXPECT_THAT(results[6].err, HasSubstr("depends on the words"));
}

TEST(Gaussian, WithoutSynonymsItIsADistance) {
  const std::string model = trained("gaussian-distance", "gaussian:sigma=0.5", {});
  const Arguments covers = {"covers",    "--noise", "gaussian:sigma=9", "--pa",      "0.999",
                            "--slots",   "9",       "--original",       "good film", "--edited",
                            "great film"};
  const auto results = run_all({
      {"predict", "--json", "--samples", "1000", "--model", model, "good film"},
      {"radius", "--json", "--model", model, "--pa", "0.9", "--text", "good film"},
      covers + Arguments{"--json", "--vectors", workspace().vectors()},
      covers,
      covers + Arguments{"--vectors", workspace().vectors(), "--synonyms", workspace().synonyms()},
      {"certify", "--model", model, "--noise", "delete:p=0.5", "--data", workspace().texts(),
       "--out", workspace().path("gaussian-unfit-run")},
  });
  for (const size_t i : {0, 1, 2}) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  EXPECT_THAT(json_of(results[0].out)["caveats"].dump(), HasSubstr("float32"));
  EXPECT_NEAR(json_of(results[1].out)["radius"].get<double>(), 0.5 * 1.2815515655446004, 1e-9);
  EXPECT_EQ(json_of(results[2].out)["covered"], true);
  EXPECT_THAT(json_of(results[2].out)["assumes"].dump(), HasSubstr("real numbers"));
  EXPECT_EQ(results[3].exit_code, 2);
  EXPECT_THAT(results[3].err, HasSubstr("--vectors"));
  EXPECT_EQ(results[4].exit_code, 2);
  EXPECT_THAT(results[4].err, HasSubstr("expects --model"));
  EXPECT_EQ(results[5].exit_code, 2);
  EXPECT_THAT(results[5].err, HasSubstr("does not fit"));
}

TEST(Adapt, FromTrainingToCertificate) {
  const std::string model = trained("adapt", "adapt:keep=3", {});
  const std::string run_folder = workspace().path("adapt-run");
  const auto results = run_all({
      {"predict", "--json", "--samples", "2000", "--model", model, "good film with bad music"},
      {"covers", "--json", "--model", model, "--pa", "0.999", "--original",
       "good film with bad music", "--edited", "good film with music"},
      {"certify", "--model", model, "--data", workspace().texts(), "--limit", "4", "--samples",
       "500", "--out", run_folder},
      {"list", "noises"},
  });
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json_of(results[0].out);
  EXPECT_EQ(answer["noise"], "adapt:keep=3");
  EXPECT_EQ(answer["exact"], true);  // 2^5 copies
  EXPECT_TRUE(answer["sound"].contains("edit"));
  EXPECT_EQ(json_of(results[1].out)["covered"], true) << results[1].out;
  EXPECT_THAT(results[3].out, HasSubstr("adapt:keep=K"));
  EXPECT_THAT(results[3].out, HasSubstr("gaussian:sigma=S"));
}

}  // namespace
}  // namespace textcrs::cli_test
