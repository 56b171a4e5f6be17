// Short texts under sampled noises: all outcomes are run instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;

Arguments auto_run(const std::string& out, int samples) {
  Arguments command = certify_run(out, 60, samples);
  for (std::string& argument : command)
    if (argument == "never") argument = "auto";
  return command + Arguments{"--noise", "delete:p=0.5"};
}

TEST(Exact, TextsWithAtMostNOutcomesAreEnumerated) {
  const auto results =
      run_all({auto_run("enumerated", 256),
               certify_run("drawn", 60, 20000) + Arguments{"--noise", "delete:p=0.5"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto enumerated = records("enumerated"), drawn = records("drawn");
  ASSERT_EQ(enumerated.size(), drawn.size());
  int exact = 0;
  for (size_t i = 0; i < enumerated.size(); ++i) {
    const json& record = enumerated[i];
    const int words = record["words"];
    EXPECT_EQ(record.value("exact", false), words <= 8) << words;
    EXPECT_EQ(drawn[i].value("exact", false), false);
    if (words > 8) continue;
    ++exact;
    EXPECT_LE(record["samples"], std::exp2(words));  // repeated words: fewer
    if (record["abstained"]) continue;
    // The sampled bound lies below the exact probability, and close to it.
    if (drawn[i]["prediction"] != record["prediction"] || drawn[i]["abstained"]) continue;
    EXPECT_LE(drawn[i]["pa"], record["pa"].get<double>() + 1e-6);
    EXPECT_GE(drawn[i]["pa"], record["pa"].get<double>() - 0.03);
    EXPECT_GE(record["sound"]["deletion"], drawn[i]["sound"]["deletion"]);
  }
  EXPECT_GT(exact, 20);
}

TEST(Exact, NothingButTheTextDecides) {
  const std::vector<Arguments> commands = {
      auto_run("law0", 4096), auto_run("law1", 4096) + Arguments{"--threads", "1", "--seed", "9"},
      auto_run("law2", 4096) + Arguments{"--threads", "3", "--alpha", "0.2"}};
  for (const Result& result : run_all(commands)) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(records("law1").size(), 60u);
  EXPECT_EQ(records("law2"), records("law0"));
}

}  // namespace
}  // namespace textcrs::cli_test
