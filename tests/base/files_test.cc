#include "textcrs/base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "base/regular_file.h"
#include "base/system_calls.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

// What a bad_input Error says.
template <typename Read>
std::string refusal_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "textcrs-files-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder_); }
  std::set<std::string> listing() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
    return names;
  }
  fs::path folder_;
};

TEST_F(Files, WriteThenReadAndMap) {
  const std::string content("a\0b\n", 4);
  write_file_atomically(folder_ / "deep" / "x", content);
  EXPECT_EQ(read_file(folder_ / "deep" / "x"), content);
  EXPECT_EQ(MappedFile(folder_ / "deep" / "x").text(), content);
}

TEST_F(Files, AnEmptyFileMapsToNothing) {
  write_file_atomically(folder_ / "empty", "");
  EXPECT_TRUE(MappedFile(folder_ / "empty").bytes().empty());
}

TEST_F(Files, AMovedMappingStaysValid) {
  write_file_atomically(folder_ / "x", "hello");
  MappedFile first(folder_ / "x");
  const MappedFile second(std::move(first));
  EXPECT_EQ(second.text(), "hello");
}

TEST_F(Files, MissingFileAndFolderAreBadInput) {
  for (const auto& path : {folder_ / "nothing", folder_}) {
    EXPECT_NE(refusal_of([&] { read_file(path); }).find(path.string()), std::string::npos);
    EXPECT_THROW(MappedFile{path}, Error);
  }
}

TEST_F(Files, APipeMayBeReadAndADeviceMayNot) {
  const fs::path pipe = folder_ / "pipe";
  fs::create_symlink("/dev/zero", folder_ / "zero");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "said"; });
  EXPECT_EQ(read_file(pipe), "said");
  writer.join();
  EXPECT_EQ(refusal_of([&] { read_file(folder_ / "zero"); }),
            (folder_ / "zero").string() + ": cannot be read (it is a device)");
  for (const char* name : {"pipe", "zero"})  // nobody writes to the pipe now
    EXPECT_EQ(refusal_of([&] { read_regular_file(folder_ / name); }),
              (folder_ / name).string() + ": expected a regular file");
  write_file_atomically(folder_ / "x", "regular");
  fs::create_symlink("x", folder_ / "link");
  EXPECT_EQ(read_regular_file(folder_ / "link"), "regular");
}

TEST_F(Files, AFailedWriteKeepsTheOldFileAndNothingElse) {
  write_file_atomically(folder_ / "x", "old");
  EXPECT_THROW(write_file_atomically(folder_ / "x",
                                     [](std::ostream& out) {
                                       out << "half of the ne";
                                       throw std::runtime_error("power cut");
                                     }),
               std::runtime_error);
  EXPECT_EQ(read_file(folder_ / "x"), "old");
  EXPECT_EQ(listing(), std::set<std::string>{"x"});
}

TEST_F(Files, AFolderIsReplacedAsAWhole) {
  write_folder_atomically(folder_ / "model", [](const fs::path& temporary) {
    write_file_atomically(temporary / "a", "1");
    write_file_atomically(temporary / "b", "1");
  });
  write_folder_atomically(folder_ / "model", [](const fs::path& temporary) {
    write_file_atomically(temporary / "a", "2");
  });
  EXPECT_EQ(read_file(folder_ / "model" / "a"), "2");
  EXPECT_FALSE(fs::exists(folder_ / "model" / "b"));
  EXPECT_THROW(write_folder_atomically(folder_ / "model",
                                       [](const fs::path& temporary) {
                                         write_file_atomically(temporary / "a", "3");
                                         throw std::runtime_error("power cut");
                                       }),
               std::runtime_error);
  EXPECT_EQ(read_file(folder_ / "model" / "a"), "2");
  EXPECT_EQ(listing(), std::set<std::string>{"model"});
}

TEST_F(Files, KilledAnywhereAFileIsTheOldOneOrTheNewOne) {
  const fs::path path = folder_ / "x";
  bool old_seen = false, new_seen = false;
  for (int call = 1;; ++call) {
    write_file_atomically(path, "old");
    const bool killed = killed_before(call, [&] { write_file_atomically(path, "new"); });
    const std::string content = read_file(path);
    EXPECT_TRUE(content == "old" || content == "new") << call << ": " << content;
    (content == "old" ? old_seen : new_seen) = true;
    write_file_atomically(path, "next");
    EXPECT_EQ(listing(), std::set<std::string>{"x"}) << call;
    if (!killed) break;
  }
  EXPECT_TRUE(old_seen && new_seen);
}

// A folder of two files of one generation, as they were written: "old" or "new".
void write_generation(const fs::path& folder, const std::string& generation) {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    for (const char* name : {"a", "b"}) std::ofstream(temporary / name) << generation;
  });
}

TEST_F(Files, KilledAnywhereAFolderIsTheOldOneOrTheNewOne) {
  const fs::path folder = folder_ / "model";
  for (const bool in_one_step : {true, false}) {
    bool old_seen = false, new_seen = false, none_seen = false;
    for (int call = 1;; ++call) {
      if (!fs::exists(folder) || read_file(folder / "a") != "old") write_generation(folder, "old");
      const bool killed = killed_before(call, [&] {
        if (!in_one_step && !fail_system_call(SYS_renameat2, EINVAL, RENAME_EXCHANGE)) _exit(2);
        write_generation(folder, "new");
      });
      none_seen = none_seen || !fs::exists(folder);
      remove_leftovers(folder);
      const std::string content = read_file(folder / "a");
      EXPECT_TRUE(content == "old" || content == "new") << call << ": " << content;
      EXPECT_EQ(read_file(folder / "b"), content) << call;
      (content == "old" ? old_seen : new_seen) = true;
      EXPECT_EQ(listing(), std::set<std::string>{"model"}) << call;
      if (!killed) break;
    }
    EXPECT_TRUE(old_seen && new_seen);
    EXPECT_EQ(none_seen, !in_one_step) << "between two renames";
  }
}

