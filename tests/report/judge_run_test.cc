#include "textcrs/report/judge_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "http/broken_server.h"
#include "http/client_calls.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/report/attack_record.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BrokenServer::Behaviour says(const std::string& said) {
  return answers(nlohmann::json{{"choices", {{{"message", {{"content", said}}}}}}}.dump());
}

// A run of four successes and one failure, and a judge of it.
class JudgeRuns : public testing::Test {
 protected:
  JudgeRuns() {
    std::string lines;
    for (uint32_t id = 0; id < 5; ++id) {
      AttackRecord record;
      record.id = id;
      record.label = "pos";
      record.status = id == 2 ? AttackStatus::kFailed : AttackStatus::kSucceeded;
      record.before = record.after = "pos";
      record.original = "text " + std::to_string(id);
      record.adversarial = "edited " + std::to_string(id);
      record.similarity = 0.5 + 0.1 * id;
      lines += to_json(record) + "\n";
    }
    write_file_atomically(folder_.path() / "results.jsonl", lines);
  }

  JudgeOptions options(const BrokenServer& server) const {
    JudgeOptions options;
    options.base_url = server.url("/v1");
    options.model = "some-model";
    options.prompt = std::string(default_judge_prompt());
    options.cache = folder_.path() / "answers.jsonl";
    options.http = quick();
    return options;
  }
  JudgeSummary run(Judge& judge, size_t limit = 0) const {
    return judge_run(folder_.path(), judge,
                     {.limit = limit, .at_once = 1, .endpoint = "some-model"});
  }
  nlohmann::json written() const {
    return nlohmann::json::parse(read_file(folder_.path() / "judge.json"));
  }

  TemporaryFolder folder_;
};

TEST_F(JudgeRuns, AskAboutSuccessesAndSumUp) {
  BrokenServer server({says("Yes"), says("no."), says("Well"), says("**Yes**")});
  Judge judge(options(server));
  const JudgeSummary summary = run(judge);
  EXPECT_EQ(summary.successes, 4u);
  EXPECT_EQ(summary.same, 2u);
  EXPECT_EQ(summary.different, 1u);
  EXPECT_EQ(summary.unclear, 1u);
  EXPECT_EQ(summary.asked, 4);
  EXPECT_DOUBLE_EQ(*summary.deception_rate, 0.5);
  EXPECT_DOUBLE_EQ(*summary.similarity, (0.5 + 0.6 + 0.8 + 0.9) / 4);
  EXPECT_DOUBLE_EQ(*summary.similarity_of_same, (0.5 + 0.9) / 2);
  EXPECT_EQ(written()["same"], 2);
  EXPECT_THAT(in_words(summary), HasSubstr("deception rate 50.0 %"));

  std::vector<std::string> verdicts;
  const std::string lines = read_file(folder_.path() / "judged.jsonl");
  for (size_t begin = 0, end; (end = lines.find('\n', begin)) != lines.npos; begin = end + 1) {
    const auto line = nlohmann::json::parse(lines.substr(begin, end - begin));
    verdicts.push_back(std::to_string(line["id"].get<int>()) + " " +
                       line["verdict"].get<std::string>());
  }
  EXPECT_THAT(verdicts, ElementsAre("0 same", "1 different", "3 unclear", "4 same"));
  ASSERT_EQ(server.requests().size(), 4u);
  EXPECT_THAT(server.requests()[2], HasSubstr("text 3"));
  EXPECT_THAT(server.requests()[2], HasSubstr("edited 3"));
}

TEST_F(JudgeRuns, GoOnAndAskNothingTwice) {
  {
    BrokenServer server({says("Yes"), says("Yes"), answers("no more", "401 Unauthorized")});
    Judge judge(options(server));
    EXPECT_THAT(message_of([&] { run(judge); }, ErrorKind::kFailed), HasSubstr("401"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "judge.json"));
  }
  // Another endpoint knows nothing of what the first one said.
  BrokenServer server({says("No")});
  {
    Judge judge(options(server));
    EXPECT_EQ(run(judge).asked, 4);
  }
  Judge again(options(server));
  const JudgeSummary summary = run(again);
  EXPECT_EQ(summary.asked, 0);
  EXPECT_EQ(summary.different, 4u);
  EXPECT_EQ(server.requests().size(), 4u);
}

TEST_F(JudgeRuns, TakeTheFirstSuccesses) {
  BrokenServer server({says("Yes")});
  Judge judge(options(server));
  EXPECT_EQ(run(judge, 3).successes, 3u);
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(JudgeRuns, WithoutSuccessesHaveNoRate) {
  write_file_atomically(folder_.path() / "results.jsonl", "");
  BrokenServer server({says("Yes")});
  Judge judge(options(server));
  EXPECT_FALSE(run(judge).deception_rate);
  EXPECT_FALSE(written().contains("deception_rate"));
}

TEST_F(JudgeRuns, RefuseWhatIsNoAttack) {
  BrokenServer server({says("Yes")});
  Judge judge(options(server));
  std::filesystem::remove(folder_.path() / "results.jsonl");
  EXPECT_THAT(message_of([&] { run(judge); }, ErrorKind::kBadInput),
              HasSubstr("expected the folder of an attack"));
  write_file_atomically(folder_.path() / "results.jsonl", "{\"id\": 1}\n");
  EXPECT_THAT(message_of([&] { run(judge); }, ErrorKind::kBadInput), HasSubstr("results.jsonl:1"));
}

TEST_F(JudgeRuns, AreInterrupted) {
  BrokenServer server({never_answers()});
  Judge judge(options(server));
  const std::atomic<bool> stop = true;
  message_of(
      [&] { judge_run(folder_.path(), judge, {.endpoint = "some-model"}, {}, StopToken(stop)); },
      ErrorKind::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "judge.json"));
}

}  // namespace
}  // namespace textcrs
