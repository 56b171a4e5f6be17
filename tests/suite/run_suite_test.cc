#include "textcrs/suite/run_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "fake_program.h"
#include "textcrs/base/version.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// Two methods, each trained, evaluated and certified.
const std::string kTwo = std::string(kLeast) + "[[method]]\nname = \"b\"\n";

class RunSuiteTest : public testing::Test {
 protected:
  fs::path out() const { return work_.path() / "out"; }

  SuiteProgress run(const std::string& suite = kTwo, int jobs = 1, StopToken stop = {},
                    bool overwrite = false) {
    const Suite parsed = suite_of(suite);
    plan_ = plan_suite(parsed, {});
    SettleOptions settle;
    settle.out = out();
    settle.overwrite = overwrite;
    manifest_ = settle_plan(parsed, plan_, settle);
    RunSuiteOptions options;
    options.out = out();
    options.program = program_.path();
    options.jobs = jobs;
    options.threads = threads_;
    SuiteReporter report;
    report.ended = [&](const SuiteStep& step) { ended_.push_back(step.name); };
    return run_steps(plan_, manifest_, options, report, stop);
  }

  // Of suite.json.
  SuiteStep kept(const std::string& name) const {
    const SuiteManifest manifest = read_manifest(out());
    const SuiteStep* const step = manifest.find(name);
    return step == nullptr ? SuiteStep() : *step;
  }

  TemporaryFolder work_;
  FakeProgram program_{work_.path()};
  std::vector<PlannedStep> plan_;
  SuiteManifest manifest_;
  std::vector<std::string> ended_;
  int threads_ = 0;
};

TEST_F(RunSuiteTest, RunsEachStepAfterThoseItNeeds) {
  const SuiteProgress progress = run();
  EXPECT_THAT(program_.steps("begin"),
              ElementsAre("train:d.m.a.low", "evaluate:d.m.a.low", "certify:d.m.a.low.certify",
                          "train:d.m.b", "evaluate:d.m.b", "certify:d.m.b.certify"));
  EXPECT_EQ(program_.most_at_once(), 1u);
  EXPECT_EQ(progress.steps, 6u);
  EXPECT_EQ(progress.done, 6u);
  EXPECT_EQ(progress.failed + progress.waiting_in_vain, 0u);
  EXPECT_THAT(ended_, ElementsAre("d.m.a.low.train", "d.m.a.low.evaluate", "d.m.a.low.certify",
                                  "d.m.b.train", "d.m.b.evaluate", "d.m.b.certify"));
  const SuiteStep step = kept("d.m.a.low.certify");
  EXPECT_EQ(step.state, StepState::kDone);
  EXPECT_GT(step.seconds, 0);
  EXPECT_EQ(step.version, version());
  EXPECT_EQ(step.machine, machine_in_words());
  EXPECT_EQ(program_.arguments_of("certify:d.m.a.low.certify"),
            "certify --data texts/d.csv --model " + (out() / "models/d.m.a.low").string() +
                " --out " + (out() / "runs/d.m.a.low.certify").string());
  EXPECT_EQ(read_file(out() / "runs/d.m.a.low.evaluate/evaluation.json"), "{\"accuracy\": 0.5}\n");
}

TEST_F(RunSuiteTest, ASecondRunDoesNothing) {
  run();
  program_.forget();
  EXPECT_EQ(run().done, 6u);
  EXPECT_THAT(program_.lines(), IsEmpty());
}

TEST_F(RunSuiteTest, RunsAsManyAtOnceAsItMay) {
  for (const char* step : {"train:d.m.a.low", "train:d.m.b"}) program_.waits(step);
  std::thread release([&] {
    program_.wait_for_begun(2);  // both trainings, or this never ends
    for (const char* step : {"train:d.m.a.low", "train:d.m.b"}) program_.goes_on(step);
  });
  EXPECT_EQ(run(kTwo, 2).done, 6u);
  release.join();
  EXPECT_EQ(program_.most_at_once(), 2u);
}

