#include "textcrs/blackbox/endpoint_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "http/broken_server.h"
#include "http/client_calls.h"

namespace textcrs {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

using Texts = std::vector<std::string>;

EndpointOptions options(const std::string& url) {
  EndpointOptions options;
  options.url = url;
  options.classes = {"no", "yes"};
  options.http = quick();
  return options;
}

EndpointOptions chat(const std::string& url) {
  EndpointOptions chat = options(url);
  chat.chat.model = "some-model";
  return chat;
}

std::string body_of(const std::string& request) {
  return request.substr(request.find("\r\n\r\n") + 4);
}

// "yes" for texts with "good", as labels or as scores.
BrokenServer::Behaviour rule(bool scores) {
  return [scores](Peer& peer) {
    const json asked = json::parse(body_of(peer.read_request()));
    json list = json::array();
    for (const std::string text : asked.at("texts")) {
      const bool good = text.find("good") != text.npos;
      list.push_back(scores ? json{good ? 0.2 : 0.8, good ? 0.8 : 0.2} : json(good ? "yes" : "no"));
    }
    peer.send(http_answer("200 OK", json{{scores ? "scores" : "labels", list}}.dump()));
  };
}

std::string completion(const std::string& said) {
  return json{{"choices", {{{"message", {{"role", "assistant"}, {"content", said}}}}}}}.dump();
}

BrokenServer::Behaviour says(const std::string& said) { return textcrs::answers(completion(said)); }

std::string failure_of(const EndpointOptions& options, const Texts& texts = {"good", "bad"}) {
  return message_of([&] { make_endpoint_box(options)->ask(texts); }, ErrorKind::kFailed);
}

TEST(Endpoints, LabelListsOfTexts) {
  for (const bool scores : {false, true}) {
    const BrokenServer server({rule(scores)});
    EndpointOptions two = options(server.url("/label?v=1"));
    two.batch = 2;
    const auto box = make_endpoint_box(two);
    EXPECT_EQ(box->kind(), "endpoint");
    EXPECT_THAT(box->ask(Texts{"a \"good\" film", "", "good", "bad", "naïve"}),
                ElementsAre(1, 0, 1, 0, 0));
    EXPECT_EQ(box->effort(), "3 requests");
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 3u);
    EXPECT_THAT(requests[0], StartsWith("POST /label?v=1 HTTP/1.1\r\n"));
    EXPECT_EQ(body_of(requests[0]), R"({"texts":["a \"good\" film",""]})");
    EXPECT_EQ(body_of(requests[2]), R"({"texts":["naïve"]})");
  }
}

TEST(Endpoints, ScoresMayHaveNames) {
  const BrokenServer server(
      {textcrs::answers(R"({"scores": [{"yes": 0.9, "no": 0.1}, {"no": 2, "yes": 1}]})")});
  EXPECT_THAT(make_endpoint_box(options(server.url()))->ask(Texts{"a", "b"}), ElementsAre(1, 0));
}

TEST(Endpoints, WhatIsNoAnswerIsAskedAgainAndThenAnError) {
  const std::pair<const char*, const char*> faults[] = {
      {"", "byte 1"},
      {"{\"labels\": [\"yes\"", "byte"},
      {"[]", "expected an object"},
      {"{}", "found neither 'labels' nor 'scores'"},
      {R"({"labels": ["yes"]})", "found 1 labels, expected 2, one for each text"},
      {R"({"labels": ["yes", "no", "no"]})", "found 3 labels, expected 2"},
      {R"({"scores": []})", "found 0 scores, expected 2"},
      {R"({"labels": "yes"})", "expected a list"},
      {R"({"labels": ["yes", "maybe"]})", "found the label \\\"maybe\\\""},
      {R"({"labels": ["yes", null]})", "found null for a label"},
      {R"({"scores": [[0, 1], [NaN, 1]]})", "byte"},
      {R"({"scores": [[0, 1], [1e999, 1]]})", "byte"},
      {R"({"scores": [[0, 1], [null, 1]]})", "null"},
      {R"({"scores": [[0, 1], [0, 1, 2]]})", "found 3 scores"},
      {"{\"labels\": [\"yes\", \"\xff\"]}", "byte"},
  };
  for (const auto& [body, why] : faults) {
    SCOPED_TRACE(body);
    const BrokenServer server({textcrs::answers(body), rule(false)});
    const auto box = make_endpoint_box(options(server.url()));
    EXPECT_THAT(box->ask(Texts{"good", "bad"}), ElementsAre(1, 0));
    EXPECT_EQ(box->effort(), "2 requests");
    const BrokenServer never({textcrs::answers(body)});
    std::string said = failure_of(options(never.url()));
    EXPECT_THAT(said, AllOf(StartsWith(never.url() + ": "), HasSubstr("(3 attempts)")));
    std::string expected = why;
    std::erase(expected, '\\');
    EXPECT_THAT(said, HasSubstr(expected));
  }
}

