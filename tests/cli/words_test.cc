// Synonym clusters and stop words, from training to certificate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A training with this noise, and clusters of the shared synonyms where they are asked for.
std::string model_under(const std::string& name, const std::string& noise,
                        const std::string& size) {
  const std::string model = workspace().path(name);
  Arguments training = workspace().training(model, 2);
  *(std::find(training.begin(), training.end(), "--noise") + 1) = noise;
  if (!size.empty()) training = training + Arguments{"--canonical", workspace().synonyms() + size};
  const Result result = run(training);
  if (result.exit_code != 0) throw std::runtime_error(result.err);
  return model;
}

TEST(Canonical, APlainModelIsCertifiedInsideClusters) {
  const std::string model = model_under("roben", "none", ",size=3");
  EXPECT_THAT(read(model + "/canonical.txt"), HasSubstr("good"));
  EXPECT_THAT(read(model + "/train.toml"), HasSubstr("synonyms.json,size=3"));
  const Arguments covers = {
      "covers", "--json", "--model", model, "--original", "good film with bad music", "--edited"};
  const auto results = run_all({
      {"predict", "--model", model, "good film with bad music"},
      {"predict", "--json", "--model", model, "good film with bad music"},
      covers + Arguments{"great story with poor music"},
      covers + Arguments{"great story with poor plot"},
      {"certify", "--model", model, "--data", workspace().texts(), "--limit", "20", "--out",
       workspace().path("roben-results")},
      {"predict", "--model", model, "fine story with poor music"},
  });
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, HasSubstr("any word replaced by another of its cluster "
                                        "(synonyms.json, of at most 3 words)"));
  EXPECT_THAT(results[0].out, HasSubstr("proved without sampling"));
  EXPECT_EQ(results[5].out, results[0].out);
  const json answer = json_of(results[1].out);
  EXPECT_EQ(answer["noise"], "clusters");
  EXPECT_EQ(answer["sound"]["certified"], true);
  EXPECT_EQ(answer["sound"]["substitution"], "unlimited");
  EXPECT_EQ(answer["sound"]["candidates"], "synonyms.json");
  EXPECT_EQ(answer["sound"]["replaceable"], 3);
  EXPECT_EQ(answer["sound"]["canonical"], "synonyms.json, of at most 3 words");
  EXPECT_EQ(json_of(results[2].out)["covered"], true);
  EXPECT_EQ(json_of(results[3].out)["covered"], false);
  EXPECT_THAT(results[4].out, HasSubstr("no noise, no sampling"));
  EXPECT_THAT(results[4].out, HasSubstr("Certified accuracy"));
  const auto all = records("roben-results");
  ASSERT_EQ(all.size(), 20u);
  for (const json& record : all) EXPECT_EQ(record["sound"]["substitution"], "unlimited");
}

TEST(Canonical, CertificatesStandOnTop) {
  const std::string model = model_under("canonical-universal", "universal:p=0.7", ",size=2");
  const auto results = run_all({
      {"covers", "--json", "--seed", "1", "--samples", "2000", "--model", model, "--original",
       "good film with good music", "--edited", "story with music great good"},
      {"predict", "--seed", "1", "--samples", "2000", "--model", model, "good film"},
  });
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(json_of(results[0].out)["why"], "the same words in another order");
  EXPECT_THAT(results[1].out, HasSubstr("cluster (synonyms.json, of at most 2 words)"));
}

TEST(Canonical, RefusesWhatIsNoTableAndSize) {
  const Arguments training = workspace().training(workspace().path("nothing"), 1);
  for (const char* value :
       {"wordnet", "wordnet,size=1", "wordnet,size=x", ",size=4", "wordnet,size=4,size="}) {
    const Result result = run(training + Arguments{"--canonical", value});
    EXPECT_EQ(result.exit_code, 2) << value;
    EXPECT_THAT(result.err, HasSubstr("expected TABLE,size=K")) << value;
  }
}

