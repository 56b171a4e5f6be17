// textcrs judge, against an endpoint on loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/broken_server.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// The folder of a run with one success.
std::string attack_folder(const std::string& name) {
  std::filesystem::create_directories(workspace().path(name));
  workspace().write(
      name + "/results.jsonl",
      R"({"id":0,"label":"pos","status":"succeeded","before":"pos","after":"neg",)"
      R"("share_before":0.9,"share_after":0.1,"queries":3,"words":1,"words_after":1,)"
      R"("differences":[{"place":0,"before":"good","after":"fine"}],"similarity":0.5,)"
      R"("original":"good","adversarial":"fine","models":[],"seconds":1.0,"version":"0.2.0"})"
      "\n");
  return workspace().path(name);
}

Arguments judging(const std::string& folder, const BrokenServer& server) {
  return {"judge", folder, "--url", server.url("/v1"), "--judge-model", "some-model"};
}

TEST(JudgeVerb, AsksWithTheKeyOfTheEnvironmentAndKeepsTheAnswers) {
  BrokenServer server(
      {answers(R"({"choices":[{"message":{"role":"assistant","content":"Yes."}}]})")});
  const std::string folder = attack_folder("judged");
  const Result result = run(judging(folder, server), {{"TEXTCRS_KEY", "sk-secret"}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("deception rate 100.0 %"));
  EXPECT_THAT(result.out, HasSubstr("1 question asked this time"));
  EXPECT_THAT(server.requests()[0], HasSubstr("Bearer sk-secret"));
  EXPECT_THAT(read(folder + "/judge-answers.jsonl"), Not(HasSubstr("sk-secret")));
  EXPECT_THAT(read(folder + "/judge.json"), HasSubstr("\"deception_rate\": 1.0"));

  const Result again = run(judging(folder, server));
  EXPECT_THAT(again.out, HasSubstr("0 questions asked this time"));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(JudgeVerb, SaysWhatTheEndpointSaidAndHowToGoOn) {
  BrokenServer server({answers("who are you?", "401 Unauthorized")});
  const Result result = run(judging(attack_folder("refused"), server), {{"TEXTCRS_KEY", "sk-no"}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("401"));
  EXPECT_THAT(result.err, HasSubstr("the same command goes on"));
  EXPECT_THAT(result.err, Not(HasSubstr("sk-no")));
}

TEST(JudgeVerb, RefusesBadInput) {
  BrokenServer server({closes_at_once()});
  EXPECT_EQ(run(judging(workspace().path("nowhere"), server)).exit_code, 3);
  const std::string prompt = workspace().write("prompt.txt", "Is {original} good?");
  const Result result =
      run(judging(attack_folder("prompted"), server) + Arguments{"--prompt", prompt});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("{edited}"));
  EXPECT_EQ(
      run({"judge", attack_folder("urls"), "--url", "ftp://x", "--judge-model", "m"}).exit_code, 2);
}

}  // namespace
}  // namespace textcrs::cli_test