TEST_F(RunSuiteTest, AFailureEndsThoseThatNeedItAndNoOther) {
  program_.fails("train:d.m.a.low");
  const SuiteProgress progress = run();
  EXPECT_THAT(program_.steps("begin"), ElementsAre("train:d.m.a.low", "train:d.m.b",
                                                   "evaluate:d.m.b", "certify:d.m.b.certify"));
  EXPECT_EQ(progress.done, 3u);
  EXPECT_EQ(progress.failed, 1u);
  EXPECT_EQ(progress.waiting_in_vain, 2u);
  EXPECT_EQ(kept("d.m.a.low.train").state, StepState::kFailed);
  EXPECT_EQ(kept("d.m.a.low.train").problem, "exit code 3: this went wrong");
  EXPECT_EQ(kept("d.m.a.low.certify").state, StepState::kPlanned);
  // The next start tries again, and only what is left.
  program_.fails("train:d.m.a.low", false);
  program_.forget();
  EXPECT_EQ(run().done, 6u);
  EXPECT_THAT(program_.steps("begin"),
              ElementsAre("train:d.m.a.low", "evaluate:d.m.a.low", "certify:d.m.a.low.certify"));
  EXPECT_THAT(program_.arguments_of("train:d.m.a.low"), EndsWith(" --resume"));
  EXPECT_EQ(kept("d.m.a.low.train").problem, "");
}

TEST_F(RunSuiteTest, AnEvaluationThatFailsLeavesNoAnswer) {
  program_.fails("evaluate:d.m.b");
  EXPECT_EQ(run().failed, 1u);
  EXPECT_FALSE(fs::exists(out() / "runs/d.m.b.evaluate/evaluation.json"));
  EXPECT_EQ(kept("d.m.b.certify").state, StepState::kDone);
}

// By the kernel, for want of memory.
TEST_F(RunSuiteTest, AKilledStepHasFailed) {
  program_.dies("train:d.m.b");
  EXPECT_EQ(run().failed, 1u);
  EXPECT_THAT(kept("d.m.b.train").problem, testing::StartsWith("signal 9: "));
}

TEST_F(RunSuiteTest, SuccessWithoutResultsIsAFailure) {
  program_.makes_nothing("certify:d.m.b.certify");
  EXPECT_EQ(run().failed, 1u);
  EXPECT_EQ(kept("d.m.b.certify").problem, "it ended without results");
}

TEST_F(RunSuiteTest, AProgramThatIsNotThereIsAFailureOfEachStep) {
  fs::remove(program_.path());
  EXPECT_EQ(run().failed, 2u);
  EXPECT_EQ(kept("d.m.b.train").problem, "exit code 127: the program cannot be started");
}

TEST_F(RunSuiteTest, LogsHoldCommandsAndWhatTheySaid) {
  program_.fails("train:d.m.b");
  run();
  run();
  const std::string log = read_file(out() / "logs/d.m.b.train.log");
  const std::string first = "$ textcrs train --data texts/d.csv --out " +
                            (out() / "models/d.m.b").string() +
                            "\nthis went well\nthis went wrong\n";
  EXPECT_THAT(log, testing::StartsWith(first));
  EXPECT_THAT(log.substr(first.size()), testing::StartsWith("$ textcrs train "));
}

TEST_F(RunSuiteTest, ThreadsAreNotPartOfTheCommand) {
  threads_ = 3;
  run();
  EXPECT_THAT(program_.arguments_of("train:d.m.b"), EndsWith(" --threads 3"));
  EXPECT_THAT(in_shell_words(kept("d.m.b.train").command), Not(HasSubstr("--threads")));
}

// Flags have variables, too: what is not in the command must not decide.
TEST_F(RunSuiteTest, StepsSeeNoFlagsOfTheEnvironment) {
  setenv("TEXTCRS_SAMPLES", "7", 1);
  setenv("TEXTCRS_HOME", "/somewhere", 1);
  setenv("TEXTCRS_KEY", "secret", 1);
  run();
  for (const char* name : {"TEXTCRS_SAMPLES", "TEXTCRS_HOME", "TEXTCRS_KEY"}) unsetenv(name);
  EXPECT_THAT(program_.environment_of("train:d.m.b"),
              AllOf(HasSubstr("TEXTCRS_HOME=/somewhere\n"), HasSubstr("TEXTCRS_KEY=secret\n"),
                    Not(HasSubstr("SAMPLES"))));
}

