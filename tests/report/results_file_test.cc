#include "textcrs/report/results_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "text/temporary_folder.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<Setting> kSettings = {{"model", std::string("abc")},
                                        {"samples", uint64_t{3000}},
                                        {"alpha", 0.001},
                                        {"stop_at_radius", std::monostate()}};

Record record_of(uint32_t id, const std::string& made_by = "0.2.0") {
  Record record;
  record.id = id;
  record.prediction = "pos";
  record.certification.counts = {1, 2};
  record.version = made_by;
  return record;
}

class ResultsFileTest : public testing::Test {
 protected:
  fs::path folder() const { return work_.path() / "out"; }
  std::string content() const { return read_file(folder() / "results.jsonl"); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  // Two records of version 0.2.0.
  void make() const {
    ResultsFile results(folder(), kSettings, "0.2.0");
    for (const uint32_t id : {4, 2}) results.append(record_of(id));
  }

 private:
  TemporaryFolder work_;
};

TEST_F(ResultsFileTest, GoesOnWithWhatIsThere) {
  make();
  EXPECT_EQ(content(), to_json(record_of(4)) + "\n" + to_json(record_of(2)) + "\n");
  {
    ResultsFile results(folder(), kSettings, "0.2.0");
    ASSERT_EQ(results.records().size(), 2u);
    EXPECT_EQ(results.records()[0].id, 4u);
    EXPECT_TRUE(results.has(2));
    EXPECT_FALSE(results.has(3));
    results.append(record_of(3));
    EXPECT_TRUE(results.has(3));
  }
  EXPECT_EQ(ResultsFile(folder(), kSettings, "0.2.0").records().size(), 3u);
}

TEST_F(ResultsFileTest, ALineIsThereAsSoonAsItIsAppended) {
  ResultsFile results(folder(), kSettings, "0.2.0");
  EXPECT_EQ(content(), "");
  results.append(record_of(1));
  EXPECT_EQ(content(), to_json(record_of(1)) + "\n");
}

TEST_F(ResultsFileTest, ATornLastLineIsCutOff) {
  make();
  const std::string whole = content();
  for (const size_t lost : {size_t{1}, size_t{20}}) {
    write("results.jsonl", whole.substr(0, whole.size() - lost));
    ResultsFile results(folder(), kSettings, "0.2.0");
    EXPECT_EQ(results.records().size(), 1u);
    EXPECT_FALSE(results.has(2));
    results.append(record_of(2));
    EXPECT_EQ(content(), whole);
  }
}

TEST_F(ResultsFileTest, ADamagedLineIsNamedAndLeftAlone) {
  make();
  std::string damaged = content();
  damaged[damaged.find('\n') + 1] = '#';
  write("results.jsonl", damaged);
  EXPECT_THAT(error_of([&] { ResultsFile(folder(), kSettings, "0.2.0"); }),
              HasSubstr((folder() / "results.jsonl").string() + ":2: "));
  EXPECT_EQ(content(), damaged);
}

TEST_F(ResultsFileTest, AnotherSettingIsAnotherRun) {
  make();
  const auto expect_other = [&](std::vector<Setting> settings, const std::string& name,
                                const std::string& before, const std::string& now) {
    try {
      ResultsFile(folder(), settings, "0.2.0");
      ADD_FAILURE() << name << " is not noticed";
    } catch (const OtherRun& other) {
      EXPECT_EQ(other.kind(), ErrorKind::kUsage);
      EXPECT_EQ(other.file(), folder() / "run.json");
      EXPECT_EQ(other.setting(), name);
      EXPECT_EQ(other.before(), before);
      EXPECT_EQ(other.now(), now);
      EXPECT_THAT(other.what(), AllOf(HasSubstr(other.file().string()),
                                      HasSubstr("(" + name + " was " + before + ", now " + now)));
    }
  };
  const auto with = [](size_t place, decltype(Setting::value) value) {
    std::vector<Setting> settings = kSettings;
    settings[place].value = std::move(value);
    return settings;
  };
  expect_other(with(0, std::string("abd")), "model", "\"abc\"", "\"abd\"");
  expect_other(with(1, uint64_t{3001}), "samples", "3000", "3001");
  expect_other(with(2, 0.0010000000000000002), "alpha", "0.001", "0.0010000000000000002");
  expect_other(with(3, 2.5), "stop_at_radius", "null", "2.5");
  std::vector<Setting> more = kSettings;
  more.push_back({"batch_size", uint64_t{64}});
  expect_other(more, "batch_size", "missing", "64");
  expect_other({kSettings.begin(), kSettings.end() - 1}, "stop_at_radius", "null", "missing");
  EXPECT_EQ(content(), to_json(record_of(4)) + "\n" + to_json(record_of(2)) + "\n");
}

TEST_F(ResultsFileTest, AnotherVersionsResultsAreNotAddedTo) {
  make();
  try {
    ResultsFile(folder(), kSettings, "0.3.0");
    ADD_FAILURE() << "not noticed";
  } catch (const OtherVersion& other) {
    EXPECT_EQ(other.kind(), ErrorKind::kUsage);
    EXPECT_EQ(other.problem(), (folder() / "run.json").string() +
                                   ": holds results of version 0.2.0, and this is version 0.3.0");
    EXPECT_EQ(
        other.what(),
        other.problem() + "; finish them with that version, choose another folder, or start anew");
  }
  // Also if only a record was made by it, and whatever else differs.
  write("results.jsonl", to_json(record_of(1)) + "\n" + to_json(record_of(5, "0.1.9")) + "\n");
  EXPECT_THROW(ResultsFile(folder(), kSettings, "0.2.0"), OtherVersion);
  EXPECT_THROW(ResultsFile(folder(), {}, "0.3.0"), OtherVersion);
}

TEST_F(ResultsFileTest, ResultsFromBeforeVersionsWereKeptAreOlder) {
  fs::create_directories(folder());
  write("run.json", "{\"model\": \"old\"}");
  write("results.jsonl", to_json(record_of(1, "")) + "\n");
  EXPECT_THAT(error_of([&] { ResultsFile(folder(), kSettings, "0.2.0"); }),
              HasSubstr("a version before 0.2.0"));
}

TEST_F(ResultsFileTest, ResultsWithoutTheirRunAreNobodys) {
  make();
  fs::remove(folder() / "run.json");
  EXPECT_THAT(error_of([&] { ResultsFile(folder(), kSettings, "0.2.0"); }), HasSubstr("run.json"));
  write("run.json", "{\"model\": ");
  EXPECT_THAT(error_of([&] { ResultsFile(folder(), kSettings, "0.2.0"); }), HasSubstr("run.json"));
}

TEST_F(ResultsFileTest, StartingAnewLeavesOtherFilesAlone) {
  make();
  write("summary.json", "{}");
  write("notes.txt", "mine");
  EXPECT_TRUE(ResultsFile(folder(), {}, "0.3.0", ResultsFile::Start::kAnew).records().empty());
  EXPECT_EQ(content(), "");
  EXPECT_EQ(read_file(folder() / "notes.txt"), "mine");
  EXPECT_EQ(read_file(folder() / "run.json"), "{\n  \"version\": \"0.3.0\"\n}\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 3);
  const fs::path nowhere = folder() / "nowhere";
  EXPECT_TRUE(ResultsFile(nowhere, {}, "0.3.0", ResultsFile::Start::kAnew).records().empty());
}

TEST_F(ResultsFileTest, OneAtATime) {
  make();
  const std::string before = content();
  std::optional<ResultsFile> results;
  results.emplace(folder(), kSettings, "0.2.0");
  for (const auto start : {ResultsFile::Start::kGoOn, ResultsFile::Start::kAnew}) {
    try {
      ResultsFile(folder(), kSettings, "0.2.0", start);
      ADD_FAILURE() << "two at once";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_THAT(error.what(), AllOf(HasSubstr(folder().string()),
                                      HasSubstr("process " + std::to_string(getpid()))));
    }
    EXPECT_EQ(content(), before);
  }
  // Another run need not wait to hear that it is one.
  EXPECT_THROW(ResultsFile(folder(), {}, "0.2.0"), OtherRun);
  results.reset();
  EXPECT_NO_THROW(ResultsFile(folder(), kSettings, "0.2.0"));
  EXPECT_FALSE(fs::exists(folder() / "lock"));
}

TEST_F(ResultsFileTest, ASecondResultOfATextIsNamedAndLeftAlone) {
  make();
  const std::string twice = content() + to_json(record_of(4)) + "\n";
  write("results.jsonl", twice);
  try {
    ResultsFile(folder(), kSettings, "0.2.0");
    ADD_FAILURE() << "not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), AllOf(HasSubstr((folder() / "results.jsonl").string() + ":3: "),
                                    HasSubstr("the text 4")));
  }
  EXPECT_EQ(content(), twice);
}

}  // namespace
}  // namespace textcrs
