#include "textcrs/blackbox/program_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "http/client_calls.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

using Texts = std::vector<std::string>;

// "yes" where a line holds "good".
const std::string kRule =
    "while IFS= read -r line; do case $line in *good*) echo yes;; *) echo no;; esac; done";

class Programs : public testing::Test {
 protected:
  static ProgramOptions options(const std::string& command) {
    ProgramOptions options;
    options.command = command;
    options.classes = {"no", "yes"};
    return options;
  }

  static std::vector<int> answers(const std::string& command, const Texts& texts) {
    return make_program_box(options(command))->ask(texts);
  }
  static std::string refusal_of(const std::string& command, const Texts& texts = {"good", "bad"}) {
    return message_of([&] { answers(command, texts); }, ErrorKind::kBadInput);
  }
  static std::string failure_of(const ProgramOptions& options,
                                const Texts& texts = {"good", "bad"}) {
    return message_of([&] { make_program_box(options)->ask(texts); }, ErrorKind::kFailed);
  }
  // One that a test waits for.
  static ProgramOptions hasty(const std::string& command) {
    ProgramOptions hasty = options(command);
    hasty.timeout = milliseconds(1000);
    return hasty;
  }

  std::string file(const std::string& name) const { return (work_.path() / name).string(); }
  std::string content(const std::string& name) const {
    return fs::exists(file(name)) ? read_file(file(name)) : "";
  }
  // Its process id, once it is there.
  pid_t id_in(const std::string& name) const {
    while (!content(name).ends_with('\n')) std::this_thread::sleep_for(milliseconds(5));
    return std::stoi(content(name));
  }
  // Runs the first script in its first life, then the other one.
  std::string once(const std::string& first, const std::string& then) const {
    return "if mkdir " + file("lived") + " 2>/dev/null; then " + first + "; else " + then + "; fi";
  }

  TemporaryFolder work_;
};

bool is_gone(pid_t id) { return kill(id, 0) != 0; }

