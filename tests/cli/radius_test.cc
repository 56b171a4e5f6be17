// textcrs radius against numbers worked out by hand from docs/certificates.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Case {
  std::string noise_and_mode;
  double pa;
  int words, slots;
  std::map<std::string, json> radii;  // by operation
};

constexpr double kQuantile = 3.0902323061678132;  // Phi^-1(.999), from tables

const std::vector<Case> kCases = {
    // t = .02: .9^37 = .0203 > t > .9^38 = .0182; .9^-6 = 1.882 < 2 - t < .9^-7 = 2.091;
    // (1 + t) .9^-6 = 1.919 < 2 < (1 + t) .9^-7.
    {"universal:p=0.9 sound",
     0.99,
     200,
     200,
     {{"reordering", "unlimited"},
      {"deletion", 37},
      {"insertion", 6},
      {"substitution", 6},
      {"edit", 6}}},
    {"universal:p=0.3 paper", 0.99, 6, 6, {{"deletion", 6}, {"reordering", 6 * 0.98}}},
    {"delete:p=0.3 sound",
     0.99,
     6,
     6,
     {{"deletion", 3}, {"insertion", 0}, {"substitution", 0}, {"edit", 0}}},
    {"delete:p=0.3 paper", 0.999, 43, 43, {{"deletion", 2}}},         // B1 proves 5
    {"reorder:block=32 sound", 0.9, 100, 256, {{"reordering", 24}}},  // even, < 32 (.9 - .1)
    {"reorder:block=32 paper", 0.9, 100, 256, {{"reordering", 25.6}}},
    {"reorder:full sound", 0.51, 100, 256, {{"reordering", "unlimited"}}},
    {"insert:sigma=0.2 sound",
     0.999,
     10,
     43,
     {{"insertion", 0.2 * kQuantile},
      {"substitution", 0.2 * kQuantile},
      {"deletion", 0.2 * kQuantile},
      {"reordering", "unlimited"}}},
    {"insert:sigma=0.2 paper",
     0.999,
     10,
     43,
     {{"insertion", 0.2 * kQuantile},
      {"substitution", 0.2 * kQuantile},
      {"deletion", 0.2 * kQuantile},
      {"reordering", 43 * 0.998}}},
    {"mask:p=0.9 sound", 0.999, 100, 256, {{"substitution", 6}}},  // .998 > 2 (1 - .9^6)
    {"substitute:kernel=staircase,size=50 paper", 0.9, 9, 9, {{"substitution", std::log(5) / 0.1}}},
    {"gaussian:sigma=0.2 sound", 0.999, 10, 43, {{"substitution", 0.2 * kQuantile}}},
    // 188 to 234 words are one bin, of p = 1 - 10 / 211 = .9526: p^-14 = 1.973 < 2 - t = 1.98 <
    // p^-15; (1 + t) p^-13 = 1.917 < 2 < (1 + t) p^-14. B1 would have 80 deletions; the second bin
    // below, which begins with the 60th, costs too much.
    {"adapt:keep=10,order=shuffled sound",
     0.99,
     210,
     256,
     {{"reordering", "unlimited"},
      {"deletion", 59},
      {"insertion", 14},
      {"substitution", 13},
      {"edit", 13}}},
};

std::string noise_of(const Case& c) {
  return c.noise_and_mode.substr(0, c.noise_and_mode.find(' '));
}
std::string mode_of(const Case& c) {
  return c.noise_and_mode.substr(c.noise_and_mode.find(' ') + 1);
}

Arguments command(const Case& c) {
  const Arguments what = {"radius", "--json", "--noise", noise_of(c), "--certificate", mode_of(c)};
  return what + Arguments{"--pa",    json(c.pa).dump(),      "--words", std::to_string(c.words),
                          "--slots", std::to_string(c.slots)};
}

TEST(Radius, KnownNumbersInBothModes) {
  std::vector<Arguments> commands;
  for (const Case& c : kCases) commands.push_back(command(c));
  const auto results = run_all(commands);
  for (size_t i = 0; i < kCases.size(); ++i) {
    SCOPED_TRACE(kCases[i].noise_and_mode);
    ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
    const json answer = json_of(results[i].out);
    EXPECT_EQ(answer["noise"], noise_of(kCases[i]));
    EXPECT_EQ(answer["certificate"], mode_of(kCases[i]));
    EXPECT_EQ(answer["certified"], true);
    EXPECT_EQ(answer.contains("proved"), mode_of(kCases[i]) == "paper");
    EXPECT_EQ(answer.value("proved", false), false);
    EXPECT_GE(answer["pb"].get<double>(), 1 - kCases[i].pa);
    EXPECT_EQ(answer["guarantees"].size(), kCases[i].radii.size());
    for (const json& guarantee : answer["guarantees"]) {
      const std::string operation = guarantee["operation"];
      ASSERT_TRUE(kCases[i].radii.count(operation)) << operation;
      const json& expected = kCases[i].radii.at(operation);
      if (expected.is_number_float())
        EXPECT_NEAR(guarantee["radius"].get<double>(), expected.get<double>(), 1e-9) << operation;
      else
        EXPECT_EQ(guarantee["radius"], expected) << operation;
    }
  }
}

