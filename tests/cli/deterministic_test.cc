// certify, predict and radius under the finite noises: nothing is sampled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kHash = "hash:buckets=2,functions=9", kSorted = "reorder:block=9,order=sorted";

Arguments exact_run(const std::string& out, const std::string& noise) {
  return certify_run(out, 40, 100) + Arguments{"--noise", noise};
}

TEST(Deterministic, CertifyCountsEveryPieceOnce) {
  const auto results = run_all({exact_run("hash", kHash), exact_run("sorted", kSorted)});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  int certified = 0;
  for (const json& record : records("hash")) {
    const int64_t neg = record["counts"][0], pos = record["counts"][1];
    EXPECT_LE(neg + pos, 18);
    EXPECT_GE(neg + pos, 9);
    EXPECT_EQ(record["samples"], neg + pos);
    EXPECT_EQ(record["prediction"], pos > neg ? "pos" : "neg");
    EXPECT_EQ(record["abstained"], pos == neg);
    EXPECT_NEAR(record["pa"].get<double>(), static_cast<double>(std::max(neg, pos)) / 18, 1e-15);
    EXPECT_NEAR(record["pb"].get<double>(), static_cast<double>(std::min(neg, pos)) / 18, 1e-15);
    if (pos == neg) continue;
    ++certified;
    EXPECT_EQ(record["sound"]["reordering"], "unlimited");
    EXPECT_EQ(record["sound"]["insertion"], 0);  // never with two buckets
  }
  EXPECT_GT(certified, 30);
  for (const json& record : records("sorted")) {
    const int64_t neg = record["counts"][0], pos = record["counts"][1];
    EXPECT_EQ(neg + pos, 9);
    const int64_t residues = (std::abs(pos - neg) - 1) / 2;
    if (residues >= record["words"].get<int64_t>() - 1)
      EXPECT_EQ(record["sound"]["reordering"], "unlimited");
    else
      EXPECT_EQ(record["sound"]["reordering"], 2 * residues);
    EXPECT_EQ(record["sound"]["window"], std::min(residues + 1, record["words"].get<int64_t>()));
  }
}

TEST(Deterministic, NothingButTheTextDecides) {
  const std::vector<Arguments> commands = {
      exact_run("exact0", kHash),
      exact_run("exact1", kHash) + Arguments{"--threads", "1", "--alpha", "0.2"},
      exact_run("exact2", kHash) + Arguments{"--threads", "3", "--batch-size", "5"}};
  for (const Result& result : run_all(commands)) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto expected = records("exact0");
  ASSERT_EQ(expected.size(), 40u);
  EXPECT_EQ(records("exact1"), expected);
  EXPECT_EQ(records("exact2"), expected);
}

// The certificate of one text, and the answers for texts inside its set.
TEST(Deterministic, PredictSaysThatNothingWasSampled) {
  const Arguments predict = {"predict", "--model", workspace().model(), "--noise",
                             "hash:buckets=5,functions=40"};
  const std::string text = "good film with great music and fine story, warm and bright";
  const std::string reordered = "bright and warm, story fine and music great with film good";
  const auto results = run_all({predict + Arguments{text, reordered},
                                predict + Arguments{"--json", "--seed", "7", text, reordered}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(results[0].out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], StartsWith("pos ("));
  EXPECT_THAT(lines[0], HasSubstr("votes), and stays so in any word order"));
  EXPECT_THAT(lines[0], HasSubstr("; proved without sampling; warning: noise hash:"));
  EXPECT_EQ(lines[1], lines[0]);
  const auto objects = lines_of(results[1].out);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0], objects[1]);
  const json answer = json_of(objects[0]);
  EXPECT_EQ(answer["exact"], true);
  EXPECT_EQ(answer["alpha"], 0);
  EXPECT_EQ(answer["prediction"], "pos");
  EXPECT_EQ(answer["in_words"], lines[0]);
}

TEST(Deterministic, RadiusTakesSharesOfAllOutcomes) {
  const auto radius = [](const std::string& noise, const std::string& pa, const std::string& pb) {
    return Arguments{"radius", "--json", "--noise", noise,     "--pa",
                     pa,       "--pb",   pb,        "--words", "230"};
  };
  const auto results = run_all({radius("hash:buckets=40,functions=20", "0.75", "0.25"),
                                radius("reorder:block=16,order=sorted", "1", "0"),
                                radius("hash:buckets=40", "0.75", "0.25")});
  ASSERT_EQ(results[0].exit_code, 0) << results[0].err;
  const json hash = json_of(results[0].out), sorted = json_of(results[1].out);
  EXPECT_EQ(hash["edit_distance"], 4);  // 2 a < 40 / 2: a = 9
  EXPECT_EQ(hash["frontier"][0], (std::vector<int>{0, 9}));
  EXPECT_EQ(sorted["radius"], 14);
  EXPECT_EQ(sorted["window"], 8);
  EXPECT_EQ(results[2].exit_code, 2);
  EXPECT_THAT(results[2].err, HasSubstr("functions"));
}

TEST(Deterministic, TooManyPiecesAreRefused) {
  const Result result = run(exact_run("many", "hash:buckets=1000000,functions=1000000"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("1000000000000 outcomes"));
}

}  // namespace
}  // namespace textcrs::cli_test
