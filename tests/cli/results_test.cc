// What a certification run leaves on disk, whatever happens to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr int kTexts = 40, kSamples = 3000;

// A finished run of kTexts texts, made once.
const std::vector<json>& finished() {
  static const std::vector<json> all = [] {
    const Result result = run(certify_run("finished", kTexts, kSamples));
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return records("finished");
  }();
  return all;
}

TEST(Results, AreTheSameAfterBeingKilledAgainAndAgain) {
  const auto& expected = finished();
  ASSERT_EQ(expected.size(), static_cast<size_t>(kTexts));
  size_t lines = 0;
  for (int times = 0; times < 3; ++times) {
    Process process(certify_run("killed", kTexts, kSamples));
    ASSERT_TRUE(runs_until(process, [&] { return records("killed").size() > lines; }))
        << process.wait().err;
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGKILL);
    lines = records("killed").size();
    ASSERT_LT(lines, static_cast<size_t>(kTexts));
  }
  const Result last = run(certify_run("killed", kTexts, kSamples));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_THAT(last.err, HasSubstr("going on"));
  const auto all = records("killed");
  std::set<int> ids;
  for (const json& record : all) ids.insert(record.value("id", -1));
  EXPECT_EQ(ids.size(), all.size());
  EXPECT_EQ(all, expected);
}

TEST(Results, AreKeptWhenTheRunIsInterrupted) {
  const auto& expected = finished();
  Process process(certify_run("interrupted", kTexts, kSamples));
  ASSERT_TRUE(runs_until(process, [] { return !records("interrupted").empty(); }));
  process.signal(SIGINT);
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
  const auto so_far = records("interrupted");
  ASSERT_LT(so_far.size(), expected.size());
  EXPECT_TRUE(std::equal(so_far.begin(), so_far.end(), expected.begin()));
  EXPECT_FALSE(fs::exists(workspace().path("interrupted/summary.json")));
  ASSERT_EQ(run(certify_run("interrupted", kTexts, kSamples)).exit_code, 0);
  EXPECT_EQ(records("interrupted"), expected);
}

TEST(Results, ATornLastLineIsDoneAgain) {
  const auto& expected = finished();
  fs::copy(workspace().path("finished"), workspace().path("torn"));
  const std::string whole = read(results_path("torn"));
  fs::resize_file(results_path("torn"), whole.size() - 30);  // inside the last line
  ASSERT_EQ(run(certify_run("torn", kTexts, kSamples)).exit_code, 0);
  EXPECT_EQ(records("torn"), expected);
}

TEST(Results, ADamagedLineIsRefusedByItsNumber) {
  finished();
  fs::copy(workspace().path("finished"), workspace().path("damaged"));
  std::string content = read(results_path("damaged"));
  content[content.find('\n') + 1] = '#';
  std::ofstream(results_path("damaged")) << content;
  const Result result = run(certify_run("damaged", kTexts, kSamples));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(results_path("damaged") + ":2"));
  EXPECT_EQ(read(results_path("damaged")), content);
}

TEST(Results, BelongToOneRunAndNameTheFlagThatDiffers) {
  finished();
  const std::string before = read(results_path("finished"));
  const Arguments command = certify_run("finished", kTexts, kSamples);
  fs::create_directories(workspace().path("other"));
  const std::string same_name = workspace().write("other/texts.csv", "text,label\ngood film,pos\n");
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"--samples", "3001"}, {"--selection-samples", "51"},  {"--alpha", "0.01"},
      {"--seed", "2"},       {"--noise", "universal:p=0.4"}, {"--limit", "41"},
      {"--data", same_name}};
  std::vector<Arguments> commands;
  for (const auto& [flag, value] : changes) {
    commands.push_back(command);
    auto& changed = commands.back();
    if (const auto place = std::find(changed.begin(), changed.end(), flag); place != changed.end())
      *(place + 1) = value;
    else
      changed.insert(changed.end(), {flag, value});
  }
  const auto results = run_all(commands);
  for (size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 2) << changes[i].first;
    EXPECT_THAT(results[i].err, HasSubstr("(" + changes[i].first + " was "));
    EXPECT_THAT(results[i].err, HasSubstr(workspace().path("finished")));
  }
  EXPECT_EQ(read(results_path("finished")), before);
}

double radius_of(const json& record, const std::string& mode, const std::string& operation) {
  if (!record["correct"].get<bool>() || !record.contains(mode)) return -1;
  const json& radius = record[mode][operation];
  return radius == "unlimited" ? std::numeric_limits<double>::infinity() : radius.get<double>();
}

TEST(Results, TheSummaryCountsThem) {
  const auto& all = finished();
  const json summary = json_of(read(workspace().path("finished/summary.json")));
  int right = 0, answered_right = 0, abstained = 0;
  uint64_t samples = 0;
  std::map<std::string, std::set<std::string>> operations;
  for (const json& record : all) {
    right += record["prediction"] == record["label"];
    answered_right += record["correct"].get<bool>();
    abstained += record["abstained"].get<bool>();
    samples += record["samples"].get<uint64_t>();
    for (const char* mode : {"sound", "paper"})
      if (record.contains(mode))
        for (const auto& [operation, radius] : record[mode].items())
          if (operation != "certified" && operation != "proved" && operation != "frontier")
            operations[mode].insert(operation);
    EXPECT_FALSE(record.contains("sound") && record["sound"].contains("proved"));
    EXPECT_TRUE(!record.contains("paper") || record["paper"]["proved"] == false);
  }
  EXPECT_EQ(summary["texts"], kTexts);
  EXPECT_EQ(summary["labelled"], kTexts);
  EXPECT_EQ(summary["abstained"], abstained);
  EXPECT_EQ(summary["samples"], samples);
  EXPECT_EQ(summary["accuracy"], right / double{kTexts});
  EXPECT_EQ(summary["answered_accuracy"], answered_right / double{kTexts});
  EXPECT_EQ(operations["sound"],
            (std::set<std::string>{"deletion", "edit", "insertion", "reordering", "substitution"}));
  EXPECT_EQ(operations["paper"], (std::set<std::string>{"deletion", "reordering"}));
  EXPECT_EQ(summary["paper"]["proved"], false);
  int points_checked = 0;
  for (const auto& [mode, names] : operations) {
    EXPECT_EQ(summary[mode].size(), names.size() + (mode == "paper" ? 1 : 0));
    for (const std::string& operation : names) {
      const json& curve = summary[mode][operation];
      ASSERT_FALSE(curve.empty());
      EXPECT_EQ(curve[0]["radius"], 0);
      for (const json& point : curve) {
        const double radius = point["radius"] == "unlimited"
                                  ? std::numeric_limits<double>::infinity()
                                  : point["radius"].get<double>();
        const auto certified =
            std::count_if(all.begin(), all.end(), [&, m = mode](const json& record) {
              return radius_of(record, m, operation) >= radius;
            });
        EXPECT_EQ(point["certified_accuracy"], static_cast<double>(certified) / kTexts)
            << mode << " " << operation << " " << radius;
        ++points_checked;
      }
    }
  }
  EXPECT_GT(points_checked, 10);
}

}  // namespace
}  // namespace textcrs::cli_test
