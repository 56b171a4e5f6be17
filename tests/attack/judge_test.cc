#include "textcrs/attack/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "attack/judge_prompt.h"
#include "http/broken_server.h"
#include "http/client_calls.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A chat completion that says so.
std::string completion(const std::string& said) {
  return nlohmann::json{
      {"object", "chat.completion"},
      {"choices", {{{"index", 0}, {"message", {{"role", "assistant"}, {"content", said}}}}}}}
      .dump();
}

BrokenServer::Behaviour says(const std::string& said) { return answers(completion(said)); }

class Judges : public testing::Test {
 protected:
  Judges() {
    std::string name = (fs::temp_directory_path() / "textcrs-judge-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Judges() override { fs::remove_all(folder_); }

  fs::path cache() const { return folder_ / "deep" / "answers.jsonl"; }

  JudgeOptions options(const BrokenServer& server) const {
    JudgeOptions options;
    options.base_url = server.url("/v1");
    options.model = "some-model";
    options.key = "sk-very-secret";
    options.cache = cache();
    options.http = quick();
    return options;
  }

  fs::path folder_;
};

TEST(JudgeVerdicts, AreReadWithoutTheirMarks) {
  for (const char* yes : {"yes",
                          "Yes",
                          "YES",
                          "Yes.",
                          "yes, they do",
                          "**Yes**",
                          "**Yes**,\nbecause",
                          "\"Yes\"",
                          "“Yes.”",
                          "`yes`",
                          "- yes",
                          "> Yes!",
                          "\n\n  Yes\n",
                          "(yes)",
                          "✅ Yes",
                          "*Yes.* They",
                          "\xef\xbb\xbfyes",
                          "Yes…",
                          "«Yes»",
                          "_yes_",
                          "# Yes\n\nBoth say so.",
                          "yes."})
    EXPECT_EQ(parse_verdict(yes), Verdict::kSame) << yes;
  for (const char* no :
       {"no", "No", "NO.", "No, no", "**No**", "\"no\"", "‘No’", "- No\nyes", "no\t"})
    EXPECT_EQ(parse_verdict(no), Verdict::kDifferent) << no;
  for (const char* unclear :
       {"", " ", "...", "maybe", "Yesterday", "noon", "not", "The answer is yes", "yes/no",
        "no-one", "y", "n", "true", "1", "да", "yés", "Answer: no", "yes0", "\xff\xfe"})
    EXPECT_EQ(parse_verdict(unclear), Verdict::kUnclear) << unclear;
}

TEST(JudgeVerdicts, HaveNames) {
  EXPECT_EQ(to_string(Verdict::kSame), "same");
  EXPECT_EQ(to_string(Verdict::kDifferent), "different");
  EXPECT_EQ(to_string(Verdict::kUnclear), "unclear");
}

TEST(JudgePrompts, TextsAreNotPromptsThemselves) {
  EXPECT_EQ(fill_judge_prompt("a {original} b {edited} c", "{edited}{original}", "{original}"),
            "a {edited}{original} b {original} c");
  EXPECT_EQ(fill_judge_prompt("{edited}{original}", "", "x"), "x");
  EXPECT_EQ(fill_judge_prompt("{original}{edited}{other}", "{origi", "nal}"), "{original}{other}");
}

TEST(JudgePrompts, HaveBothPlacesOnce) {
  check_judge_prompt(default_judge_prompt());
  for (const char* prompt : {"", "{original}", "{edited}", "{original {edited}",
                             "{original}{edited}{edited}", "{original}{original}{edited}"})
    EXPECT_THAT(refusal([&] { check_judge_prompt(prompt); }), HasSubstr("expected it once"));
}

TEST_F(Judges, PostAChatCompletion) {
  const BrokenServer server({says("**Yes**, they do.")});
  JudgeOptions options = this->options(server);
  options.prompt = "A:{original}\nB:{edited}?";
  options.base_url += "/?version=1";
  options.parameters = R"({"temperature": 0.5, "max_tokens": 9})";
  Judge judge(options);
  const Judge::Answer answer = judge.ask("a \"good\" film", "a {original} film");
  EXPECT_EQ(answer.verdict, Verdict::kSame);
  EXPECT_EQ(answer.said, "**Yes**, they do.");
  EXPECT_FALSE(answer.cached);
  EXPECT_EQ(answer.attempts, 1);
  EXPECT_EQ(judge.asked(), 1);
  const std::string request = server.requests()[0];
  EXPECT_THAT(request, testing::StartsWith("POST /v1/chat/completions?version=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nAuthorization: Bearer sk-very-secret\r\n"));
  EXPECT_EQ(nlohmann::json::parse(request.substr(request.find("\r\n\r\n"))),
            nlohmann::json::parse(R"({"model":"some-model","messages":[{"role":"user","content":
              "A:a \"good\" film\nB:a {original} film?"}],"temperature":0.5,"max_tokens":9})"));
}