TEST_F(Programs, AnswerTextsInTheirOrder) {
  EXPECT_THAT(answers(kRule, {"a good film", "", "a bad one", "good"}), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(answers(kRule, {}), ElementsAre());
}

TEST_F(Programs, ReadOneJsonTextALine) {
  const std::string seen = file("seen");
  answers("tee " + seen + " | sed -u 's/.*/no/'", {"a \"good\" film", "", "naïve\n\\ 漢\t"});
  EXPECT_EQ(read_file(seen),
            "{\"id\":1,\"text\":\"a \\\"good\\\" film\"}\n"
            "{\"id\":2,\"text\":\"\"}\n"
            "{\"id\":3,\"text\":\"naïve\\n\\\\ 漢\\t\"}\n");
}

TEST_F(Programs, StayAliveBetweenBatches) {
  ProgramOptions two =
      options("echo $$ >>" + file("lives") + "; tee " + file("seen") + " | (" + kRule + ")");
  two.batch = 2;
  auto box = make_program_box(two);
  EXPECT_FALSE(fs::exists(file("lives")));  // it is started when it is needed
  EXPECT_THAT(box->ask(Texts{"good", "bad", "good", "bad", "good"}), ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(box->ask(Texts{"bad", "good"}), ElementsAre(0, 1));
  EXPECT_EQ(box->effort(), "");
  box.reset();
  std::istringstream lives(content("lives"));
  EXPECT_EQ(std::distance(std::istream_iterator<std::string>(lives), {}), 1);
  EXPECT_THAT(content("seen"), EndsWith("{\"id\":7,\"text\":\"good\"}\n"));
}

TEST_F(Programs, SayLabelsOrScoresWithIdsOrWithout) {
  EXPECT_THAT(answers("sed -u 's/.*/yes\\r/'", {"a", "b"}), ElementsAre(1, 1));
  EXPECT_THAT(answers("sed -u 's/.*/[0.25, 0.75]/'", {"a", "b"}), ElementsAre(1, 1));
  EXPECT_THAT(answers("sed -u 's/.\\(\"id\":[0-9]*\\),.*/{\\1,\"label\":\"yes\"}/'", {"a", "b"}),
              ElementsAre(1, 1));
  EXPECT_THAT(answers("while read -r line; do printf ye; sleep 0.02; echo s; done", {"a", "b"}),
              ElementsAre(1, 1));
}

// Neither side waits for the other: each has more to say than a pipe holds.
TEST_F(Programs, MayWriteMuchWhileTheyAreWrittenTo) {
  const std::string much(20'000, 'x');
  ProgramOptions wide = options("sed -u 's/.*/{\"label\":\"yes\",\"why\":\"" + much + "\"}/'");
  wide.batch = 50;
  EXPECT_EQ(make_program_box(wide)->ask(Texts(50, much)), std::vector<int>(50, 1));
}

TEST_F(Programs, MayTalkOnTheirStandardError) {
  EXPECT_THAT(answers("head -c 3000000 /dev/zero >&2; " + kRule + " 2>&1; echo >&2", {"good"}),
              ElementsAre(1));
  EXPECT_THAT(answers("exec 2>&-; " + kRule, {"good"}), ElementsAre(1));
}

TEST_F(Programs, WorkersAnswerAtTheSameTime) {
  ProgramOptions three = options("echo $$ >>" + file("lives") + "; " + kRule);
  three.workers = 3;
  const auto box = make_program_box(three);
  EXPECT_EQ(box->at_once(), 3);
  std::vector<std::vector<int>> said(20);
  parallel_for(20, 5, [&](size_t i) {
    said[i] = box->ask(i % 3 == 0 ? Texts{"good", "bad"} : Texts{"bad"});
  });
  for (size_t i = 0; i < said.size(); ++i)
    EXPECT_EQ(said[i], i % 3 == 0 ? std::vector({1, 0}) : std::vector({0}));
  std::istringstream lives(content("lives"));
  EXPECT_LE(std::distance(std::istream_iterator<std::string>(lives), {}), 3);
  EXPECT_EQ(box->effort(), "");
}

// What it says.

TEST_F(Programs, ABannerIsNoAnswer) {
  const std::string said = refusal_of("echo 'Loading the model'; " + kRule);
  EXPECT_THAT(said, AllOf(HasSubstr("line 1 of its answers: "), HasSubstr("expected one")));
}

TEST_F(Programs, AnAnswerTooManyIsRefused) {
  const std::string said =
      refusal_of("while read -r line; do printf 'yes\\nyes\\n'; done", {"good"});
  EXPECT_THAT(said,
              AllOf(HasSubstr("line 2 of its answers: found \"yes\", which nothing was asked for"),
                    HasSubstr("1 text")));
}

// It never reads what it is asked, which is more than a pipe holds: only its answers say that there
// is no end to them.
TEST_F(Programs, AnswersWithoutEndAreRefusedAtOnce) {
  ProgramOptions endless = options("read -r line; exec yes yes");
  endless.timeout = std::chrono::hours(1);
  EXPECT_THAT(
      message_of([&] { make_program_box(endless)->ask(Texts(4, std::string(100'000, 'x'))); },
                 ErrorKind::kBadInput),
      HasSubstr("line 5 of its answers: found \"yes\", which nothing was asked for"));
}

TEST_F(Programs, AnAnswerTooManyThatComesLateIsRefusedAtTheNextQuestion) {
  const std::string asked = file("asked"), done = file("done");
  const auto box = make_program_box(options("read -r line; echo yes; while [ ! -e " + asked +
                                            " ]; do sleep 0.01; done; echo yes; : >" + done +
                                            "; cat >/dev/null"));
  EXPECT_THAT(box->ask(Texts{"good"}), ElementsAre(1));
  std::ofstream(asked).close();
  while (!fs::exists(done)) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_THAT(message_of([&] { box->ask(Texts{"good"}); }, ErrorKind::kBadInput),
              HasSubstr("line 2 of its answers: found \"yes\", which nothing was asked for"));
}

// Each answer comes later than the one before is read: there is never one in the pipe.
TEST_F(Programs, AnAnswerTooManyOfASlowProgramIsNotTakenForTheNext) {
  const auto box = make_program_box(
      options("read -r line; echo yes; while sleep 0.01; do echo yes; read -r line; done"));
  EXPECT_THAT(message_of([&] { box->ask(Texts(10 * 64, "good")); }, ErrorKind::kBadInput),
              HasSubstr("of its answers: found \"yes\", which nothing was asked for"));
}

TEST_F(Programs, TooFewAnswersAreWaitedFor) {
  ProgramOptions every_second = hasty("sed -u 'N; s/.*/yes/'");
  const std::string said = failure_of(every_second, {"a", "b", "c", "d"});
  EXPECT_THAT(said, AllOf(HasSubstr("it was late: 1 s were over after 2 of 4 answers"),
                          HasSubstr("flush"), Not(HasSubstr("never")), HasSubstr("(3 attempts)")));
}

TEST_F(Programs, AnswersInAnotherOrderAreRefusedWhereTheyHaveIds) {
  const std::string said = refusal_of(
      "read -r a; read -r b; echo '{\"id\":2,\"label\":\"no\"}'; echo "
      "'{\"id\":1,\"label\":\"yes\"}'; cat");
  EXPECT_THAT(said, AllOf(HasSubstr("line 1 of its answers: found the answer to the text 2"),
                          HasSubstr("expected that to 1")));
}

TEST_F(Programs, WhatIsNoAnswerIsRefusedWithItsLine) {
  EXPECT_THAT(refusal_of("echo >&2 careful; read -r a; read -r b; echo yes; echo maybe; cat"),
              AllOf(HasSubstr("line 2 of its answers: found the label \"maybe\""),
                    HasSubstr("no, yes"), HasSubstr("its standard error ends in \"careful\"")));
  EXPECT_THAT(refusal_of("sed -u 's/.*/[NaN, 1]/'"), HasSubstr("line 1 of its answers: "));
  EXPECT_THAT(refusal_of("sed -u 's/.*/[1, 2, 3]/'"), HasSubstr("found 3 scores"));
  EXPECT_THAT(refusal_of("sed -u 's/.*//'"), HasSubstr("empty line"));
  EXPECT_THAT(refusal_of("while read -r line; do printf '\\377\\n'; done"), HasSubstr("0xff"));
  EXPECT_THAT(refusal_of("while read -r line; do echo '{\"label\":'; done"), HasSubstr("byte "));
}

TEST_F(Programs, ALineWithoutEndIsNotReadToItsEnd) {
  EXPECT_THAT(refusal_of("read -r line; head -c 100000000 /dev/zero | tr '\\0' x"),
              HasSubstr("line 1 of its answers: found more than 1048576 bytes"));
  EXPECT_THAT(refusal_of("read -r a; read -r b; echo yes; head -c 1048577 /dev/zero | tr '\\0' x; "
                         "echo; sleep 60"),
              HasSubstr("line 2 of its answers: found more than 1048576 bytes"));
}

TEST_F(Programs, AfterAWrongAnswerTheNextOneIsAskedAnew) {
  const auto box = make_program_box(options(once("read -r a; echo maybe; echo no; cat", kRule)));
  message_of([&] { box->ask(Texts{"good"}); }, ErrorKind::kBadInput);
  EXPECT_THAT(box->ask(Texts{"good", "bad"}), ElementsAre(1, 0));
}

// Its life.

TEST_F(Programs, WhoDiesIsStartedAnewAndAskedTheBatchAgain) {
  const auto box =
      make_program_box(options(once("read -r line; echo yes; read -r line; kill -9 $$", kRule)));
  EXPECT_THAT(box->ask(Texts{"bad", "good", "bad"}), ElementsAre(0, 1, 0));
  EXPECT_EQ(box->effort(), "the program was started anew 1 time");
}

TEST_F(Programs, WhoEndsAfterEachBatchIsStartedForEach) {
  ProgramOptions two = options("head -n 2 | (" + kRule + ")");
  two.batch = 2;
  const auto box = make_program_box(two);
  EXPECT_THAT(box->ask(Texts{"good", "bad", "bad", "good"}), ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(box->effort(), "the program was started anew 1 time");
}

TEST_F(Programs, WhoDiesEachTimeIsGivenUp) {
  ProgramOptions dying =
      options("echo x >>" + file("lives") +
              "; read -r line; echo yes; printf 'out of\\033[1m\\nmemory' >&2; kill -9 $$");
  EXPECT_THAT(failure_of(dying),
              AllOf(HasSubstr("it was ended by signal 9 after 1 of 2 answers (3 attempts)"),
                    HasSubstr("its standard error ends in \"out of\\x1b[1m memory\"")));
  EXPECT_EQ(content("lives"), "x\nx\nx\n");
  dying.attempts = 1;
  EXPECT_THAT(failure_of(dying), HasSubstr("(1 attempt)"));
  EXPECT_THAT(failure_of(options("read -r line; exit 7")),
              HasSubstr("it exited with code 7 after 0 of 2 answers"));
  EXPECT_THAT(failure_of(options("read -r line; printf yes"), {"good"}),
              HasSubstr("it exited with code 0 after 0 of 1 answer"));
}

TEST_F(Programs, TheEndOfALongComplaintIsShown) {
  const std::string said =
      failure_of(options("head -c 60000 /dev/zero | tr '\\0' x >&2; echo the reason >&2; exit 1"));
  EXPECT_THAT(said, EndsWith("xthe reason\""));
  EXPECT_LT(said.size(), 2000u);
}

TEST_F(Programs, ACommandThatIsNoneFailsWithWhatTheShellSays) {
  EXPECT_THAT(
      failure_of(options("/no/such/program --fast")),
      AllOf(HasSubstr("/no/such/program --fast: it exited with code 127"), HasSubstr("not found")));
}

TEST_F(Programs, WhoReadsNothingIsNoBrokenPipe) {
  EXPECT_THAT(
      failure_of(options("exec <&-; sleep 0.05; exit 3"), Texts(4, std::string(100'000, 'x'))),
      HasSubstr("it exited with code 3"));
}

TEST_F(Programs, WhoClosesItsOutputHasSaidAll) {
  ProgramOptions closing = options("exec >&-; sleep 60");
  closing.attempts = 1;
  EXPECT_THAT(failure_of(closing), HasSubstr("it closed its standard output after 0 of 2 answers"));
}

TEST_F(Programs, WhoWaitsForTheEndOfItsInputIsToldToFlush) {
  const std::string said = failure_of(hasty("echo x >>" + file("lives") + "; sort"));
  EXPECT_THAT(said, AllOf(HasSubstr("it was late: 1 s were over after 0 of 2 answers"),
                          HasSubstr("it has never answered"), HasSubstr("(1 attempt)")));
  EXPECT_EQ(content("lives"), "x\n");
}

TEST_F(Programs, WhoIsLateOnceIsStartedAnew) {
  ProgramOptions late = options(once("read -r line; echo yes; exec sleep 60", kRule));
  late.batch = 1;
  late.timeout = milliseconds(2000);
  const auto box = make_program_box(late);
  EXPECT_THAT(box->ask(Texts{"good", "bad"}), ElementsAre(1, 0));
  EXPECT_EQ(box->effort(), "the program was started anew 1 time");
}

TEST_F(Programs, AnInterruptionEndsThemAtOnce) {
  std::atomic<bool> stop = false;
  const auto box = make_program_box(options("echo $$ >" + file("id") +
                                            "; trap '' TERM; "
                                            "sleep 100 & echo $! >" +
                                            file("child") + "; wait; wait"));
  std::thread interrupting([&] {
    id_in("child");
    stop = true;
  });
  message_of([&] { box->ask(Texts{"good"}, StopToken(stop)); }, ErrorKind::kInterrupted);
  interrupting.join();
  EXPECT_TRUE(is_gone(id_in("id")));
}

TEST_F(Programs, TheEndOfTheirInputIsTheEndOfTheBox) {
  {
    const auto box = make_program_box(options(kRule + "; echo done >" + file("end")));
    EXPECT_THAT(box->ask(Texts{"good"}), ElementsAre(1));
    EXPECT_FALSE(fs::exists(file("end")));
  }
  EXPECT_EQ(content("end"), "done\n");
}

TEST_F(Programs, WhoDoesNotEndIsEndedWithWhatItHasStarted) {
  {
    const auto box = make_program_box(
        options("trap '' TERM; sleep 100 & echo $! >" + file("child") + "; echo $$ >" + file("id") +
                "; read -r line; echo yes; while :; do sleep 100; done"));
    EXPECT_THAT(box->ask(Texts{"good"}), ElementsAre(1));
  }
  EXPECT_TRUE(is_gone(id_in("id")));
}

// What it is asked.

TEST_F(Programs, TextsAreUtf8) {
  const auto box = make_program_box(options(kRule));
  EXPECT_THAT(message_of(
                  [&] {
                    box->ask(Texts{"good", "b\xff"});
                  },
                  ErrorKind::kBadInput),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(box->ask(Texts{"good", "bad"}), ElementsAre(1, 0));
}

TEST_F(Programs, OptionsThatCanNotBeAreRefused) {
  const auto refused = [&](const std::function<void(ProgramOptions&)>& change) {
    ProgramOptions wrong = options(kRule);
    change(wrong);
    return refusal([&] { make_program_box(wrong); });
  };
  EXPECT_THAT(refused([](auto& o) { o.command = " \n"; }), HasSubstr("found none"));
  EXPECT_THAT(refused([](auto& o) { o.classes = {"no"}; }), HasSubstr("\"no\" alone"));
  EXPECT_THAT(refused([](auto& o) { o.batch = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.workers = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.attempts = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](auto& o) { o.timeout = milliseconds(0); }), HasSubstr("positive"));
}

TEST_F(Programs, AreToldApartByCommandVersionAndClasses) {
  ProgramOptions base = options(kRule);
  const std::string print = make_program_box(base)->fingerprint();
  EXPECT_EQ(print.size(), 32u);
  EXPECT_EQ(make_program_box(base)->fingerprint(), print);
  EXPECT_THAT(make_program_box(base)->facts(),
              ElementsAre(testing::Pair("classifier_command", kRule)));
  ProgramOptions other = base;
  other.batch = 7;
  other.timeout = milliseconds(5);
  EXPECT_EQ(make_program_box(other)->fingerprint(), print);
  other.version = "2";
  EXPECT_NE(make_program_box(other)->fingerprint(), print);
  other = base;
  other.classes = {"yes", "no"};
  EXPECT_NE(make_program_box(other)->fingerprint(), print);
  other = base;
  other.command += " ";
  EXPECT_NE(make_program_box(other)->fingerprint(), print);
}

}  // namespace
}  // namespace textcrs
