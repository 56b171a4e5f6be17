// textcrs evaluate: what it says of each class, and how it is interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;

Arguments evaluate(const Arguments& extra) {
  return Arguments{"evaluate", "--model", workspace().model(), "--data", workspace().texts()} +
         extra;
}

TEST(Evaluate, SaysHowWellEachClassIsRecognised) {
  const auto results =
      run_all({evaluate({"--copies", "20"}), evaluate({"--copies", "20", "--json"})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = json_of(results[1].out);
  ASSERT_TRUE(json.is_object()) << results[1].out;
  EXPECT_EQ(json["texts"], 200);
  EXPECT_EQ(json["noise"], "universal:p=0.3");
  EXPECT_EQ(json["copies"], 20);
  ASSERT_EQ(json["classes"].size(), 2u);
  int right = 0, texts = 0;
  for (const auto& entry : json["classes"]) {
    const std::string name = entry["class"];
    EXPECT_EQ(entry["texts"], 100);
    EXPECT_EQ(json["confusion"][name][name], entry["right"]);
    EXPECT_DOUBLE_EQ(entry["recall"], entry["right"].get<double>() / 100);
    EXPECT_DOUBLE_EQ(entry["precision"],
                     entry["right"].get<double>() / entry["answered"].get<double>());
    EXPECT_FALSE(entry.contains("abstained"));
    right += entry["right"].get<int>();
    for (const auto& [answer, count] : json["confusion"][name].items()) texts += count.get<int>();
  }
  EXPECT_EQ(texts, 200);
  EXPECT_DOUBLE_EQ(json["accuracy"], right / 200.0);
  const auto lines = lines_of(results[0].out);
  ASSERT_EQ(lines.size(), 9u) << results[0].out;
  EXPECT_THAT(lines[2], testing::StartsWith("class  texts  precision  "));
  EXPECT_THAT(lines[3], testing::StartsWith("neg      100 "));
  EXPECT_EQ(lines[6], "label \\ answer  neg  pos");
  EXPECT_THAT(lines[8], testing::StartsWith("pos  "));
}

TEST(Evaluate, OneTextIsNoPlural) {
  const Result result = run(evaluate({"--limit", "1", "--copies", "1"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" % on 1 text of "));
  EXPECT_THAT(result.out, HasSubstr(", 1 copy per text\n"));
}

// More copies than the engine takes at once.
TEST(Evaluate, EstimatesNothingBeforeATextIsDone) {
  const Result result = run(evaluate({"--limit", "2", "--copies", "20000"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("\n0/2 texts\n"));
}

TEST(Evaluate, IsInterruptedAtOnce) {
  Process process(evaluate({"--copies", "1000000"}));  // minutes
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ASSERT_TRUE(process.running());
  process.signal(SIGINT);
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("interrupted after "));
  EXPECT_THAT(result.err, HasSubstr(" of 200 texts"));
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace textcrs::cli_test
