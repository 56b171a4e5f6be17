// What signals leave of a training: with the same command it goes on, and nothing is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The epoch that an interrupted run would go on with; -1 before the first checkpoint.
int next_epoch(const std::string& out) {
  const auto state = json_of(read(out + ".partial/state.json"));
  return state.is_object() ? state.value("epoch", -1) : -1;
}

Arguments long_training(const std::string& out) { return workspace().training(out, 60); }

TEST(Interruption, AResumedTrainingEndsWithTheBytesOfAnUninterruptedOne) {
  const std::string whole = workspace().path("whole"), out = workspace().path("stopped");
  Process uninterrupted(long_training(whole));
  int stopped_at = 0;
  for (const int number : {SIGINT, SIGTERM}) {
    Process process(long_training(out) + (stopped_at > 0 ? Arguments{"--resume"} : Arguments{}));
    ASSERT_TRUE(runs_until(process, [&] { return next_epoch(out) > stopped_at; }))
        << process.wait().err;
    process.signal(number);
    const Result result = process.wait();
    ASSERT_EQ(result.exit_code, 4) << result.err;
    EXPECT_THAT(result.err, HasSubstr(out + ".partial"));
    EXPECT_THAT(result.err, HasSubstr("--resume"));
    EXPECT_FALSE(fs::exists(out));
    stopped_at = next_epoch(out);
  }
  EXPECT_LT(stopped_at, 60);

  const Result other = run(long_training(out) + Arguments{"--resume", "--seed", "7"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("seed=7"));
  EXPECT_TRUE(fs::exists(out + ".partial/state.json"));

  const Result resumed = run(long_training(out) + Arguments{"--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(fs::exists(out + ".partial"));
  ASSERT_EQ(uninterrupted.wait().exit_code, 0);
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
}

TEST(Interruption, AnOutFolderWrittenWithASlashIsTheSameFolder) {
  const std::string out = workspace().path("slash");
  Process process(long_training(out + "/"));
  ASSERT_TRUE(runs_until(process, [&] { return next_epoch(out) > 0; })) << process.wait().err;
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().exit_code, 4);
  EXPECT_FALSE(fs::exists(out));
}

// The names in the workspace that begin so.
std::vector<std::string> named(const std::string& start) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(workspace().path(".")))
    if (const std::string name = entry.path().filename(); name.starts_with(start))
      names.push_back(name);
  return names;
}

// Killed again and again, at moments of no meaning, the same command goes on to the end.
void kill_until_done(const Arguments& command, const std::string& out, useconds_t first) {
  Arguments with_resume = command;
  int kills = 0;
  for (useconds_t moment = first;; moment += moment / 4) {
    Process process(with_resume);
    usleep(moment);
    process.signal(SIGKILL);
    const Result result = process.wait();
    if (result.exit_code == 0) break;
    ASSERT_EQ(result.exit_code, 128 + SIGKILL) << result.err;
    ++kills;
    // On a busy machine the first ones may be over before anything was written.
    if (with_resume.size() == command.size() && !named(fs::path(out).filename()).empty())
      with_resume.push_back("--resume");
  }
  EXPECT_GT(kills, 2) << "the case is trivial";
  const Result again = run(with_resume);  // and it knows that it is
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("is finished"));
  EXPECT_THAT(again.out, HasSubstr(": " + out + "\n"));
}

