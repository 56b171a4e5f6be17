#include "textcrs/base/file_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

template <typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class FileLocks : public testing::Test {
 protected:
  FileLocks() {
    std::string name = (fs::temp_directory_path() / "textcrs-lock-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~FileLocks() override { fs::remove_all(folder_); }
  fs::path path() const { return folder_ / "deep" / "lock"; }
  // The message of the usage Error; "" if the lock can be had.
  std::string refusal() const {
    try {
      FileLock lock(path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(FileLocks, TheSecondHearsWhoHoldsIt) {
  std::optional<FileLock> lock(path());
  const std::string id = std::to_string(getpid());
  EXPECT_EQ(read_file(path()), id + "\n");
  const std::string expected =
      path().parent_path().string() + ": process " + id + " is writing there";
  EXPECT_EQ(refusal().substr(0, expected.size()), expected);
  EXPECT_TRUE(fs::exists(path()));
  lock.reset();
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_EQ(refusal(), "");
}

TEST_F(FileLocks, AFileWithoutALockIsTakenOver) {
  fs::create_directories(path().parent_path());
  std::ofstream(path()) << "123456789012\n";
  const FileLock lock(path());
  EXPECT_EQ(read_file(path()), std::to_string(getpid()) + "\n");
}

TEST_F(FileLocks, NamesTheFolderItGuards) {
  const FileLock lock(folder_ / "model.lock", folder_ / "model");
  const std::string message =
      error_of([&] { FileLock(folder_ / "model.lock", folder_ / "model"); });
  EXPECT_EQ(message.find((folder_ / "model").string() + ": process "), 0u) << message;
}

TEST_F(FileLocks, AFileOfOthersIsLeftAsItIs) {
  for (const std::string content : {"notes", "12 notes", "12\nnotes", "\n", "123456", " 7\n"}) {
    write_file_atomically(path(), content);
    const std::string message = error_of([&] { FileLock{path()}; });
    EXPECT_EQ(message.find(path().string() + ": found a file that is no lock"), 0u) << message;
    EXPECT_EQ(read_file(path()), content);
  }
  fs::remove(path());
  write_file_atomically(folder_ / "theirs", "12\n");
  fs::create_symlink(folder_ / "theirs", path());
  const std::string message = error_of([&] { FileLock{path()}; });
  EXPECT_EQ(message.find(path().string() + ": cannot be locked"), 0u) << message;
  EXPECT_EQ(read_file(folder_ / "theirs"), "12\n");
}

TEST_F(FileLocks, AKilledProcessHoldsNothing) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FileLock lock(path());
    const bool told = write(ready[1], "x", 1) == 1;
    while (told) pause();
    _exit(1);
  }
  char signal = 0;
  ASSERT_EQ(read(ready[0], &signal, 1), 1);
  EXPECT_NE(refusal().find("process " + std::to_string(child)), std::string::npos);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_EQ(refusal(), "");
  close(ready[0]);
  close(ready[1]);
}

// The file is removed and made anew all the time; still there is never a second holder.
TEST_F(FileLocks, IsHeldByOneOfMany) {
  std::atomic<int> inside = 0, collisions = 0, had = 0;
  const auto work = [&] {
    for (int i = 0; i < 2000; ++i) {
      try {
        const FileLock lock(path());
        if (++inside > 1) ++collisions;
        ++had;
        --inside;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUsage) << error.what();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(collisions, 0);
  EXPECT_GT(had, 0);
}

TEST_F(FileLocks, WhereNothingCanBeWrittenThereIsNoLock) {
  for (const char* nowhere : {"/proc/lock", "/proc/deep/lock"}) {
    try {
      FileLock lock{fs::path(nowhere)};
      ADD_FAILURE() << nowhere;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kFailed);
      EXPECT_NE(std::string(error.what()).find("/proc"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace textcrs
