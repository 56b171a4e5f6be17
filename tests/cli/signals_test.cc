// The first signal ends every verb, with the exit code that the help names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int kInterrupted = 4;

TEST(Signals, PredictStopsWhileItWaitsForALine) {
  const std::string pipe = workspace().path("lines-in"), out = workspace().write("lines-out", "");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    workspace().write("lines-out", "");
    Process process({"predict", "--model", workspace().model(), "--samples", "100"}, {}, "", out,
                    "", pipe);
    std::ofstream(pipe) << "good great film\n";
    ASSERT_TRUE(runs_until(process, [&] { return read(out).ends_with("\n"); }))
        << process.wait().err;
    process.signal(number);
    const Result result = process.wait();
    EXPECT_EQ(result.exit_code, kInterrupted) << number;
    EXPECT_THAT(result.err, HasSubstr("textcrs: interrupted\n"));
    EXPECT_THAT(read(out), HasSubstr("pos"));
  }
}

TEST(Signals, PredictStopsBetweenAndWithinTexts) {
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "good film\n";
  for (const char* samples : {"100", "10000000"}) {
    const std::string out = workspace().write("many-out", "");
    Process process({"predict", "--model", workspace().model(), "--exact", "never", "--json",
                     "--samples", samples},
                    {}, many, out);
    if (std::string(samples) == "100")
      ASSERT_TRUE(runs_until(process, [&] { return !read(out).empty(); })) << process.wait().err;
    else
      usleep(500'000);
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait().exit_code, kInterrupted) << samples;
    for (const std::string& line : lines_of(read(out)))
      EXPECT_TRUE(json_of(line).is_object()) << line;  // whole ones
  }
}

TEST(Signals, LinesAreReadAsTheyAre) {
  const auto answers = [](const std::string& input) {
    const Result result =
        run({"predict", "--model", workspace().model(), "--samples", "100"}, {}, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return lines_of(result.out).size();
  };
  EXPECT_EQ(answers(""), 0u);
  EXPECT_EQ(answers("good film"), 1u);
  EXPECT_EQ(answers("good film\n"), 1u);
  EXPECT_EQ(answers("good film\n\nbad film\n"), 3u);
  const std::string longer_than_a_read(200'000, ' ');
  EXPECT_EQ(answers("good" + longer_than_a_read + "film\nbad film"), 2u);
}

TEST(Signals, DataFetchEndsNpmAndLeavesNothing) {
  const std::string bin = workspace().path("bin"), home = workspace().path("fetch-home"),
                    started = workspace().path("npm-started");
  fs::create_directories(bin);
  workspace().write("bin/npm", "#!/bin/sh\necho $$ > '" + started + "'\nexec sleep 600\n");
  fs::permissions(bin + "/npm", fs::perms::owner_all);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    fs::remove(started);
    Process process({"data", "fetch", "imdb"},
                    {{"PATH", bin + ":" + getenv("PATH")}, {"TEXTCRS_HOME", home}});
    ASSERT_TRUE(runs_until(process, [&] { return read(started).ends_with("\n"); }))
        << process.wait().err;
    process.signal(number);
    const Result result = process.wait();
    EXPECT_EQ(result.exit_code, kInterrupted) << result.err;
    EXPECT_THAT(result.err, HasSubstr("data fetch imdb: interrupted"));
    EXPECT_NE(kill(std::stoi(read(started)), 0), 0) << "npm runs on";
    EXPECT_FALSE(fs::exists(home + "/data"));
  }
}

// Before main() a signal ends the process as it ends any; from then on with the exit code.
TEST(Signals, AtTheBeginDoNoHarm) {
  const std::string out = workspace().path("begun-and-ended");
  const Arguments training = workspace().training(out, 200);
  for (useconds_t moment = 0; moment < 60'000; moment += 3'000) {
    Process process(training);
    usleep(moment);
    process.signal(SIGTERM);
    const int code = process.wait().exit_code;
    EXPECT_TRUE(code == kInterrupted || code == 128 + SIGTERM) << code;
    EXPECT_FALSE(fs::exists(out));
  }
  const Result result = run(workspace().training(out, 1));
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace textcrs::cli_test
