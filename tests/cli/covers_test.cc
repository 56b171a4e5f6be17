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
  const Arguments vectors = {"--vectors", workspace().vectors(), "--slots", "3"};
  const Arguments synonyms = {"--synonyms", workspace().synonyms()};
  const std::string nine = "a b c d e f g h i";  // as many as buckets, so that all may vote
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
      {"hash:buckets=9,functions=5", "0.9", nine, "i b c d e f g h a", true, "reordering"},
      {"hash:buckets=9,functions=5", "0.9", nine, nine + " j", true, "edit"},
      {"hash:buckets=9,functions=5", "0.55", nine, nine + " j", false, "edit"},
      // good: a third each to good, great, fine; great: a half each to great, good. q = 2/3.
      {"substitute:kernel=uniform", "0.99", "good film", "great film", true, "substitution",
       synonyms},
      {"substitute:kernel=uniform", "0.6", "good film", "good story", true, "substitution",
       synonyms},
      {"substitute:kernel=graph", "0.6", "good film", "bad film", false, "substitution", synonyms},
      {"insert:sigma=9", "0.999", "good film", "great film", true, "substitution", vectors},
      {"insert:sigma=0.01", "0.999", "good film", "great film", false, "substitution", vectors},
      {"insert:sigma=9", "0.999", "good film", "good film music", true, "insertion", vectors},
      {"insert:sigma=0.01", "0.999", "good film music", "music good film", true, "reordering",
       vectors},
      {"delete:p=0.3",
       "0.99",
       "a b c d e f",
       "f",
       true,
       "deletion",
       {"--certificate", "paper", "--slots", "6"}},
      // An empty text is a text like any other.
      {"universal:p=0.9", "0.99", "a warm and funny film", "", true, "edit"},
      {"universal:p=0.9", "0.99", "", "a warm film", true, "edit"},
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
    EXPECT_GE(answer["assumes"].size(), 2u);
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
      {"covers", "--noise", "delete:p=0.3", "--pa", "0.99", "--certificate", "paper", "--slots",
       "9", "--original", "a warm film", "--edited", "film"},
  });
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, testing::StartsWith("covered: 2 words lost"));
  EXPECT_THAT(results[1].out, testing::StartsWith("not covered: pA = 0.5 is not above pB = 0.5"));
  EXPECT_THAT(results[2].out, HasSubstr("the paper's formula"));
  for (const Result& result : results)
    EXPECT_THAT(result.out,
                HasSubstr("\nassumes: pA and pB, which are given and not measured, hold "
                          "for the text under the noise; words are cut as the lstm and "
                          "cnn models cut them (a bert cuts otherwise)"));
  EXPECT_THAT(results[2].out, HasSubstr("; the model has 9 slots\n"));
}

// What a model would know and nobody does must be named, and is printed.
TEST(Covers, SaysWhatItAssumesOfTheModel) {
  const auto assumed = [](const std::string& noise, const Arguments& extra) {
    const Result result = run(Arguments{"covers", "--json", "--noise", noise, "--pa", "0.99",
                                        "--original", "good film", "--edited", "great film"} +
                              extra);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_of(result.out)["assumes"].dump();
  };
  const std::string insert =
      assumed("insert:sigma=1", {"--slots", "32", "--vectors", workspace().vectors()});
  EXPECT_THAT(insert, HasSubstr("the model has 32 slots"));
  EXPECT_THAT(insert, HasSubstr("knows every word of the text and has the vectors of " +
                                workspace().vectors()));
  EXPECT_THAT(assumed("substitute:kernel=graph", {"--synonyms", workspace().synonyms()}),
              HasSubstr("draws from " + workspace().synonyms()));
}

// Under insert the last words of a long text are not seen, and another order shows them.
TEST(Covers, CountsTheSlotsThatAreNamed) {
  const auto with_slots = [](const std::string& slots) {
    const Result result = run({"covers", "--json", "--noise", "insert:sigma=0.01", "--pa", "0.99",
                               "--vectors", workspace().vectors(), "--original", "good film music",
                               "--edited", "music good film", "--slots", slots});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_of(result.out)["covered"];
  };
  EXPECT_EQ(with_slots("3"), true);
  EXPECT_EQ(with_slots("2"), false);
}