TEST(Interruption, KilledAnywhereItGoesOnAndLeavesNothingBehind) {
  const std::string whole = workspace().path("unkilled-training"),
                    out = workspace().path("killed-training");
  Process uninterrupted(long_training(whole));
  kill_until_done(long_training(out), out, 200'000);
  ASSERT_EQ(uninterrupted.wait().exit_code, 0);
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
  EXPECT_EQ(named("killed-training"), std::vector<std::string>{"killed-training"});
  const auto epochs = json_of(read(out + "/training.json"))["epochs"];
  EXPECT_EQ(epochs.size(), 60u);
  EXPECT_EQ(epochs, json_of(read(whole + "/training.json"))["epochs"]);
}

TEST(Interruption, ATrainingThatChoosesItsSettingGoesOnToo) {
  const auto command = [](const std::string& out) {
    return Arguments{"train",
                     "--data",
                     workspace().texts(),
                     "--architecture",
                     "votes",
                     "--edits",
                     "auto",
                     "--epochs",
                     "60",
                     "--hidden",
                     "0",
                     "--out",
                     out};
  };
  const std::string whole = workspace().path("chosen-unkilled"),
                    out = workspace().path("chosen-killed");
  const Result uninterrupted = run(command(whole));
  ASSERT_EQ(uninterrupted.exit_code, 0) << uninterrupted.err;
  kill_until_done(command(out), out, 20'000);
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
  EXPECT_EQ(named("chosen-killed"), std::vector<std::string>{"chosen-killed"});
}

// Between the two last steps of a training: the model is there, and the state too.
TEST(Interruption, KilledWhenTheModelWasWrittenItOnlyCleansUp) {
  const std::string out = workspace().path("between"), partial = out + ".partial";
  ASSERT_EQ(run(workspace().training(out)).exit_code, 0);
  const std::string model = read(out + "/model.safetensors");
  const auto leave_state = [&](const std::string& run) {
    fs::create_directories(partial);
    workspace().write("between.partial/state.json", nlohmann::json{{"run", run}}.dump());
  };
  const std::string made_by = json_of(read(out + "/training.json"))["run"];
  leave_state(made_by);
  const Arguments resume = workspace().training(out) + Arguments{"--resume"};
  const Result result = run(resume);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("model: " + out));
  EXPECT_FALSE(fs::exists(partial));
  EXPECT_EQ(run(resume).exit_code, 0);

  // Of other flags, or beside another model, the state is an unfinished run's.
  EXPECT_EQ(run(resume + Arguments{"--seed", "7"}).exit_code, 2);
  leave_state(made_by);
  EXPECT_EQ(run(resume + Arguments{"--seed", "7"}).exit_code, 2);
  leave_state(made_by + " and more");
  const Result other = run(resume);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("--overwrite"));
  EXPECT_TRUE(fs::exists(partial + "/state.json"));
  EXPECT_EQ(read(out + "/model.safetensors"), model);
}

// A terminal that closes sends SIGHUP twice, timeout(1) SIGTERM.
TEST(Interruption, TwoSignalsAtOnceAreOne) {
  for (const int number : {SIGHUP, SIGTERM}) {
    const std::string out = workspace().path("twice-" + std::to_string(number));
    Process process(long_training(out));
    ASSERT_TRUE(runs_until(process, [&] { return next_epoch(out) > 0; })) << process.wait().err;
    process.signal(number);
    usleep(1000);
    process.signal(number);
    const Result result = process.wait();
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_THAT(result.err, HasSubstr("go on with --resume"));
    EXPECT_FALSE(fs::exists(out + ".lock"));
  }
}

TEST(Interruption, UnderNohupAClosedTerminalEndsNothing) {
  const std::string out = workspace().path("nohup");
  const auto before = signal(SIGHUP, SIG_IGN);  // as nohup(1) leaves it
  Process process(workspace().training(out, 30));
  signal(SIGHUP, before);
  ASSERT_TRUE(runs_until(process, [&] { return next_epoch(out) > 0; })) << process.wait().err;
  process.signal(SIGHUP);
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(out));
}

// /dev/full takes nothing: the log is lost, and the model is not.
TEST(Interruption, ALogThatCanNotBeWrittenEndsNothing) {
  const std::string out = workspace().path("unlogged");
  Process process(workspace().training(out), {}, "", "", "/dev/full");
  EXPECT_EQ(process.wait().exit_code, 0);
  EXPECT_TRUE(fs::exists(out + "/training.json"));
}

TEST(Interruption, ASecondWriterIsToldWhoIsThere) {
  const std::string out = workspace().path("one-writer");
  Process first(long_training(out));
  ASSERT_TRUE(runs_until(first, [&] { return next_epoch(out) > 0; })) << first.wait().err;
  first.signal(SIGSTOP);
  for (const Arguments& extra : {Arguments{}, {"--resume"}, {"--overwrite"}}) {
    const Result second = run(long_training(out) + extra);
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.err,
                HasSubstr(out + ": process " + std::to_string(first.id()) + " is writing there"));
  }
  first.signal(SIGCONT);
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 4);
}

TEST(Interruption, ThereMustBeSomethingToResume) {
  const std::string out = workspace().path("nothing");
  const Result result = run(workspace().training(out) + Arguments{"--resume"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(out + ".partial"));
  EXPECT_FALSE(fs::exists(out + ".lock"));
  // Unless a killed process had only begun.
  workspace().write("nothing.lock", "1\n");
  EXPECT_EQ(run(workspace().training(out) + Arguments{"--resume"}).exit_code, 0);
}

}  // namespace
}  // namespace textcrs::cli_test
