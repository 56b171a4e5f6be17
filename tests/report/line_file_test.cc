// The lines that certification runs and attacks have in common.
#include "report/line_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

#include "base/system_calls.h"
#include "model/expect_error.h"
#include "report/run_file.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Start = ResultsFile::Start;

const std::vector<Setting> kSettings = {{"recipe", std::string("word-swap")},
                                        {"limit", uint64_t{5}}};

// "7 some words": an id and what is said of it.
struct Line {
  uint32_t id = 0;
  std::string said;
};

Line parse_line(std::string_view line) {
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) throw bad_input("found no blank, expected one");
  return {static_cast<uint32_t>(std::stoul(std::string(line.substr(0, blank)))),
          std::string(line.substr(blank + 1))};
}

class LineFileTest : public testing::Test {
 protected:
  fs::path folder() const { return work_.path() / "deep" / "out"; }
  fs::path lines() const { return folder() / kResultsFile; }
  void write(const fs::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
  }
  LineFile open(Start start = Start::kGoOn) const {
    return LineFile(folder(), kSettings, "0.2.0", start);
  }
  // A finished run of these lines.
  void make(const std::vector<std::string>& list) const {
    LineFile file = open();
    file.open_after(0);
    for (const std::string& line : list) file.append(line);
  }

 private:
  TemporaryFolder work_;
};

TEST_F(LineFileTest, WhatIsAppendedIsRead) {
  make({"4 good film", "2 ", "9 a\tb"});
  EXPECT_EQ(read_file(lines()), "4 good film\n2 \n9 a\tb\n");
  const RecordLines<Line> read = read_lines(lines(), parse_line);
  EXPECT_EQ(read.bytes, fs::file_size(lines()));
  ASSERT_EQ(read.records.size(), 3u);
  EXPECT_EQ(read.records[0].id, 4u);
  EXPECT_EQ(read.records[1].said, "");
  EXPECT_EQ(read.records[2].said, "a\tb");
}

TEST_F(LineFileTest, IsThereBeforeTheNextLine) {
  LineFile file = open();
  EXPECT_FALSE(file.exists());
  file.open_after(0);
  EXPECT_TRUE(file.exists());
  file.append("1 one");
  EXPECT_EQ(read_file(lines()), "1 one\n");
  file.append("2 two");
  EXPECT_EQ(read_file(lines()), "1 one\n2 two\n");
}

TEST_F(LineFileTest, ALastLineWithoutItsEndIsNotReadAndCutOff) {
  make({"1 one", "2 two"});
  for (const std::string torn : {"2", "2 tw", "2 two"}) {
    write(lines(), "1 one\n" + torn);
    const RecordLines<Line> read = read_lines(lines(), parse_line);
    EXPECT_EQ(read.records.size(), 1u);
    EXPECT_EQ(read.bytes, 6u);
    LineFile file = open();
    file.open_after(read.bytes);
    EXPECT_EQ(read_file(lines()), "1 one\n");
    file.append("3 three");
    EXPECT_EQ(read_file(lines()), "1 one\n3 three\n");
  }
  write(lines(), "");
  EXPECT_EQ(read_lines(lines(), parse_line).bytes, 0u);
}

TEST_F(LineFileTest, ADamagedLineAndASecondOneAreNamed) {
  make({"1 one", "two", "3 three"});
  EXPECT_EQ(expect_error(ErrorKind::kBadInput, [&] { read_lines(lines(), parse_line); }),
            lines().string() + ":2: found no blank, expected one");
  write(lines(), "1 one\n2 two\n1 once more\n");
  EXPECT_EQ(expect_error(ErrorKind::kBadInput, [&] { read_lines(lines(), parse_line); }),
            lines().string() + ":3: found a second result of the text 1, expected one");
  write(lines(), "1 one\n\n");
  EXPECT_THAT(error_of([&] { read_lines(lines(), parse_line); }), HasSubstr(":2: "));
}

TEST_F(LineFileTest, BelongsToOneRunOfOneVersion) {
  make({"1 one"});
  const auto with = [&](const std::vector<Setting>& settings, const std::string& made_by) {
    LineFile file(folder(), settings, made_by, Start::kGoOn);
  };
  EXPECT_NO_THROW(with(kSettings, "0.2.0"));
  EXPECT_THROW(with(kSettings, "0.3.0"), OtherVersion);
  try {
    with({kSettings[0], {"limit", uint64_t{6}}}, "0.2.0");
    ADD_FAILURE() << "not noticed";
  } catch (const OtherRun& other) {
    EXPECT_EQ(other.setting(), "limit");
    EXPECT_EQ(other.before(), "5");
    EXPECT_EQ(other.now(), "6");
  }
  EXPECT_EQ(read_file(lines()), "1 one\n");
  fs::remove(folder() / kRunFile);
  EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { open(); }),
              HasSubstr("found without run.json beside it"));
}