// Words that a model does not know are one word to it, which may be in other pieces than their
// spellings: without the model each may change a piece of every function.
TEST(Covers, HashHoldsForEveryVocabulary) {
  const std::string text = "good great fine bad poor film plot music story with";
  const Arguments asked = {"covers",     "--json", "--noise",  "hash:buckets=10,functions=3",
                           "--pa",       "0.7",    "--pb",     "0.2",
                           "--original", text,     "--edited", text + " zzzz yyyy xxxx"};
  const auto results = run_all({asked, asked + Arguments{"--model", workspace().model()}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const json alone = json_of(results[0].out), model = json_of(results[1].out);
  // 2 c < 30 (.7 - .2)
  EXPECT_EQ(alone["why"], "at most 9 of 30 pieces differ; up to 7 may");
  EXPECT_EQ(alone["covered"], false);
  EXPECT_EQ(model["why"], "3 of 30 pieces differ; up to 7 may");
  EXPECT_EQ(model["covered"], true);
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
  ASSERT_EQ(answer["assumes"].size(), 1u);
  EXPECT_THAT(answer["assumes"][0], HasSubstr("pA and pB, which are given"));
}

TEST(Covers, AModelCertifiesTheOriginalItself) {
  const std::string original = "good film with great music and fine story";
  const Arguments certify = {"--model", workspace().model(), "--samples", "500", "--seed", "7"};
  const auto covers = [&](const std::string& edited) {
    return Arguments{"covers", "--original", original, "--edited", edited} + certify;
  };
  const std::string fewer = "film with great music and fine story";
  const auto results = run_all(
      {Arguments{"predict", "--json", original} + certify, Arguments{"predict", original} + certify,
       covers(fewer) + Arguments{"--json"}, covers(fewer), covers("bad") + Arguments{"--json"},
       covers(fewer) + Arguments{"--json", "--noise", "universal:p=0.9"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const json predicted = json_of(results[0].out), kept = json_of(results[2].out);
  EXPECT_EQ(kept["original"], predicted);
  EXPECT_EQ(kept["noise"], "universal:p=0.3");
  EXPECT_EQ(kept["certificate"], "sound");
  EXPECT_EQ(kept["pa"], predicted["pa"]);
  EXPECT_EQ(kept["frontier"], predicted["sound"]["frontier"]);
  EXPECT_EQ(kept["assumes"], json::array());
  ASSERT_GE(predicted["sound"]["deletion"], 1) << results[0].out;
  EXPECT_EQ(kept["covered"], true);
  EXPECT_THAT(kept["why"], testing::StartsWith("1 word lost"));
  EXPECT_EQ(results[3].out,
            "original: " + results[1].out + "covered: " + kept["why"].get<std::string>() + "\n");
  EXPECT_EQ(json_of(results[4].out)["covered"], false);
  EXPECT_EQ(json_of(results[5].out)["original"]["noise"], "universal:p=0.9");
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
      {with({"--noise", "substitute:kernel=graph", "--pa", "0.9", "--synonyms", "wordnet"}),
       "depends on the words that the model knows: expected --model"},
      {with({"--noise", "substitute:kernel=cluster,size=3", "--pa", "0.9", "--synonyms",
             workspace().synonyms()}),
       "order of the synonyms in the model: expected --model"},
      {{"covers", "--noise", "insert:sigma=1", "--pa", "0.9", "--vectors", workspace().vectors(),
        "--slots", "9", "--original", "good zzzz", "--edited", "good"},
       "zzzz"},
      {with({"--noise", "insert:sigma=1", "--pa", "0.9", "--vectors", workspace().vectors()}),
       "expected --model or --slots"},
      {with({"--noise", "insert:sigma=1", "--pa", "0.9", "--slots", "9"}), "--vectors"},
      {with({"--noise", "delete:p=0.3", "--pa", "0.9", "--certificate", "paper"}),
       "expected --model or --slots"},
      {with({"--model", workspace().model(), "--pa", "0.9", "--slots", "9"}), "--slots is 9"},
      {with({"--model", workspace().model(), "--pa", "0.9", "--noise", "insert:sigma=1"}),
       "does not fit the model"},
      {with({"--model", workspace().model(), "--pb", "0.1"}), "--pb goes with --pa"},
      {with({"--model", workspace().model(), "--certificate", "paper"}), "--pa"},
      {with({}), "--model"},
      {with({"--model", workspace().model(), "--slots", "12"}), "go with --pa"},
      {with({"--model", workspace().model(), "--pa", "0.9", "--synonyms", workspace().synonyms()}),
       "has its own"},
      {with({"--model", workspace().model(), "--pa", "0.9", "--samples", "9"}), "--samples"},
      {with({"--noise", "substitute:kernel=uniform", "--pa", "0.9", "--candidates", "1",
             "--synonyms", workspace().synonyms()}),
       "--candidates depends on the order of the synonyms in the model"},
      // Empty pieces do not vote.
      {with({"--noise", "hash:buckets=9,functions=5", "--pa", "0.9"}), "at most 2 of the 9"},
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

TEST(Covers, TextsAreUtf8) {
  const Result result = run({"covers", "--noise", "universal:p=0.9", "--pa", "0.9", "--original",
                             "caf\xe9", "--edited", "a"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("--original"));
}

}  // namespace
}  // namespace textcrs::cli_test