TEST(Endpoints, FaultsOfTheServerAreRetriedAndRefusalsAreNot) {
  const BrokenServer busy(
      {textcrs::answers("later", "503 Service Unavailable"), closes_at_once(), rule(true)});
  EXPECT_THAT(make_endpoint_box(options(busy.url()))->ask(Texts{"good"}), ElementsAre(1));
  const BrokenServer closed({textcrs::answers("who are you?", "401 Unauthorized")});
  EXPECT_THAT(failure_of(options(closed.url())),
              AllOf(HasSubstr("401"), HasSubstr("who are you?"), HasSubstr("(1 attempt)")));
  const BrokenServer silent({never_answers()});
  EndpointOptions late = options(silent.url());
  late.http.timeout = std::chrono::milliseconds(100);
  EXPECT_THAT(failure_of(late), HasSubstr("(3 attempts)"));
}

TEST(Endpoints, TheBudgetHoldsForAllRequests) {
  const BrokenServer server({rule(false)});
  EndpointOptions poor = options(server.url());
  poor.batch = 1;
  poor.budget = 3;
  poor.kept = "some/folder";
  const auto box = make_endpoint_box(poor);
  EXPECT_THAT(message_of(
                  [&] {
                    box->ask(Texts{"a", "b", "c", "d"});
                  },
                  ErrorKind::kFailed),
              AllOf(HasSubstr("the budget of 3 questions is spent"),
                    HasSubstr("what is answered is kept in some/folder")));
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_EQ(box->effort(), "3 requests");
  poor.budget = 1;
  const BrokenServer broken({textcrs::answers("{}")});
  poor.url = broken.url();
  poor.kept = "";
  EXPECT_THAT(failure_of(poor), AllOf(HasSubstr("the budget of 1 question is spent"),
                                      HasSubstr("found neither"), HasSubstr("no cache")));
}

TEST(Endpoints, SeveralRequestsRunAtOnce) {
  const BrokenServer server({rule(false)});
  EndpointOptions four = options(server.url());
  four.at_once = 4;
  const auto box = make_endpoint_box(four);
  EXPECT_EQ(box->at_once(), 4);
  std::vector<std::thread> threads;
  std::vector<std::vector<int>> said(4);
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { said[t] = box->ask(Texts{t % 2 ? "good" : "bad", "good"}); });
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < 4; ++t) EXPECT_THAT(said[t], ElementsAre(t % 2, 1));
}