TEST(Radius, TellsTheFrontierTheWindowAndTheHeadline) {
  const auto results = run_all({command(kCases[0]), command(kCases[4]), command(kCases[7])});
  const json universal = json_of(results[0].out), block = json_of(results[1].out);
  const json insert = json_of(results[2].out);
  EXPECT_EQ(universal["operation"], "edit");
  EXPECT_EQ(universal["radius"], 6);
  EXPECT_EQ(universal["edit_distance"], 6);
  EXPECT_EQ(universal["frontier"].back(), (std::vector<int>{37, 0}));
  for (const json& pair : universal["frontier"])  // B2: t p^-a + p^-b < 2
    EXPECT_LT(0.02 * std::pow(0.9, -pair[0].get<int>()) + std::pow(0.9, -pair[1].get<int>()), 2);
  EXPECT_EQ(block["window"], 13);               // 2 * 12 < 25.6
  EXPECT_EQ(insert["operation"], "insertion");  // not the reordering that comes free with it
}

TEST(Radius, SaysWhatItAssumes) {
  const Arguments universal = {"radius", "--noise", "universal:p=0.9", "--pa", "0.99"};
  const auto results =
      run_all({universal + Arguments{"--words", "200"},
               universal + Arguments{"--text", "a film"},
               {"radius", "--model", workspace().model(), "--pa", "0.99", "--text", "a film"},
               Arguments{"radius", "--noise", "insert:sigma=1", "--pa", "0.99", "--slots", "9"} +
                   Arguments{"--words", "200"},
               universal + Arguments{"--words", "1"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string given =
      "assumes: pA and pB, which are given and not measured, hold for the "
      "text under the noise";
  EXPECT_THAT(results[0].out, HasSubstr(given + "; the model cuts the text into 200 words\n"));
  EXPECT_THAT(results[1].out, HasSubstr(given + "; words are cut as the lstm and cnn models cut "
                                                "them (a bert cuts otherwise)\n"));
  EXPECT_THAT(results[2].out, HasSubstr(given + " and the model\n"));
  EXPECT_THAT(results[3].out, HasSubstr("; the model has 9 slots\n"));
  EXPECT_THAT(results[4].out, HasSubstr("; the model cuts the text into 1 word\n"));
  EXPECT_THAT(results[3].out, testing::Not(HasSubstr("reordering")));  // 200 words in 9 slots
}

TEST(Radius, OfAnEmptyText) {
  const Result result =
      run({"radius", "--json", "--noise", "universal:p=0.9", "--pa", "0.999", "--words", "0"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(result.out)["frontier"], (json{{0, 6}}));  // words can be gained only
}

TEST(Radius, NothingIsCertifiedAtATie) {
  const Result result = run({"radius", "--noise", "universal:p=0.9", "--pa", "0.5", "--pb", "0.5",
                             "--words", "10", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(result.out)["certified"], false);
  EXPECT_EQ(json_of(result.out)["radius"], 0);
}

TEST(Radius, RefusesWhatIsNoBoundNoTextOrNoNoise) {
  const auto with = [](const std::string& noise, const Arguments& rest) {
    return Arguments{"radius", "--noise", noise, "--json"} + rest;
  };
  const std::string universal = "universal:p=0.9";
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {with(universal, {"--pa", "1.5", "--words", "9"}), "1.5"},
      {with(universal, {"--pa", "nan", "--words", "9"}), "nan"},
      {with(universal, {"--pa", "0.6", "--pb", "0.7", "--words", "9"}), "0.7"},
      {with(universal, {"--pa", "0.9", "--words", "-1"}), "-1 words"},
      {with(universal, {"--words", "9"}), "textcrs predict"},
      {with("insert:sigma=0.2", {"--pa", "0.9", "--words", "9"}), "expected --model or --slots"},
      {with("universal:p=0.3", {"--pa", "0.9", "--words", "9", "--certificate", "paper"}),
       "expected --model or --slots"},
      {with("reorder:full", {"--pa", "0.9", "--words", "9", "--certificate", "paper"}),
       "expected --model or --slots"},
      {with("substitute:kernel=graph", {"--pa", "0.9", "--text", "a good film"}), "--synonyms"},
      {with("insert:sigma=0.2",
            {"--pa", "0.9", "--text", "good", "--slots", "9", "--neighbours", "2"}),
       "--vectors"},
      {with("universal:p=0", {"--pa", "0.9", "--words", "9"}), "universal:p=0"},
      {with("mask:p=0.9", {"--pa", "0.9", "--words", "9", "--certificate", "paper"}), "mask"},
      {with("hash:buckets=10,functions=3", {"--pa", "0.99", "--words", "1"}),
       "at most 1 of the 10"},
      {with("confetti", {"--pa", "0.9", "--words", "9"}), "confetti"},
  };
  std::vector<Arguments> commands;
  for (const auto& [arguments, found] : cases) commands.push_back(arguments);
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << cases[i].second;
    EXPECT_EQ(results[i].out, "") << cases[i].second;
    EXPECT_THAT(results[i].err, HasSubstr(cases[i].second));
    EXPECT_EQ(lines_of(results[i].err).size(), 1u) << results[i].err;
  }
}

}  // namespace
}  // namespace textcrs::cli_test