TEST_F(Judges, RefuseOptionsThatCanNotBe) {
  const BrokenServer server({says("yes")});
  const auto refused = [&](const std::function<void(JudgeOptions&)>& change) {
    JudgeOptions options = this->options(server);
    change(options);
    return refusal([&] { Judge judge(options); });
  };
  EXPECT_THAT(refused([](auto& o) { o.base_url = ""; }), HasSubstr("found no url"));
  EXPECT_THAT(refused([](auto& o) { o.base_url = "localhost"; }), HasSubstr("expected a url"));
  EXPECT_THAT(refused([](auto& o) { o.model = ""; }), HasSubstr("found no model"));
  EXPECT_THAT(refused([](auto& o) { o.prompt = "yes or no?"; }), HasSubstr("{original}"));
  EXPECT_THAT(refused([](auto& o) { o.parameters = "{"; }), HasSubstr("the judge's parameters: "));
  EXPECT_THAT(refused([](auto& o) { o.parameters = R"({"model": "x"})"; }), HasSubstr("\"model\""));
  EXPECT_THAT(refused([](auto& o) { o.budget = -1; }), HasSubstr("budget"));
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(Judges, TextsAreUtf8) {
  const BrokenServer server({says("yes")});
  Judge judge(options(server));
  EXPECT_THAT(message_of([&] { judge.ask("good\xff", "bad"); }, ErrorKind::kBadInput),
              HasSubstr("not UTF-8"));
  EXPECT_EQ(server.connections(), 0u);
  EXPECT_EQ(judge.asked(), 0);
}

TEST_F(Judges, RetryAnswersWithoutContent) {
  const std::string deep(100'000, '[');
  const std::vector<std::string> faults = {
      "",
      "{\"choices\":[{\"message\":{\"content\":\"ye",
      completion("yes") + "x",
      "17",
      "[]",
      "{}",
      "{\"choices\":[]}",
      "{\"choices\":{}}",
      "{\"choices\":[{}]}",
      "{\"choices\":[{\"message\":{}}]}",
      "{\"choices\":[{\"message\":{\"content\":null}}]}",
      "{\"choices\":[{\"message\":{\"content\":[\"yes\"]}}]}",
      "{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}",
      "{\"error\":{\"message\":\"overloaded\"},\"choices\":[]}",
      "{\"choices\":[{\"message\":{\"content\":1e999}}]}",
      deep,
      deep + std::string(100'000, ']'),
      "{\"choices\":" + deep};
  for (const std::string& fault : faults) {
    const BrokenServer server({answers(fault), says("no")});
    JudgeOptions once = options(server);
    once.cache = "";
    const Judge::Answer answer = Judge(once).ask("good", "bad");
    EXPECT_EQ(answer.verdict, Verdict::kDifferent);
    EXPECT_EQ(answer.attempts, 2) << fault.substr(0, 50);

    const BrokenServer never({answers(fault)});
    JudgeOptions options = this->options(never);
    options.cache = "";
    const std::string said =
        message_of([&] { Judge(options).ask("good", "bad"); }, ErrorKind::kFailed);
    EXPECT_THAT(said, testing::StartsWith(never.url("/v1/chat/completions") + ": the answer: "));
    EXPECT_THAT(said, testing::EndsWith("(3 attempts)"));
  }
}

TEST_F(Judges, SayWhatTheEndpointComplainsOf) {
  const BrokenServer server({answers(R"({"error":{"message":"model overloaded"}})")});
  EXPECT_THAT(message_of([&] { Judge(options(server)).ask("good", "bad"); }, ErrorKind::kFailed),
              HasSubstr("found the error {\"message\":\"model overloaded\"}, expected choices"));
}

TEST_F(Judges, AskOnce) {
  const BrokenServer server({says("Yes."), says("no")});
  {
    Judge judge(options(server));
    EXPECT_EQ(judge.ask("good", "fine").verdict, Verdict::kSame);
    const Judge::Answer again = judge.ask("good", "fine");
    EXPECT_TRUE(again.cached);
    EXPECT_EQ(again.attempts, 0);
    EXPECT_EQ(judge.asked(), 1);
  }
  EXPECT_FALSE(fs::exists(cache().string() + ".lock"));
  Judge judge(options(server));
  const Judge::Answer again = judge.ask("good", "fine");
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.said, "Yes.");
  EXPECT_EQ(again.verdict, Verdict::kSame);
  EXPECT_EQ(judge.ask("fine", "good").verdict, Verdict::kDifferent);
  EXPECT_EQ(judge.asked(), 1);
  EXPECT_EQ(server.connections(), 2u);
}

TEST_F(Judges, AnAnswerIsThatOfOneSetting) {
  const BrokenServer server({says("yes")}), other({says("yes")});
  const auto is_cached = [&](const std::function<void(JudgeOptions&)>& change,
                             const std::string& original = "good") {
    JudgeOptions options = this->options(server);
    change(options);
    return Judge(options).ask(original, "fine").cached;
  };
  const auto as_it_is = [](JudgeOptions&) {};
  EXPECT_FALSE(is_cached(as_it_is));
  EXPECT_FALSE(is_cached([](auto& o) { o.model = "another-model"; }));
  EXPECT_FALSE(is_cached([](auto& o) { o.prompt = "{original} {edited}"; }));
  EXPECT_FALSE(is_cached([](auto& o) { o.parameters = R"({"temperature": 1e-9})"; }));
  EXPECT_FALSE(is_cached([&](auto& o) { o.base_url = other.url("/v1"); }));
  EXPECT_FALSE(is_cached([](auto& o) { o.base_url += "?version=2"; }));
  EXPECT_FALSE(is_cached(as_it_is, "goodfine"));
  EXPECT_FALSE(is_cached(as_it_is, ""));
  // What an answer does not depend on.
  EXPECT_TRUE(is_cached(as_it_is));
  EXPECT_TRUE(is_cached([](auto& o) { o.key = "sk-other"; }));
  EXPECT_TRUE(is_cached([](auto& o) { o.base_url += "/"; }));
  EXPECT_TRUE(is_cached([](auto& o) { o.prompt = default_judge_prompt(); }));
  EXPECT_TRUE(is_cached([](auto& o) {
    o.key = "";
    o.base_url.insert(7, "user:password@");
  }));
}

// As kill -9 may leave it: the last line up to any of its bytes.
TEST_F(Judges, HalfALineIsCutOff) {
  const BrokenServer server({says("yes"), says("no \"ä\"\n"), says("yes"), says("maybe")});
  {
    Judge judge(options(server));
    judge.ask("1", "2");
    judge.ask("1", "3");
  }
  const std::string whole = read_file(cache());
  const size_t first = whole.find('\n') + 1;
  ASSERT_EQ(std::count(whole.begin(), whole.end(), '\n'), 2);
  for (size_t size = first; size < whole.size(); ++size) {
    std::ofstream(cache(), std::ios::binary) << whole.substr(0, size);
    const Judge judge(options(server));
    EXPECT_EQ(read_file(cache()), whole.substr(0, first)) << size;
  }
  Judge judge(options(server));
  EXPECT_TRUE(judge.ask("1", "2").cached);
  EXPECT_FALSE(judge.ask("1", "3").cached);
  EXPECT_EQ(std::ranges::count(read_file(cache()), '\n'), 2);
}

TEST_F(Judges, ADamagedLineIsNamed) {
  const BrokenServer server({says("yes")});
  { Judge(options(server)).ask("1", "2"); }
  const std::string good = read_file(cache());
  const std::string key(32, 'a');
  const std::vector<std::string> lines = {"\n",
                                          "{}\n",
                                          "[1]\n",
                                          std::string(40, '\0') + "\n",
                                          good.substr(0, good.size() - 3) + "\n",
                                          "{\"key\":\"" + key + "\"}\n",
                                          "{\"key\":\"" + key + "\",\"said\":1}\n",
                                          "{\"key\":\"aa\",\"said\":\"yes\"}\n",
                                          "{\"key\":\"" + key + "\",\"said\":\"yes\",\"more\":1}\n",
                                          "{\"key\":\"" + key + "\",\"key\":\"" + key + "\"}\n",
                                          std::string(100'000, '[') + "\n",
                                          "somebody else's file"};
  for (const std::string& line : lines) {
    const std::string content = good + line + good;
    std::ofstream(cache(), std::ios::binary) << content;
    EXPECT_THAT(message_of([&] { Judge judge(options(server)); }, ErrorKind::kBadInput),
                testing::StartsWith(cache().string() + ":2: "))
        << line.substr(0, 50);
    EXPECT_EQ(read_file(cache()), content);
  }
  std::ofstream(cache(), std::ios::binary) << good << "the only line of a precious file";
  EXPECT_THAT(message_of([&] { Judge judge(options(server)); }, ErrorKind::kBadInput),
              HasSubstr(":2: found a line without its end"));
  std::ofstream(cache(), std::ios::binary) << good << good;
  EXPECT_TRUE(Judge(options(server)).ask("1", "2").cached);
}

TEST_F(Judges, ACacheIsOneJudgesAtATime) {
  const BrokenServer server({says("yes")});
  const Judge judge(options(server));
  EXPECT_THAT(refusal([&] { Judge second(options(server)); }), HasSubstr("is writing there"));
}

TEST_F(Judges, AFullDiskLeavesTheCacheAsItWas) {
  const BrokenServer server({says("yes")});
  Judge judge(options(server));
  judge.ask("1", "2");
  const std::string before = read_file(cache());
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit little{before.size() + 20, old.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const std::string said = message_of([&] { judge.ask("1", "3"); }, ErrorKind::kFailed);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, handler);
  EXPECT_THAT(said, HasSubstr("cannot be written"));
  EXPECT_EQ(read_file(cache()), before);
  EXPECT_FALSE(judge.ask("1", "4").cached);
  EXPECT_THAT(read_file(cache()), testing::StartsWith(before + "{\"key\""));
}

TEST_F(Judges, HaveABudget) {
  const BrokenServer server({says("yes"), answers("", "500 Oh"), says("no"), says("yes")});
  JudgeOptions options = this->options(server);
  options.budget = 3;
  Judge judge(options);
  judge.ask("1", "2");
  EXPECT_EQ(judge.ask("1", "3").attempts, 2);  // an attempt that failed was asked, too
  EXPECT_EQ(judge.asked(), 3);
  EXPECT_EQ(message_of([&] { judge.ask("1", "4"); }, ErrorKind::kFailed),
            server.url("/v1/chat/completions") +
                ": the budget of 3 questions is spent; what is answered is kept in " +
                cache().string());
  EXPECT_EQ(server.connections(), 3u);
  EXPECT_EQ(judge.asked(), 3);
  EXPECT_TRUE(judge.ask("1", "2").cached);
}

TEST_F(Judges, ABudgetEndsRetriesToo) {
  const BrokenServer server({answers("", "503 Oh")});
  JudgeOptions options = this->options(server);
  options.budget = 2;
  options.cache = "";
  EXPECT_EQ(message_of([&] { Judge(options).ask("1", "2"); }, ErrorKind::kFailed),
            server.url("/v1/chat/completions") +
                ": the budget of 2 questions is spent (the last one: found the status 503, "
                "expected 2xx); there is no cache that keeps the answers");
  EXPECT_EQ(server.connections(), 2u);
}

TEST_F(Judges, NeverWriteTheKey) {
  const BrokenServer server({says("yes, sk-very-secret"),
                             answers("bad key sk-very-secret", "401 Who"),
                             answers("{\"error\":\"sk-very-secret\"}")});
  Judge judge(options(server));
  EXPECT_EQ(judge.ask("1", "2").said, "yes, [secret]");
  for (const char* edited : {"3", "4"}) {
    const std::string said = message_of([&] { judge.ask("1", edited); }, ErrorKind::kFailed);
    EXPECT_THAT(said, HasSubstr("[secret]"));
    EXPECT_THAT(said, Not(HasSubstr("very-secret")));
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_))
    if (entry.is_regular_file())
      EXPECT_THAT(read_file(entry.path()), Not(HasSubstr("very-secret")));
}

TEST_F(Judges, StopWhenTheyAreAsked) {
  const BrokenServer server({says("yes"), never_answers()});
  Judge judge(options(server));
  std::atomic<bool> stop = false;
  judge.ask("1", "2", StopToken(stop));
  std::thread stopper([&] {
    while (server.requests().size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop = true;
  });
  message_of([&] { judge.ask("1", "3", StopToken(stop)); }, ErrorKind::kInterrupted);
  stopper.join();
  EXPECT_EQ(judge.asked(), 2);
  EXPECT_TRUE(judge.ask("1", "2").cached);
}

// With the word "2" for an answer to a question whose edited text is 2.
TEST_F(Judges, AreAskedByManyThreads) {
  const BrokenServer server({[](Peer& peer) {
    const std::string request = peer.read_request();
    const size_t begin = request.rfind(" B") + 2;
    peer.send(
        http_answer("200 OK", completion(request.substr(begin, request.find('.', begin) - begin))));
  }});
  JudgeOptions options = this->options(server);
  options.prompt = "{original} B{edited}.";
  {
    Judge judge(options);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const std::string text = std::to_string((i * (t + 1)) % 23);
          EXPECT_EQ(judge.ask("A", text).said, text);
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(judge.asked(), static_cast<int64_t>(server.connections()));
  }
  std::set<std::string> texts;
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 20; ++i) texts.insert(std::to_string((i * (t + 1)) % 23));
  EXPECT_EQ(std::ranges::count(read_file(cache()), '\n'), static_cast<int64_t>(texts.size()));
}

}  // namespace
}  // namespace textcrs