TEST_F(RunSuiteTest, AStopIsPassedOnAndTheSameCommandGoesOn) {
  program_.waits("evaluate:d.m.a.low");
  program_.waits("train:d.m.b");
  std::atomic<bool> stop{false};
  std::thread asking([&] {
    program_.wait_for_begun(3);
    stop = true;
  });
  try {
    run(kTwo, 2, StopToken(stop));
    ADD_FAILURE() << "it was not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_STREQ(error.what(), "interrupted after 1 of 6 steps; the same command goes on");
  }
  asking.join();
  EXPECT_THAT(program_.steps("stopped"), UnorderedElementsAre("evaluate:d.m.a.low", "train:d.m.b"));
  EXPECT_EQ(kept("d.m.a.low.train").state, StepState::kDone);
  EXPECT_EQ(kept("d.m.b.train").state, StepState::kStarted);
  EXPECT_EQ(kept("d.m.a.low.certify").state, StepState::kPlanned);
  const double before = kept("d.m.b.train").seconds;
  EXPECT_GT(before, 0);
  program_.goes_on("evaluate:d.m.a.low");
  program_.goes_on("train:d.m.b");
  program_.forget();
  EXPECT_EQ(run().done, 6u);
  EXPECT_THAT(program_.steps("begin"),
              ElementsAre("evaluate:d.m.a.low", "certify:d.m.a.low.certify", "train:d.m.b",
                          "evaluate:d.m.b", "certify:d.m.b.certify"));
  EXPECT_GT(kept("d.m.b.train").seconds, before);  // of both starts
}

TEST_F(RunSuiteTest, AStopBeforeTheFirstStepRunsNone) {
  std::atomic<bool> stop{true};
  EXPECT_THAT(error_of([&] { run(kTwo, 1, StopToken(stop)); }),
              "interrupted after 0 of 6 steps; the same command goes on");
  EXPECT_THAT(program_.lines(), IsEmpty());
}

// A suite that is killed takes its steps with it.
TEST_F(RunSuiteTest, AKilledSuiteGoesOn) {
  program_.waits("train:d.m.a.low");
  const pid_t suite = fork();
  ASSERT_GE(suite, 0);
  if (suite == 0) {
    try {
      run();
    } catch (...) {
    }
    _exit(0);
  }
  program_.wait_for_begun(1);
  std::istringstream line(program_.lines().front());
  std::string word, name;
  pid_t step = 0;
  line >> word >> name >> step;
  ASSERT_GT(step, 0);
  while (!fs::exists(out() / "models/d.m.a.low.partial")) usleep(2000);
  kill(suite, SIGKILL);
  ASSERT_EQ(waitpid(suite, nullptr, 0), suite);
  while (kill(step, 0) == 0 &&
         read_file("/proc/" + std::to_string(step) + "/stat").find(") Z") == std::string::npos)
    usleep(2000);  // or this never ends
  EXPECT_EQ(kept("d.m.a.low.train").state, StepState::kStarted);
  program_.goes_on("train:d.m.a.low");
  program_.forget();
  EXPECT_EQ(run().done, 6u);
  EXPECT_THAT(program_.arguments_of("train:d.m.a.low"), EndsWith("models/d.m.a.low --resume"));
  EXPECT_EQ(program_.steps("begin").size(), 6u);
}

TEST_F(RunSuiteTest, AChangedCommandRunsBesideTheOld) {
  run();
  program_.forget();
  run(kTwo + "certify = { samples = 5 }\n");
  EXPECT_THAT(program_.steps("begin"), ElementsAre("certify:d.m.b.certify-2"));
  EXPECT_TRUE(fs::exists(out() / "runs/d.m.b.certify/summary.json"));
  EXPECT_EQ(kept("d.m.b.certify").folder, "runs/d.m.b.certify-2");
}

