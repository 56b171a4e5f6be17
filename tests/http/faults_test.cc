// What an endpoint can do wrong: which faults are retried, what their messages say, and that a
// StopToken ends all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "http/broken_server.h"
#include "http/client_calls.h"
#include "textcrs/base/error.h"
#include "textcrs/http/client.h"

namespace textcrs {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

const std::string kGood = "{\"a\":1}";
const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

// Bodies that do not end in a bracket are half ones.
void accept_whole(const std::string& body) {
  if (body.empty() || body.back() != '}') throw bad_input("found half a JSON, expected it all");
}

struct Fault {
  const char* name;
  BrokenServer::Behaviour behaviour;
  const char* said;  // a part of the message if all attempts end like this
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class RetriedFaults : public testing::TestWithParam<Fault> {};

TEST_P(RetriedFaults, ASecondAttemptIsMade) {
  const BrokenServer server({GetParam().behaviour, answers(kGood)});
  const HttpAnswer answer = HttpClient(server.url(), "sk-1", quick()).post_json("{}", accept_whole);
  EXPECT_EQ(answer.body, kGood);
  EXPECT_EQ(answer.attempts, 2);
  EXPECT_EQ(server.connections(), 2u);
}

TEST_P(RetriedFaults, TheLastAttemptFails) {
  const BrokenServer server({GetParam().behaviour});
  const std::string said = failure(HttpClient(server.url(), "sk-1", quick()), accept_whole);
  EXPECT_THAT(said, testing::StartsWith(server.url() + ": "));
  EXPECT_THAT(said, HasSubstr(GetParam().said));
  EXPECT_THAT(said, testing::EndsWith(" (3 attempts)"));
  EXPECT_EQ(server.connections(), 3u);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, RetriedFaults,
    testing::Values(
        Fault{"408", answers("", "408 Request Timeout"), "found the status 408, expected 2xx"},
        Fault{"425", answers("", "425 Too Early"), "found the status 425, expected 2xx"},
        Fault{"429", answers("busy", "429 Slow Down"), "found the status 429 \"busy\", expected"},
        Fault{"500", answers("{\"error\":1}", "500 Oh"), "status 500 \"{\"error\":1}\", expected"},
        Fault{"503", answers("", "503 Oh"), "found the status 503, expected 2xx"},
        Fault{"endless500", never_ends("HTTP/1.1 500 Oh\r\n\r\n", std::string(1 << 16, 'x')),
              "found the status 500, expected 2xx"},
        Fault{"closed", closes_at_once(), ""}, Fault{"reset", resets_after(""), ""},
        Fault{"closed_in_status", sends("HTTP/1."), ""},
        Fault{"closed_in_headers", sends(kHead + "Content-Le"), "closed within the headers"},
        Fault{"reset_in_headers", resets_after(kHead + "Content-Le"), ""},
        Fault{"closed_in_body", sends(kHead + "Content-Length: 7\r\n\r\n{\"a\""), "3 bytes"},
        Fault{"reset_in_body", resets_after(kHead + "Content-Length: 7\r\n\r\n{\"a\""), ""},
        Fault{"closed_in_chunk", sends(kHead + "Transfer-Encoding: chunked\r\n\r\n7\r\n{\"a"), ""},
        Fault{"no_last_chunk",
              sends(kHead + "Transfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n"), ""},
        Fault{"bad_chunk", sends(kHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{\"a\":1}\r\n"),
              ""},
        Fault{"length_too_small", sends(kHead + "Content-Length: 3\r\n\r\n{\"a\":1}"),
              "found half a JSON, expected it all; the answer was \"{\"a\""},
        Fault{"length_is_no_number", sends(kHead + "Content-Length: ten\r\n\r\n{\"a\":"), ""},
        Fault{"half_json", answers("{\"a\":"), "the answer was \"{\"a\":\""},
        Fault{"empty", answers(""), "found half a JSON"},
        Fault{"junk", sends("\x16\x03\x01\x02junk\r\n\r\nno HTTP\x1b[31m"), "HTTP"},
        Fault{"other_protocol", sends("SSH-2.0-OpenSSH_9.2\r\n"), "HTTP"}),
    [](const auto& fault) { return fault.param.name; });

struct Slow {
  const char* name;
  BrokenServer::Behaviour behaviour;
};

void PrintTo(const Slow& slow, std::ostream* out) { *out << slow.name; }

class SlowEndpoints : public testing::TestWithParam<Slow> {};

TEST_P(SlowEndpoints, RunIntoTheTimeOut) {
  const BrokenServer server({GetParam().behaviour});
  HttpOptions options = quick();
  options.timeout = milliseconds(100);
  options.attempts = 2;
  EXPECT_THAT(failure(HttpClient(server.url(), "", options)), HasSubstr("timed out after 1"));
  EXPECT_EQ(server.connections(), 2u);
}

TEST_P(SlowEndpoints, AreLeftWhenAStopIsAskedFor) {
  const BrokenServer server({GetParam().behaviour});
  std::atomic<bool> stop = false;
  std::thread stopper([&] {
    while (server.requests().empty()) std::this_thread::sleep_for(milliseconds(5));
    stop = true;
  });
  const HttpClient client(server.url(), "", quick());  // whose time-out is a minute
  message_of([&] { client.post_json("{}", {}, StopToken(stop)); }, ErrorKind::kInterrupted);
  stopper.join();
  EXPECT_EQ(server.connections(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Slow, SlowEndpoints,
    testing::Values(Slow{"never_answers", never_answers()},
                    Slow{"slow_headers", drips(kHead + std::string(1000, 'x'), milliseconds(10))},
                    Slow{"slow_body", drips("HTTP/1.1 200 OK\r\n\r\n" + std::string(1000, 'x'),
                                            milliseconds(5))},
                    Slow{"stalled_body",
                         [](Peer& peer) {
                           peer.read_request();
                           peer.send(kHead + "Content-Length: 7\r\n\r\n{\"a\"");
                           peer.wait();
                         }},
                    Slow{"endless_interim_answers",
                         [](Peer& peer) {
                           peer.read_request();
                           while (peer.send("HTTP/1.1 100 Continue\r\n\r\n"))
                             std::this_thread::sleep_for(milliseconds(5));
                         }}),
    [](const auto& slow) { return slow.param.name; });

TEST(HttpFaults, OtherStatusesAreNotRetried) {
  for (const char* status : {"304 Same", "400 Bad", "401 Who", "403 No", "404 Where", "413 Long"}) {
    const BrokenServer server({answers("why", status)});
    const std::string said = failure(HttpClient(server.url(), "", quick()));
    EXPECT_THAT(said, HasSubstr("found the status " + std::string(status, 3)));
    EXPECT_THAT(said, testing::EndsWith("(1 attempt)"));
    EXPECT_EQ(server.connections(), 1u);
  }
}

TEST(HttpFaults, AnAnswerHasASize) {
  HttpOptions options = quick();
  options.most_bytes = 1000;
  for (const auto& behaviour :
       {answers(std::string(1001, 'x')),
        never_ends("HTTP/1.1 200 OK\r\n\r\n", std::string(1 << 16, 'x')),
        never_ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nxxxx\r\n")}) {
    const BrokenServer server({behaviour});
    EXPECT_EQ(failure(HttpClient(server.url(), "", options)),
              server.url() + ": found an answer of more than 1000 bytes (1 attempt)");
  }
  const BrokenServer server({answers(std::string(1000, 'x'))});
  EXPECT_EQ(HttpClient(server.url(), "", options).post_json("{}").body.size(), 1000u);
}

TEST(HttpFaults, HeadersHaveASize) {
  const std::string start = "HTTP/1.1 200 OK\r\nX: ";
  const BrokenServer many({never_ends(start, "X: y\r\n")});
  EXPECT_EQ(failure(HttpClient(many.url(), "", quick())),
            many.url() + ": found headers of more than 262144 bytes (1 attempt)");
  const BrokenServer one({never_ends(start, "xxxxxxxxxxxxxxxx")});
  EXPECT_THAT(failure(HttpClient(one.url(), "", quick())),
              HasSubstr("found a header that is too long"));
}

TEST(HttpFaults, NobodyListens) {
  const std::string url = [] { return BrokenServer({never_answers()}).url(); }();
  const std::string said = failure(HttpClient(url, "", quick()));
  EXPECT_THAT(said, testing::StartsWith(url + ": "));
  EXPECT_THAT(said, testing::EndsWith("(3 attempts)"));
}

TEST(HttpFaults, AConnectionThatIsNotTakenTimesOut) {
  const DeafServer server;
  HttpOptions options = quick();
  options.connect_timeout = milliseconds(50);
  options.attempts = 2;
  EXPECT_THAT(failure(HttpClient(server.url(), "", options)), testing::EndsWith("(2 attempts)"));
}

TEST(HttpFaults, AStopEndsConnectingAndBackingOff) {
  const DeafServer deaf;
  const BrokenServer busy({answers("", "429 Slow Down")});
  HttpOptions options = quick();
  options.connect_timeout = options.timeout = std::chrono::minutes(5);
  options.first_back_off = options.most_back_off = std::chrono::hours(1);
  for (const std::string& url : {deaf.url(), busy.url()}) {
    std::atomic<bool> stop = false;
    std::thread stopper([&] {
      std::this_thread::sleep_for(milliseconds(100));
      stop = true;
    });
    const HttpClient client(url, "", options);
    message_of([&] { client.post_json("{}", {}, StopToken(stop)); }, ErrorKind::kInterrupted);
    stopper.join();
  }
}

TEST(HttpFaults, NothingIsSentAfterAStop) {
  const BrokenServer server({answers("{}")});
  const std::atomic<bool> stop = true;
  const HttpClient client(server.url(), "", quick());
  message_of([&] { client.post_json("{}", {}, StopToken(stop)); }, ErrorKind::kInterrupted);
  EXPECT_EQ(server.connections(), 0u);
}

// "Wed, 21 Oct 2015 07:28:00 GMT"
std::string http_date(std::chrono::seconds from_now) {
  const time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() + from_now);
  tm parts{};
  gmtime_r(&time, &parts);
  char text[64];
  return {text, strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

steady_clock::duration time_to_retry(const std::string& retry_after, milliseconds most) {
  const BrokenServer server(
      {answers("", "429 Slow Down", "retry-AFTER:  " + retry_after + " \r\n"), answers("{}")});
  HttpOptions options = quick();
  options.most_back_off = most;
  const auto start = steady_clock::now();
  EXPECT_EQ(HttpClient(server.url(), "", options).post_json("{}").attempts, 2);
  return steady_clock::now() - start;
}

TEST(HttpFaults, RetryAfterIsWaitedFor) {
  EXPECT_GE(time_to_retry("1", std::chrono::minutes(1)), milliseconds(1000));
  // A date has no fractions of a second.
  EXPECT_GE(time_to_retry(http_date(std::chrono::seconds(2)), std::chrono::minutes(1)),
            milliseconds(900));
}

TEST(HttpFaults, RetryAfterIsNotWaitedForLongerThanIsAllowed) {
  for (const std::string& value : {std::string("3600"), std::string("99999999999999999999"),
                                   http_date(std::chrono::hours(1)), std::string("soon")})
    time_to_retry(value, milliseconds(10));  // or the tests would never end
}

TEST(HttpFaults, BackOffGrowsFromAttemptToAttempt) {
  const BrokenServer server({answers("", "500 Oh")});
  HttpOptions options = quick();
  options.attempts = 4;
  options.first_back_off = milliseconds(40);
  options.most_back_off = milliseconds(80);
  const auto start = steady_clock::now();
  failure(HttpClient(server.url(), "", options));
  EXPECT_GE(steady_clock::now() - start, milliseconds(20 + 40 + 40));  // halves of 40, 80, 80
}

TEST(HttpFaults, EachAttemptIsAskedFor) {
  const BrokenServer server({answers("", "500 Oh"), closes_at_once(), answers("{}")});
  std::vector<std::string> faults;
  const HttpClient client(server.url(), "", quick());
  client.post_json("{}", {}, {}, [&](const std::string& fault) { faults.push_back(fault); });
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0], "");
  EXPECT_EQ(faults[1], "found the status 500, expected 2xx");
  EXPECT_NE(faults[2], "");
  const auto refuse = [](const std::string&) { throw failed("enough"); };
  EXPECT_EQ(message_of([&] { client.post_json("{}", {}, {}, refuse); }, ErrorKind::kFailed),
            "enough");
  EXPECT_EQ(server.connections(), 3u);
}

TEST(HttpFaults, OnlyBadInputIsRetried) {
  const BrokenServer server({answers("{}")});
  const auto refuse = [](const std::string&) { throw usage_error("no"); };
  const HttpClient client(server.url(), "", quick());
  EXPECT_EQ(refusal([&] { client.post_json("{}", refuse); }), "no");
  EXPECT_EQ(server.connections(), 1u);
}

TEST(HttpFaults, AMessageIsOnePrintableLine) {
  const std::string body = "\x1b]0;title\x07 no \r\n\t access \x80\xff \xe2\x80\xae" +
                           std::string(1, '\0') + std::string(5000, 'x');
  const BrokenServer server({answers(body, "401 \x1b[31mWho")});
  const std::string said = failure(HttpClient(server.url(), "", quick()));
  EXPECT_TRUE(std::all_of(said.begin(), said.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_THAT(
      said,
      HasSubstr("status 401 \"\\x1b]0;title\\x07 no access \\x80\\xff \\xe2\\x80\\xae\\x00x"));
  EXPECT_THAT(said, HasSubstr("xxx...\", expected 2xx"));
  EXPECT_LT(said.size(), 350u);
}

TEST(HttpFaults, SecretsThatTheEndpointSaysAreNotRepeated) {
  const std::string key = "sk-very-secret";
  const BrokenServer server({answers("no such key: " + key + ", " + key, "401 Who")});
  const std::string said = failure(HttpClient(server.url("/?token=hidden"), key, quick()));
  EXPECT_THAT(said, HasSubstr("no such key: [secret], [secret]\""));
  EXPECT_THAT(said, Not(HasSubstr("hidden")));

  const BrokenServer other({answers(R"({"you":"p%77-secret","decoded":"pw-secret"})")});
  std::string url = other.url();
  url.insert(url.find("127"), "user:p%77-secret@");
  const auto repeat = [](const std::string& body) { throw bad_input("found " + body); };
  const std::string again = failure(HttpClient(url, "", quick()), repeat);
  EXPECT_THAT(again, testing::StartsWith(other.url() + ": found {\"you\":\"[secret]\","));
  EXPECT_THAT(again, Not(HasSubstr("-secret")));
}

TEST(HttpFaults, NeitherAreTheUserAndTheQuery) {
  const BrokenServer server(
      {answers("cannot POST /?v=2&key=ab%63d-hidden for id-hidden: no key abcd-hidden", "404 No")});
  std::string url = server.url("/?v=2&key=ab%63d-hidden&other-hidden");
  url.insert(url.find("127"), "id%2Dhidden:x@");
  const std::string said = failure(HttpClient(url, "", quick()));
  EXPECT_THAT(said, HasSubstr("\"cannot POST /?v=2&key=[secret] for [secret]: no key [secret]\""));
  const BrokenServer other({answers("cannot POST /?v=2&key=hidden", "404 No")});
  EXPECT_THAT(failure(HttpClient(other.url("/?v=2&key=hidden"), "", quick())),
              HasSubstr("\"cannot POST /?[secret]\""));
}

}  // namespace
}  // namespace textcrs
