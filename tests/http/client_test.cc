#include "textcrs/http/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "http/broken_server.h"
#include "http/client_calls.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HttpClient, PostsTheBodyWithItsHeaders) {
  const BrokenServer server({answers("{\"a\":1}")});
  const HttpClient client(server.url("/v1/chat/completions?x=1"), "sk-very-secret", quick());
  const HttpAnswer answer = client.post_json("{\"q\":2}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "{\"a\":1}");
  EXPECT_EQ(answer.attempts, 1);
  ASSERT_EQ(server.requests().size(), 1u);
  const std::string request = server.requests()[0];
  EXPECT_THAT(request, testing::StartsWith("POST /v1/chat/completions?x=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nAuthorization: Bearer sk-very-secret\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(request, testing::EndsWith("\r\n\r\n{\"q\":2}"));
  EXPECT_EQ(client.url(), server.url("/v1/chat/completions"));
}

TEST(HttpClient, PostsManyBytesAtOnce) {
  const BrokenServer server({answers("{}")});
  const std::string body(3 << 20, 'x');
  HttpClient(server.url(), "", quick()).post_json(body);
  EXPECT_THAT(server.requests()[0], testing::EndsWith("\r\n\r\n" + body));
  EXPECT_THAT(server.requests()[0], Not(HasSubstr("Expect")));
}

TEST(HttpClient, SendsOnlyWhoItWasGiven) {
  const BrokenServer server({answers("{}")});
  HttpClient(server.url(), "", quick()).post_json("{}");
  std::string url = server.url();
  url.insert(url.find("127"), "user:p%77@");
  HttpClient(url, "", quick()).post_json("{}");
  EXPECT_THAT(server.requests()[0], Not(HasSubstr("Authorization")));
  EXPECT_THAT(server.requests()[1], HasSubstr("Authorization: Basic dXNlcjpwdw=="));  // user:pw
}

TEST(HttpClient, ReadsChunks) {
  const BrokenServer server(
      {sends("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4\r\n\":1}\r\n"
             "0\r\n\r\n")});
  const HttpAnswer answer = HttpClient(server.url(), "", quick()).post_json("{}");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.body, "{\"a\":1}");
}

TEST(HttpClient, KeepsTheConnectionOpen) {
  const BrokenServer server({[](Peer& peer) {
    while (!peer.read_request().empty())
      if (!peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) return;
  }});
  const HttpClient client(server.url(), "", quick());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.post_json("{}").body, "{}");
  EXPECT_EQ(server.connections(), 1u);
}

TEST(HttpClient, AKeptConnectionThatTheServerClosedIsMadeAnew) {
  const BrokenServer server({sends("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")});
  const HttpClient client(server.url(), "", quick());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.post_json("{}").attempts, 1);
  EXPECT_EQ(server.connections(), 3u);
}

TEST(HttpClient, SeveralThreadsGetTheirOwnAnswers) {
  const BrokenServer server({[](Peer& peer) {
    while (true) {
      const std::string request = peer.read_request();
      const size_t end = request.find("\r\n\r\n");
      if (end == std::string::npos) return;
      const std::string body = request.substr(end + 4);
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                body);
    }
  }});
  const HttpClient client(server.url(), "", quick());
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&client, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string body = std::to_string(t) + "." + std::to_string(i);
        EXPECT_EQ(client.post_json(body).body, body);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests().size(), 120u);
  EXPECT_LE(server.connections(), 6u);
}

TEST(HttpClient, NothingGoesWhereARedirectionPoints) {
  const BrokenServer elsewhere({answers("{}")});
  for (const char* status : {"301 Moved", "302 Found", "307 Elsewhere", "308 Elsewhere"}) {
    const BrokenServer server({answers("", status, "Location: " + elsewhere.url() + "\r\n")});
    EXPECT_EQ(failure(HttpClient(server.url(), "sk-very-secret", quick())),
              server.url() + ": found the status " + std::string(status, 3) +
                  ", expected 2xx (redirections are not followed) (1 attempt)");
    EXPECT_EQ(server.connections(), 1u);
  }
  EXPECT_EQ(elsewhere.connections(), 0u);
}

TEST(HttpClient, TheProxyOfTheEnvironmentIsAsked) {
  const BrokenServer proxy({answers("{}")});
  setenv("http_proxy", proxy.url().c_str(), 1);
  const HttpAnswer answer =
      HttpClient("http://endpoint.invalid/v1", "", quick()).post_json("{\"q\":2}");
  unsetenv("http_proxy");
  EXPECT_EQ(answer.body, "{}");
  EXPECT_THAT(proxy.requests()[0],
              testing::StartsWith("POST http://endpoint.invalid/v1 HTTP/1.1\r\n"));
}

TEST(HttpClient, AProxyThatIsNoneIsNamedWithoutItsPassword) {
  for (const char* proxy :
       {"http://user:passw0rd@:bad", "odd://user:passw0rd@host:1", "user:passw0rd@ho st:1"}) {
    setenv("http_proxy", proxy, 1);
    const std::string said = failure(HttpClient("http://endpoint.invalid/v1", "", quick()));
    unsetenv("http_proxy");
    EXPECT_THAT(said, testing::AllOf(HasSubstr("proxy"), HasSubstr("[secret]@"))) << proxy;
    EXPECT_THAT(said, Not(HasSubstr("passw0rd")));
  }
}

TEST(HttpClient, WhatIsNoUrlIsRefusedWithoutItsSecrets) {
  for (const char* url :
       {"", "localhost", "ftp://host/", "file:///etc/passwd", "http://", "http://ho st/",
        "http://host/\r\nX: y", "http://host:99999999/", "user:passw0rd@host", "//user:passw0rd@",
        "htp://user:passw0rd@host/", "http://user:passw0rd@ho st/", "http://user:passw0rd@:80:80/",
        "ftp://host/?key=passw0rd"}) {
    const std::string said = refusal([&] { HttpClient client(url, ""); });
    EXPECT_THAT(said, HasSubstr("expected a url")) << url;
    EXPECT_THAT(said, Not(HasSubstr("passw0rd")));
    EXPECT_EQ(said.find_first_of("\r\n"), std::string::npos);
  }
}

TEST(HttpClient, AKeyThatWouldBreakTheHeaderIsRefused) {
  for (const char* key : {"sk-1\n", "sk-1\r\nX: y", "sk 1", "sk-\xc3\xa4"}) {
    const std::string said = refusal([&] { HttpClient client("http://127.0.0.1/", key); });
    EXPECT_THAT(said, HasSubstr("found a key with")) << key;
    EXPECT_THAT(said, Not(HasSubstr("sk")));
  }
  EXPECT_THAT(refusal([] { HttpClient client("http://user:pw@127.0.0.1/", "sk-1"); }),
              HasSubstr("http://127.0.0.1/: found a key and also a user"));
}

TEST(HttpClient, OptionsArePositive) {
  HttpOptions options;
  options.attempts = 0;
  EXPECT_THROW(HttpClient("http://127.0.0.1/", "", options), std::logic_error);
  options = {};
  options.timeout = std::chrono::milliseconds(0);
  EXPECT_THROW(HttpClient("http://127.0.0.1/", "", options), std::logic_error);
}

}  // namespace
}  // namespace textcrs
