#include "textcrs/report/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/report/results_file.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Record record(uint32_t id) {
  Record made;
  made.id = id;
  made.label = made.prediction = "pos";
  made.certification.counts = {0, 1};
  made.version = std::string(version());
  return made;
}

class Folder : public testing::Test {
 protected:
  fs::path run(const std::vector<Setting>& settings, const std::vector<uint32_t>& ids) const {
    ResultsFile results(work_.path() / "run", settings);
    for (const uint32_t id : ids) results.append(record(id));
    return work_.path() / "run";
  }
  std::string refused(const fs::path& folder) const {
    try {
      read_run(folder);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return error.what();
    }
    return "";
  }
  TemporaryFolder work_;
};

TEST_F(Folder, HasTheSettingsAndTheRecords) {
  const fs::path folder = run({{"noise", std::string("mask:p=0.9")},
                               {"samples", uint64_t{100000}},
                               {"alpha", 0.001},
                               {"stop_at_radius", std::monostate()},
                               {"data", std::string("my texts.csv 0123456789abcdef")}},
                              {4, 9});
  RunFolder read = read_run(folder);
  EXPECT_EQ(read.folder, folder);
  EXPECT_EQ(read.version, version());
  EXPECT_EQ(read.setting("noise"), "mask:p=0.9");
  EXPECT_EQ(read.setting("samples"), "100000");
  EXPECT_EQ(read.number("samples"), 100000);
  EXPECT_EQ(read.number("alpha"), 0.001);
  EXPECT_EQ(read.number("noise"), std::nullopt);
  EXPECT_EQ(read.setting("stop_at_radius"), "");
  EXPECT_EQ(read.setting("no such"), "");
  EXPECT_EQ(read.data_name(), "my texts.csv");
  EXPECT_EQ(read.data_hash(), "0123456789abcdef");
  ASSERT_EQ(read.records.size(), 2u);
  EXPECT_EQ(read.records[1].id, 9u);
  EXPECT_FALSE(read.complete);
  write_file_atomically(folder / "summary.json", "{}");
  EXPECT_TRUE(read_run(folder).complete);
}

TEST_F(Folder, LeavesALineWithoutItsEndAlone) {
  const fs::path file = run({}, {1, 2}) / "results.jsonl";
  const std::string cut = read_file(file) + R"({"id":3,"lab)";
  write_file_atomically(file, cut);
  EXPECT_EQ(read_run(file.parent_path()).records.size(), 2u);
  EXPECT_EQ(read_file(file), cut);
}

TEST_F(Folder, RefusesWhatIsNoRun) {
  EXPECT_THAT(refused(work_.path() / "none"), HasSubstr("there is no such folder"));
  fs::create_directory(work_.path() / "other");
  EXPECT_THAT(refused(work_.path() / "other"), HasSubstr("found no run.json"));
  const fs::path folder = run({}, {});
  EXPECT_THAT(refused(folder), HasSubstr("no results yet"));
  fs::remove(folder / "results.jsonl");
  EXPECT_THAT(refused(folder), HasSubstr("no results yet"));
  write_file_atomically(folder / "results.jsonl", to_json(record(1)) + "\n{\"id\":2}\n");
  EXPECT_THAT(refused(folder), HasSubstr("results.jsonl:2: not the record of a text"));
  write_file_atomically(folder / "results.jsonl",
                        to_json(record(1)) + "\n" + to_json(record(1)) + "\n");
  EXPECT_THAT(refused(folder), HasSubstr("results.jsonl:2: found a second result of the text 1"));
  const std::string deep(100000, '[');
  write_file_atomically(folder / "results.jsonl",
                        to_json(record(1)) + "\n{\"id\":2,\"label\":" + deep + "}\n");
  EXPECT_THAT(refused(folder), HasSubstr("results.jsonl:2: not the record of a text (byte 80: "
                                         "found more than 64"));
  for (const std::string key : {"prediction", "words", "counts", "seconds", "abstained"}) {
    std::string line = to_json(record(2));
    line.replace(line.find("\"" + key + "\""), key.size() + 2, "\"foreign\"");
    write_file_atomically(folder / "results.jsonl", to_json(record(1)) + "\n" + line + "\n");
    EXPECT_THAT(refused(folder),
                HasSubstr("results.jsonl:2: not the record of a text ('" + key + "' is missing)"));
  }
  for (const std::string& value : {deep, deep + std::string(100000, ']')}) {
    write_file_atomically(folder / "run.json", "{\"alpha\":" + value + "}");
    EXPECT_THAT(refused(folder), HasSubstr("run.json: byte 73: found more than 64"));
  }
  write_file_atomically(folder / "run.json", R"({"alpha":1e999})");
  EXPECT_THAT(refused(folder), HasSubstr("run.json: byte 14: found a number that is too large"));
  write_file_atomically(folder / "run.json", R"({"alpha":0.1,"alpha":0.2})");
  EXPECT_THAT(refused(folder), HasSubstr("run.json: \"alpha\": appears twice"));
  write_file_atomically(folder / "run.json", "{\"alpha\":");
  EXPECT_THAT(refused(folder), HasSubstr("run.json: byte 9: not JSON"));
  write_file_atomically(folder / "run.json", "[]");
  EXPECT_THAT(refused(folder), HasSubstr("run.json: expected a JSON object"));
  write_file_atomically(folder / "run.json", R"({"alpha":[1]})");
  EXPECT_THAT(refused(folder), HasSubstr("run.json: alpha: found array, expected a number"));
}

}  // namespace
}  // namespace textcrs
