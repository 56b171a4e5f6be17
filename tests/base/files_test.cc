#include "textcrs/base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ostream>
#include <set>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

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
    try {
      read_file(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
    }
    EXPECT_THROW(MappedFile{path}, Error);
  }
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