TEST_F(Files, KilledAnywhereAFolderIsRemovedOrWhole) {
  const fs::path folder = folder_ / "model";
  for (int call = 1;; ++call) {
    if (!fs::exists(folder)) write_generation(folder, "old");
    const bool killed = killed_before(call, [&] { remove_folder_atomically(folder); });
    const bool there = fs::exists(folder);
    EXPECT_EQ(there, fs::exists(folder / "a") && fs::exists(folder / "b")) << call;
    remove_leftovers(folder);
    EXPECT_EQ(listing().size(), there ? 1u : 0u) << call;
    if (!killed) break;
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Files, WhatOthersWriteOrOwnIsNoLeftover) {
  const fs::path path = folder_ / "x";
  const std::set<std::string> kept = {"x.tmp-0123456789abcde",   "x.tmp-0123456789abcdeg",
                                      "x.tmp-12345-0",           "y.tmp-0123456789abcdef",
                                      "x.tmp-0123456789abcdef0", "linked"};
  for (const std::string& name : kept) write_file_atomically(folder_ / name, "mine");
  fs::create_symlink(folder_ / "linked", folder_ / "x.tmp-0123456789abcde0");
  write_file_atomically(folder_ / "x.tmp-0123456789abcde1", "left by a killed process");
  std::set<std::string> during;
  write_file_atomically(path, [&](std::ostream& out) {
    write_file_atomically(path, "another writer");
    during = listing();
    out << "mine";
  });
  EXPECT_EQ(read_file(path), "mine");
  EXPECT_EQ(during.size(), kept.size() + 3);  // the link, x, and the temporary file
  EXPECT_FALSE(during.contains("x.tmp-0123456789abcde1"));
  std::set<std::string> expected = kept;
  expected.insert({"x", "x.tmp-0123456789abcde0"});
  EXPECT_EQ(listing(), expected);
}

TEST_F(Files, WhatMayNotBeOnTheDiskIsAnError) {
  write_generation(folder_ / "model", "old");
  for (const int error : {EIO, ENOSPC}) {
    const auto without_sync = [&](const std::function<void()>& work) {
      return in_child([&] {
        if (!fail_system_call(SYS_fsync, error)) _exit(2);
        work();
      });
    };
    EXPECT_EQ(without_sync([&] { write_file_atomically(folder_ / "x", "new"); }), 1);
    EXPECT_EQ(without_sync([&] { write_generation(folder_ / "model", "new"); }), 1);
    EXPECT_EQ(without_sync([&] { check_can_write(folder_); }), 1);
  }
  EXPECT_EQ(listing(), std::set<std::string>{"model"});
  EXPECT_EQ(read_file(folder_ / "model" / "a"), "old");
}

TEST_F(Files, ALinkIsReplacedAndNotFollowed) {
  write_file_atomically(folder_ / "theirs", "theirs");
  fs::create_symlink("theirs", folder_ / "x");
  write_file_atomically(folder_ / "x", "mine");
  EXPECT_EQ(read_file(folder_ / "theirs"), "theirs");
  EXPECT_EQ(read_file(folder_ / "x"), "mine");
}

TEST_F(Files, PermissionsAreThoseOfAnyNewFile) {
  const mode_t before = umask(022);
  write_generation(folder_ / "model", "new");
  write_file_atomically(folder_ / "x", "new");
  umask(before);
  const auto mode = [&](const fs::path& path) {
    return static_cast<unsigned>(fs::status(path).permissions());
  };
  EXPECT_EQ(mode(folder_ / "model"), 0755u);
  EXPECT_EQ(mode(folder_ / "model" / "a"), 0644u);
  EXPECT_EQ(mode(folder_ / "x"), 0644u);
}

TEST_F(Files, HomeFollowsTheEnvironment) {
  setenv("TEXTCRS_HOME", folder_.c_str(), 1);
  EXPECT_EQ(home_folder(), folder_);
  unsetenv("TEXTCRS_HOME");
  setenv("HOME", "/somewhere", 1);
  EXPECT_EQ(home_folder(), fs::path("/somewhere/.cache/textcrs"));
}

// The message of a failed Error; "" if the folder can be written to.
std::string write_refusal(const fs::path& folder) {
  try {
    check_can_write(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFailed);
    return error.what();
  }
  return "";
}

TEST_F(Files, ProbingAFolderLeavesNothingBehind) {
  EXPECT_EQ(write_refusal(folder_), "");
  EXPECT_EQ(write_refusal(folder_ / "not" / "yet"), "");
  EXPECT_TRUE(listing().empty());
}

TEST_F(Files, AFolderThatCanNotBeWrittenToIsNamed) {
  EXPECT_EQ(write_refusal("/proc/textcrs").find("/proc: "), 0u);  // not even by root
  write_file_atomically(folder_ / "file", "");
  EXPECT_EQ(write_refusal(folder_ / "file" / "deep").find((folder_ / "file").string() + ": "), 0u);
}

TEST_F(Files, AFullDiskIsNoticed) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {1000, before.rlim_max};  // empty files can still be made
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string refusal = write_refusal(folder_);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(refusal.find(folder_.string() + ": "), 0u) << refusal;
  EXPECT_TRUE(listing().empty());
}

}  // namespace
}  // namespace textcrs
