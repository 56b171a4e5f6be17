// textcrs covers: an edited text against what the bounds certify about the original.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Case {
  std::string noise, pa, original, edited;
  bool covered;
  std::string operation;
  Arguments extra = {};
};

Arguments command(const Case& c) {
  return Arguments{"covers", "--json",     "--noise",  c.noise,    "--pa",
                   c.pa,     "--original", c.original, "--edited", c.edited} +
         c.extra;
}

// Bounds and thresholds by hand from docs/certificates.md.
TEST(Covers, DecidesForEveryNoise) {
  const Arguments vectors = {"--vectors", workspace().vectors()};
  const Arguments synonyms = {"--synonyms", workspace().synonyms()};
  const std::vector<Case> cases = {
      // t = .02: .02 .9^-2 + .9^-1 < 2; .9^-7 > 2.
      {"universal:p=0.9", "0.99", "a warm and funny film", "film a warm story", true, "edit"},
      {"universal:p=0.9", "0.99", "one", "one a b c d e f g", false, "edit"},
      {"universal:p=0.9", "0.51", "one two three", "three one two", true, "reordering"},
      // The order is kept: moving a word loses it and gains it, t p^-1 + p^-1 = 2.04 > 2.
      {"delete:p=0.5", "0.99", "one two three", "three one two", false, "edit"},
      {"delete:p=0.5", "0.99", "one two three four five", "two four", true, "edit"},
      {"delete:p=0.5", "0.51", "one two three four five", "two four", false, "edit"},
      // One swap: one residue of four, 2 < 4 (pA - pB) iff pA - pB > 1/2.
      {"reorder:block=4", "0.8", "a b c d e", "b a c d e", true, "reordering"},
      {"reorder:block=4", "0.7", "a b c d e", "b a c d e", false, "reordering"},
      {"reorder:block=4", "0.99", "a b c d e", "b a c d f", false, "reordering"},
      {"reorder:full", "0.51", "a b c d e", "e d c b a", true, "reordering"},
      {"mask:p=0.9", "0.99", "a b c d e", "a x c y e", true, "substitution"},
      {"mask:p=0.9", "0.99", "a b c d e", "a b c d", false, "substitution"},
      {"hash:buckets=9,functions=5", "0.9", "a b c", "c b a", true, "reordering"},
      {"hash:buckets=9,functions=5", "0.9", "a b c", "a b c d", true, "edit"},
      {"hash:buckets=9,functions=5", "0.55", "a b c", "a b c d", false, "edit"},
      {"substitute:kernel=cluster,size=3", "0.6", "good film", "fine story", true, "substitution",
       synonyms},
      {"substitute:kernel=cluster,size=3", "0.6", "good film", "bad film", false, "substitution",
       synonyms},
      {"insert:sigma=9", "0.999", "good film", "great film", true, "substitution", vectors},
      {"insert:sigma=0.01", "0.999", "good film", "great film", false, "substitution", vectors},
      {"insert:sigma=9", "0.999", "good film", "good film music", true, "insertion", vectors},
      {"insert:sigma=0.01", "0.999", "good film music", "music good film", true, "reordering",
       vectors},
      {"delete:p=0.3", "0.99", "a b c d e f", "f", true, "deletion", {"--certificate", "paper"}},
  };
  std::vector<Arguments> commands;
  for (const Case& c : cases) commands.push_back(command(c));
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].noise + " " + cases[i].edited);
    ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
    const json answer = json_of(results[i].out);
    EXPECT_EQ(answer["noise"], cases[i].noise);
    EXPECT_EQ(answer["certificate"],
              cases[i].extra.empty() || cases[i].extra[1] != "paper" ? "sound" : "paper");
    EXPECT_EQ(answer.contains("proved"), answer["certificate"] == "paper");
    EXPECT_EQ(answer.value("proved", false), false);
    EXPECT_EQ(answer["covered"], cases[i].covered) << answer["why"];
    EXPECT_EQ(answer["operation"], cases[i].operation);
    EXPECT_TRUE(answer["radius"].is_number() || answer["radius"] == "unlimited");
    EXPECT_FALSE(answer["why"].get<std::string>().empty());
    if (answer["operation"] == "edit") {
      EXPECT_TRUE(answer["edit_distance"].is_number());
      EXPECT_TRUE(answer["frontier"].is_array());
    }
  }
}

TEST(Covers, SpeaksInPlainWords) {
  const auto results = run_all({
      {"covers", "--noise", "universal:p=0.9", "--pa", "0.99", "--original", "a warm film",
       "--edited", "film"},
      {"covers", "--noise", "universal:p=0.9", "--pa", "0.5", "--pb", "0.5", "--original",
       "a warm film", "--edited", "a warm film"},
      {"covers", "--noise", "delete:p=0.3", "--pa", "0.99", "--certificate", "paper", "--original",
       "a warm film", "--edited", "film"},
  });
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, testing::StartsWith("covered: 2 words lost"));
  EXPECT_THAT(results[1].out, testing::StartsWith("not covered: pA = 0.5 is not above pB = 0.5"));
  EXPECT_THAT(results[2].out, HasSubstr("the paper's formula"));
}

TEST(Covers, UsesAModelsWordsAndNoise) {
  const Result result = run({"covers", "--json", "--model", workspace().model(), "--pa", "0.99",
                             "--original", "good film zzzz", "--edited", "film good yyyy"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json_of(result.out);
  EXPECT_EQ(answer["noise"], "universal:p=0.3");
  // Words the model does not know are the same to it.
  EXPECT_EQ(answer["operation"], "reordering");
  EXPECT_EQ(answer["covered"], true);
}

TEST(Covers, RefusesWhatCanNotBeAnswered) {
  const auto with = [](const Arguments& rest) {
    return Arguments{"covers", "--original", "good film", "--edited", "film"} + rest;
  };
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {with({"--pa", "0.9"}), "--noise"},
      {with({"--noise", "universal:p=0.9"}), "--pa"},
      {with({"--noise", "universal:p=0.9", "--pa", "1.01"}), "1.01"},
      {with({"--noise", "universal:p=0.9", "--pa", "nan"}), "nan"},
      {with({"--noise", "universal:p=0.9", "--pa", "0.6", "--pb", "0.7"}), "0.7"},
      {with({"--noise", "universal:p=0.9", "--pa", "0.6", "--pb", "-0.1"}), "-0.1"},
      {with({"--noise", "universal:p=1", "--pa", "0.9"}), "universal:p=1"},
      {with({"--noise", "reorder:block=0", "--pa", "0.9"}), "block"},
      {with({"--noise", "reorder:groups=4", "--pa", "0.9"}), "no sound certificate"},
      {with({"--noise", "substitute:kernel=graph", "--pa", "0.9"}), "--synonyms"},
      {{"covers", "--noise", "insert:sigma=1", "--pa", "0.9", "--vectors", workspace().vectors(),
        "--original", "good zzzz", "--edited", "good"},
       "zzzz"},
      {{"covers", "--noise", "universal:p=0.9", "--pa", "0.9", "--original", " ", "--edited", "a"},
       "no words"},
  };
  std::vector<Arguments> commands;
  for (const auto& [arguments, what] : cases) commands.push_back(arguments);
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << cases[i].second;
    EXPECT_EQ(results[i].out, "");
    EXPECT_THAT(results[i].err, HasSubstr(cases[i].second));
  }
}

}  // namespace
}  // namespace textcrs::cli_test