TEST(StopWords, FromTrainingToCertificate) {
  const std::string list = workspace().write("little.txt", "with\nthe\nof\n");
  std::filesystem::create_directory(workspace().path("elsewhere"));
  const std::string other = workspace().write("elsewhere/little.txt", "with\nthe\n");
  const std::string model = model_under("stops", "universal:p=0.6,stop=" + list, "");
  EXPECT_EQ(read(model + "/stop_words.txt"), "with\nthe\nof\n");
  const Arguments covers = {
      "covers",  "--json",    "--seed", "1",          "--model",
      model,     "--samples", "2000",   "--original", "good film with good music",
      "--edited"};
  const auto results = run_all({
      covers + Arguments{"of the music good of good film the"},
      covers + Arguments{"of good film music the"},
      {"predict", "--json", "--seed", "1", "--samples", "2000", "--model", model,
       "good film with good music"},
      {"certify", "--model", model, "--data", workspace().texts(), "--limit", "10", "--samples",
       "500", "--out", workspace().path("stops-results")},
      {"predict", "--model", model, "--noise", "universal:p=0.6,stop=english", "good film"},
      {"predict", "--model", workspace().model(), "--noise", "universal:p=0.3,stop=little", "good"},
      {"evaluate", "--model", model, "--data", workspace().texts(), "--json"},
      {"predict", "--model", model, "--noise", "universal:p=0.6,stop=" + other, "good film"},
      {"predict", "--model", model, "--noise", "universal:p=0.6,stop=" + list, "good film"},
  });
  for (const size_t i : {0, 1, 2, 3, 6, 8}) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  EXPECT_EQ(json_of(results[0].out)["covered"], true) << results[0].out;
  EXPECT_THAT(json_of(results[0].out)["why"],
              "the same words beside stop words, which are always "
              "deleted");
  EXPECT_THAT(json_of(results[1].out)["why"].get<std::string>(),
              HasSubstr("beside stop words, 1 word lost"));
  const json answer = json_of(results[2].out);
  EXPECT_EQ(answer["noise"], "universal:p=0.6,stop=little");
  EXPECT_EQ(answer["sound"]["stop_words"], (json{{"list", "little"}, {"words", 3}}));
  EXPECT_THAT(answer["in_words"].get<std::string>(),
              HasSubstr("and besides any number of the 3 stop words of little"));
  for (const json& record : records("stops-results"))
    if (record["sound"]["certified"]) EXPECT_EQ(record["sound"]["stop_words"]["list"], "little");
  EXPECT_EQ(results[4].exit_code, 2);
  EXPECT_THAT(results[4].err, HasSubstr("the model has those of 'little'"));
  EXPECT_EQ(results[5].exit_code, 2);
  EXPECT_THAT(results[5].err, HasSubstr("a model is trained with them"));
  EXPECT_EQ(results[7].exit_code, 2);
  EXPECT_THAT(results[7].err, HasSubstr("the model has other stop words under the name 'little'"));
}

TEST(StopWords, WithoutAModelTheListIsRead) {
  const std::string list = workspace().write("few.txt", "of\n");
  const Arguments covers = {"covers",     "--json",
                            "--pa",       "0.9",
                            "--noise",    "delete:p=0.9,stop=english",
                            "--original", "the story of a film",
                            "--edited"};
  const auto results = run_all({
      covers + Arguments{"story and film"},
      covers + Arguments{"film of the story"},
      {"radius", "--json", "--noise", "universal:p=0.7,stop=english", "--pa", "0.9", "--text",
       "the story of a film"},
      {"radius", "--json", "--noise", "universal:p=0.7,stop=english", "--pa", "0.9", "--words",
       "5"},
      {"sample", "--noise", "delete:p=0.001,stop=" + list, "--text", "a story of warmth", "--count",
       "1"},
      {"radius", "--noise", "universal:p=0.7,stop=nowhere", "--pa", "0.9", "--words", "5"},
      {"radius", "--noise", "universal:p=0.7,stop=english", "--certificate", "paper", "--slots",
       "9", "--pa", "0.9", "--words", "5"},
  });
  for (const size_t i : {0, 1, 2, 3, 4}) ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
  EXPECT_EQ(json_of(results[0].out)["covered"], true);
  EXPECT_THAT(json_of(results[0].out)["assumes"].dump(),
              HasSubstr("stop words are those of english"));
  EXPECT_THAT(json_of(results[1].out)["why"].get<std::string>(),
              HasSubstr("beside stop words, 1 word lost and 1 gained"));
  const json text = json_of(results[2].out);
  EXPECT_EQ(text["guarantees"][1],
            (json{{"operation", "deletion"}, {"radius", 5}, {"unit", "words"}}));
  EXPECT_EQ(text["stop_words"]["list"], "english");
  EXPECT_EQ(json_of(results[3].out)["guarantees"][1]["radius"], 4);
  EXPECT_EQ(results[4].out, "a story warmth\n");
  EXPECT_EQ(results[5].exit_code, 2);
  EXPECT_EQ(results[6].exit_code, 2);
}

}  // namespace
}  // namespace textcrs::cli_test