TEST(Endpoints, AreInterrupted) {
  const BrokenServer server({never_answers()});
  std::atomic<bool> stop = false;
  std::thread interrupting([&] {
    while (server.requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop = true;
  });
  const auto box = make_endpoint_box(options(server.url()));
  message_of([&] { box->ask(Texts{"good"}, StopToken(stop)); }, ErrorKind::kInterrupted);
  interrupting.join();
}

TEST(Endpoints, KeepTheirKeyToThemselves) {
  const BrokenServer server({textcrs::answers("sk-secret is no key", "403 Forbidden")});
  EndpointOptions secret = options(server.url("/label?token=hidden"));
  secret.key = "sk-secret";
  const auto box = make_endpoint_box(secret);
  const std::string said = message_of([&] { box->ask(Texts{"good"}); }, ErrorKind::kFailed);
  EXPECT_THAT(server.requests()[0], HasSubstr("Authorization: Bearer sk-secret\r\n"));
  EXPECT_THAT(said, AllOf(Not(HasSubstr("sk-secret")), Not(HasSubstr("hidden")), HasSubstr("403")));
  EXPECT_THAT(box->facts(), ElementsAre(Pair("classifier_url", server.url("/label"))));
  // Two keys are one endpoint; two queries may be two models.
  EndpointOptions other = secret;
  other.key = "sk-other";
  EXPECT_EQ(make_endpoint_box(other)->fingerprint(), box->fingerprint());
  other.url = server.url("/label?token=other");
  EXPECT_NE(make_endpoint_box(other)->fingerprint(), box->fingerprint());
  const std::string with_password = "http://me:word@127.0.0.1:1/";
  EXPECT_THAT(make_endpoint_box(options(with_password))->facts(),
              ElementsAre(Pair("classifier_url", "http://127.0.0.1:1/")));
}

TEST(Endpoints, OptionsThatCanNotBeAreRefused) {
  const auto refused = [](const std::function<void(EndpointOptions&)>& change) {
    EndpointOptions wrong = chat("http://localhost:1/v1");
    change(wrong);
    return refusal([&] { make_endpoint_box(wrong); });
  };
  EXPECT_THAT(refused([](auto& o) { o.url = "localhost"; }), HasSubstr("url"));
  EXPECT_THAT(refused([](auto& o) { o.url = "ftp://localhost"; }), HasSubstr("http"));
  EXPECT_THAT(refused([](auto& o) { o.classes = {}; }), HasSubstr("found none"));
  EXPECT_THAT(refused([](auto& o) { o.batch = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.at_once = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.budget = -1; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.key = "a b"; }), HasSubstr("key"));
  EXPECT_THAT(refused([](auto& o) { o.chat.prompt = "Which?"; }), HasSubstr("found no {text}"));
  for (const char* wrong : {"", "{", "[]", "0.5"})
    EXPECT_THAT(refused([&](auto& o) { o.chat.parameters = wrong; }),
                HasSubstr("the parameters of the black box: "))
        << wrong;
  EXPECT_THAT(refused([](auto& o) { o.chat.parameters = R"({"n": 2})"; }),
              HasSubstr("found \"n\""));
  EXPECT_THAT(refused([](auto& o) { o.chat.unclear = "perhaps"; }),
              AllOf(HasSubstr("\"perhaps\""), HasSubstr("no, yes")));
}

TEST(Endpoints, TextsAreUtf8) {
  const BrokenServer server({rule(false)});
  for (const EndpointOptions& one : {options(server.url()), chat(server.url())})
    EXPECT_THAT(
        message_of([&] { make_endpoint_box(one)->ask(Texts{"b\xff"}); }, ErrorKind::kBadInput),
        HasSubstr("not UTF-8"));
  EXPECT_EQ(server.connections(), 0u);
}

TEST(ChatEndpoints, AreAskedOneTextAtATime) {
  const BrokenServer server({says("**Yes**."), says("No")});
  EndpointOptions one = chat(server.url("/v1"));
  one.chat.prompt = "{classes}? {text}";
  const auto box = make_endpoint_box(one);
  EXPECT_EQ(box->kind(), "chat endpoint");
  EXPECT_EQ(box->batch(), 1u);
  EXPECT_THAT(box->ask(Texts{"a {classes} \"film\"", "bad"}), ElementsAre(1, 0));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_THAT(requests[0], StartsWith("POST /v1/chat/completions HTTP/1.1\r\n"));
  EXPECT_EQ(json::parse(body_of(requests[0])),
            json::parse(R"({"model": "some-model", "temperature": 0, "max_tokens": 16,
              "messages": [{"role": "user", "content": "no, yes? a {classes} \"film\""}]})"));
}

TEST(ChatEndpoints, HaveTheParametersTheyWant) {
  const BrokenServer server({says("yes")});
  EndpointOptions one = chat(server.url());
  one.chat.prompt = "{text}";
  one.chat.parameters = R"({"max_completion_tokens": 200, "reasoning": {"effort": "low"}})";
  make_endpoint_box(one)->ask(Texts{"odd"});
  EXPECT_EQ(json::parse(body_of(server.requests()[0])), json::parse(R"({"model": "some-model",
              "messages": [{"role": "user", "content": "odd"}],
              "max_completion_tokens": 200, "reasoning": {"effort": "low"}})"));
}

TEST(ChatEndpoints, TheirOwnPromptHoldsTheTextAndTheClasses) {
  const BrokenServer server({says("yes")});
  make_endpoint_box(chat(server.url()))->ask(Texts{"an odd text"});
  const std::string body = body_of(server.requests()[0]);
  EXPECT_THAT(body, AllOf(HasSubstr("an odd text"), HasSubstr("no, yes")));
}

TEST(ChatEndpoints, AnAnswerThatNamesNoClassIsAskedForAgain) {
  const BrokenServer server({says("I think so"), says("yes")});
  const auto box = make_endpoint_box(chat(server.url()));
  EXPECT_THAT(box->ask(Texts{"good"}), ElementsAre(1));
  EXPECT_EQ(box->effort(), "2 requests");
  const BrokenServer never({says("I think so")});
  EXPECT_THAT(failure_of(chat(never.url())),
              AllOf(HasSubstr("found \"I think so\", expected one of: no, yes"),
                    HasSubstr("(3 attempts)")));
  EndpointOptions lenient = chat(never.url());
  lenient.chat.unclear = "no";
  EXPECT_THAT(make_endpoint_box(lenient)->ask(Texts{"good"}), ElementsAre(0));
}

TEST(ChatEndpoints, WhatTheirAnswersDependOnTellsThemApart) {
  const EndpointOptions base = chat("http://localhost:1/v1");
  const std::string print = make_endpoint_box(base)->fingerprint();
  const auto changed = [&](const std::function<void(EndpointOptions&)>& change) {
    EndpointOptions other = base;
    change(other);
    return make_endpoint_box(other)->fingerprint() != print;
  };
  EXPECT_TRUE(changed([](auto& o) { o.chat.model = "other"; }));
  EXPECT_TRUE(changed([](auto& o) { o.chat.prompt = "{text}?"; }));
  EXPECT_TRUE(changed([](auto& o) { o.chat.parameters = R"({"temperature": 0.1})"; }));
  EXPECT_TRUE(changed([](auto& o) { o.chat.unclear = "no"; }));
  EXPECT_TRUE(changed([](auto& o) { o.version = "2"; }));
  EXPECT_TRUE(changed([](auto& o) { o.classes = {"yes", "no"}; }));
  EXPECT_FALSE(changed([](auto& o) { o.chat.parameters.insert(1, "\n "); }));
  EXPECT_FALSE(changed([](auto& o) { o.budget = 1; }));
  EXPECT_FALSE(changed([](auto& o) { o.at_once = 3; }));
  EXPECT_FALSE(changed([](auto& o) { o.chat.prompt = default_chat_prompt(); }));
}

}  // namespace
}  // namespace textcrs