TEST_F(RunSuiteTest, AChangedCommandReplacesTheOldOnRequest) {
  run();
  program_.forget();
  run(kTwo + "train = { epochs = 5 }\n", 1, {}, true);
  EXPECT_THAT(program_.steps("begin"),
              ElementsAre("train:d.m.b", "evaluate:d.m.b", "certify:d.m.b.certify"));
  EXPECT_THAT(program_.arguments_of("train:d.m.b"), EndsWith(" --overwrite"));
  EXPECT_THAT(program_.arguments_of("certify:d.m.b.certify"), EndsWith(" --overwrite"));
  EXPECT_THAT(program_.arguments_of("evaluate:d.m.b"), Not(HasSubstr("--overwrite")));
  EXPECT_EQ(kept("d.m.b.train").replaces, "");
  program_.forget();
  run(kTwo + "train = { epochs = 5 }\n");
  EXPECT_THAT(program_.lines(), IsEmpty());
}

// Interrupted half way: the training has a state, the certification has taken its folder over.
TEST_F(RunSuiteTest, AReplacementGoesOn) {
  run();
  const std::string changed = kTwo + "train = { epochs = 5 }\n";
  const auto interrupted_at = [&](const std::string& step) {
    program_.forget();
    program_.waits(step);
    std::atomic<bool> stop{false};
    std::thread asking([&] {
      while (program_.arguments_of(step).empty()) usleep(2000);
      usleep(50'000);  // past the making of folders
      stop = true;
    });
    EXPECT_THAT(error_of([&] { run(changed, 1, StopToken(stop), true); }),
                HasSubstr("interrupted"));
    asking.join();
    program_.goes_on(step);
  };
  interrupted_at("train:d.m.b");
  EXPECT_TRUE(fs::exists(out() / "models/d.m.b/training.json"));  // the old one, until the end
  EXPECT_NE(kept("d.m.b.train").replaces, "");
  interrupted_at("certify:d.m.b.certify");
  EXPECT_THAT(program_.arguments_of("train:d.m.b"), EndsWith(" --overwrite --resume"));
  program_.forget();
  EXPECT_EQ(run(changed).done, 6u);  // --overwrite is not needed again
  EXPECT_THAT(program_.steps("begin"), ElementsAre("certify:d.m.b.certify"));
  EXPECT_THAT(program_.arguments_of("certify:d.m.b.certify"), Not(HasSubstr("--overwrite")));
}

TEST_F(RunSuiteTest, TwinsAreRunOnce) {
  const std::string twins = std::string(kLeast) +
                            "[defaults]\nsamples = 5\n[[variant]]\nname = \"same\"\n"
                            "certify = { samples = 5 }\n";
  EXPECT_EQ(run(twins).done, 4u);
  EXPECT_EQ(program_.steps("begin").size(), 3u);
  EXPECT_EQ(kept("d.m.a.low.certify.same").folder, "runs/d.m.a.low.certify");
  EXPECT_EQ(kept("d.m.a.low.certify.same").seconds, kept("d.m.a.low.certify").seconds);
}

TEST_F(RunSuiteTest, NothingIsWrittenThroughALink) {
  const fs::path own = work_.path() / "own";
  write_text(own, "mine");
  for (const char* const name :
       {"logs/d.m.b.train.log", "runs/d.m.b.evaluate/evaluation.json.new"}) {
    fs::remove_all(out());
    fs::create_directories((out() / name).parent_path());
    fs::create_symlink(own, out() / name);
    EXPECT_THAT(error_of([&] { run(); }), HasSubstr(std::string(name) + ": cannot be written"));
    EXPECT_EQ(read_file(own), "mine");
  }
}

TEST_F(RunSuiteTest, WhatRunsIsStoppedWhereTheManifestCannotBeKept) {
  program_.waits("train:d.m.a.low");
  program_.waits("train:d.m.b");
  std::thread breaking([&] {
    program_.wait_for_begun(2);
    fs::remove(out() / "suite.json");
    write_text(out() / "suite.json" / "in-the-way", "");
    program_.goes_on("train:d.m.a.low");
  });
  EXPECT_THAT(error_of([&] { run(kTwo, 2); }), HasSubstr("suite.json: cannot be written"));
  breaking.join();
  EXPECT_THAT(program_.steps("stopped"), ElementsAre("train:d.m.b"));
}

}  // namespace
}  // namespace textcrs