TEST_F(LineFileTest, AnewRemovesTheFilesOfARunAndNothingElse) {
  make({"1 one"});
  write(folder() / kSummaryFile, "{}");
  write(folder() / "notes.txt", "mine");
  {
    LineFile file(folder(), {}, "0.3.0", Start::kAnew);
    EXPECT_FALSE(file.exists());
    EXPECT_FALSE(fs::exists(folder() / kSummaryFile));
    EXPECT_EQ(read_run_file(folder() / kRunFile).version, "0.3.0");
  }
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder()))
    left.push_back(entry.path().filename());
  EXPECT_THAT(left, testing::UnorderedElementsAre("notes.txt", kRunFile));
}

TEST_F(LineFileTest, AnewLeavesWhatNoRunWrote) {
  fs::create_directories(folder());
  for (const char* name : {kResultsFile, kSummaryFile}) {
    write(folder() / name, "mine");
    EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { open(Start::kAnew); }),
                HasSubstr(std::string(name) + ": found it without run.json"));
    EXPECT_EQ(read_file(folder() / name), "mine");
    fs::remove(folder() / name);
  }
  for (const std::string run : {"mine", "{}", "[]", R"({"task": "classify"})"}) {
    write(folder() / kRunFile, run);
    write(folder() / kSummaryFile, "mine");
    EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { open(Start::kAnew); }),
                HasSubstr("run.json: found a file of others"));
    EXPECT_EQ(read_file(folder() / kRunFile), run);
    EXPECT_EQ(read_file(folder() / kSummaryFile), "mine");
  }
}

TEST_F(LineFileTest, ALinkIsNotFollowedButTheFolderMayBeOne) {
  const fs::path theirs = folder().parent_path() / "theirs";
  fs::create_directories(folder().parent_path());
  write(theirs, "1 one\n");
  { LineFile file = open(); }
  fs::create_symlink(theirs, lines());
  {
    LineFile file = open();
    EXPECT_THAT(expect_error(ErrorKind::kFailed, [&] { file.open_after(0); }),
                HasSubstr(lines().string() + ": cannot be written"));
  }
  EXPECT_EQ(read_file(theirs), "1 one\n");
  fs::remove(lines());
  ASSERT_EQ(mkfifo(lines().c_str(), 0600), 0);  // nobody reads it
  {
    LineFile file = open();
    expect_error(ErrorKind::kFailed, [&] { file.open_after(0); });
  }

  fs::remove_all(folder());
  fs::create_directories(folder().parent_path() / "real");
  fs::create_directory_symlink("real", folder());
  make({"1 one"});
  EXPECT_EQ(read_file(folder().parent_path() / "real" / kResultsFile), "1 one\n");
}

TEST_F(LineFileTest, LinesThatMayNotBeOnTheDiskAreAnError) {
  for (const int call : {SYS_fdatasync, SYS_fsync}) {  // of the file, of its folder
    EXPECT_EQ(in_child([&] {
                LineFile file = open();
                if (!fail_system_call(call, EIO)) _exit(2);
                file.open_after(0);
              }),
              1);
  }
  EXPECT_EQ(in_child([&] {
              LineFile file = open();
              file.open_after(0);
              file.append("1 one");
              if (!fail_system_call(SYS_fdatasync, EIO)) _exit(2);
              file.sync();
            }),
            1);
}

TEST_F(LineFileTest, OneAtATime) {
  {
    const LineFile file = open();
    for (const Start start : {Start::kGoOn, Start::kAnew})
      EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { open(start); }),
                  HasSubstr("process " + std::to_string(getpid())));
  }
  EXPECT_NO_THROW(open());
}

TEST_F(LineFileTest, AFolderThatCanNotBeIsNamed) {
  fs::create_directories(folder().parent_path());
  write(folder(), "a file");
  EXPECT_THAT(error_of([&] { open(); }), HasSubstr(folder().string()));
}

}  // namespace
}  // namespace textcrs
