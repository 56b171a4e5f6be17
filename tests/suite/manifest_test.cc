#include "textcrs/suite/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "suite_parts.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

SuiteStep full_step() {
  SuiteStep step;
  step.name = "d.m.a.train";
  step.kind = "train";
  step.folder = "models/d.m.a";
  step.tags = {{"data", "d"}, {"data-title", "Ein „Satz“ <b>"}};
  step.command = {"textcrs", "train", "--data", "a b.csv", ""};
  step.needs = {"x", "y"};
  step.identity = "0123456789abcdef";
  step.state = StepState::kFailed;
  step.seconds = 1.25;
  step.machine = "a machine";
  step.version = "0.2.0";
  step.problem = "exit code 3: \"no\"\n";
  step.replaces = "fedcba9876543210";
  return step;
}

void expect_equal(const SuiteStep& a, const SuiteStep& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.folder, b.folder);
  EXPECT_EQ(a.tags, b.tags);
  EXPECT_EQ(a.command, b.command);
  EXPECT_EQ(a.needs, b.needs);
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.problem, b.problem);
  EXPECT_EQ(a.replaces, b.replaces);
}

TEST(Manifest, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  SuiteManifest manifest;
  manifest.suite = "s";
  manifest.title = "T";
  manifest.version = "0.2.0";
  manifest.machine = "m";
  manifest.steps = {full_step(), {}};
  for (const StepState state :
       {StepState::kPlanned, StepState::kStarted, StepState::kDone, StepState::kFailed}) {
    manifest.past.push_back(full_step());
    manifest.past.back().state = state;
  }
  write_manifest(folder.path(), manifest);
  const SuiteManifest read = read_manifest(folder.path());
  EXPECT_EQ(read.suite, "s");
  EXPECT_EQ(read.title, "T");
  EXPECT_EQ(read.version, "0.2.0");
  EXPECT_EQ(read.machine, "m");
  ASSERT_EQ(read.steps.size(), 2u);
  ASSERT_EQ(read.past.size(), 4u);
  for (size_t i = 0; i < 2; ++i) expect_equal(read.steps[i], manifest.steps[i]);
  for (size_t i = 0; i < 4; ++i) expect_equal(read.past[i], manifest.past[i]);
  EXPECT_EQ(read.find("d.m.a.train")->folder, "models/d.m.a");
  EXPECT_EQ(read.find("none"), nullptr);
  // What is not known is not there.
  const json step = json::parse(read_file(folder.path() / "suite.json"))["steps"][1];
  for (const char* key : {"seconds", "machine", "version", "problem", "replaces"})
    EXPECT_FALSE(step.contains(key)) << key;
  EXPECT_EQ(step["state"], "planned");
}

TEST(Manifest, WritesNamesThatAreNoUtf8) {
  const TemporaryFolder folder;
  SuiteManifest manifest;
  manifest.steps = {full_step()};
  manifest.steps[0].command = {"textcrs", "--data", "\xff.csv"};
  write_manifest(folder.path(), manifest);
  EXPECT_EQ(read_manifest(folder.path()).steps[0].command[2], "\xEF\xBF\xBD.csv");
}

class HostileManifestTest : public testing::Test {
 protected:
  json whole() const {
    SuiteManifest manifest;
    manifest.steps = {full_step()};
    manifest.past = {full_step()};
    write_manifest(work_.path(), manifest);
    return json::parse(read_file(work_.path() / "suite.json"));
  }

  // It must be an error that names the file.
  void expect_refused(const std::string& content) const {
    write_text(work_.path() / "suite.json", content);
    try {
      read_manifest(work_.path());
      ADD_FAILURE() << content.substr(0, 200);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_THAT(error.what(), HasSubstr("suite.json: ")) << content.substr(0, 200);
    }
  }

  TemporaryFolder work_;
};

TEST_F(HostileManifestTest, AnyValueOfAnotherTypeIsRefused) {
  const json good = whole();
  const std::vector<json> values = {
      nullptr, 1, -1.5, true, "text", json::array({1}), json::object({{"a", 1}})};
  const auto same = [](const json& a, const json& b) {
    return a.type() == b.type() || (a.is_number() && b.is_number());
  };
  for (const auto& [key, value] : good.items()) {
    json less = good;
    less.erase(key);
    if (key != "past") expect_refused(less.dump());
    for (const json& other : values) {
      if (same(other, value) && !other.is_array()) continue;
      json bad = good;
      bad[key] = other;
      expect_refused(bad.dump());
    }
  }
  for (const char* list : {"steps", "past"})
    for (const auto& [key, value] : good[list][0].items()) {
      const bool optional =
          std::set<std::string>{"seconds", "machine", "version", "problem", "replaces"}.contains(
              key);
      json less = good;
      less[list][0].erase(key);
      if (!optional) expect_refused(less.dump());
      for (const json& other : values) {
        if (same(other, value) && !other.is_array() && !other.is_object() && key != "state")
          continue;
        json bad = good;
        bad[list][0][key] = other;
        expect_refused(bad.dump());
      }
    }
}

TEST_F(HostileManifestTest, WhatIsNoManifestIsRefused) {
  const std::string deep(1'000'000, '[');
  for (const std::string& content :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"), deep,
        deep + std::string(1'000'000, ']'), "{\"steps\": " + deep, std::string("\xff\xfe"),
        std::string("{\"suite\": \"\\ud800\"}"), std::string("{\"suite\": 1e999}"),
        std::string(1000, '\0')})
    expect_refused(content);
}

TEST_F(HostileManifestTest, AFolderWithoutOneIsSaidToBeNone) {
  EXPECT_THAT(error_of([&] { read_manifest(work_.path() / "none"); }),
              HasSubstr("none: found no suite.json, expected the folder of a suite"));
  fs::create_directories(work_.path() / "suite.json");
  EXPECT_THAT(error_of([&] { read_manifest(work_.path()); }), HasSubstr("found no suite.json"));
}

// What a shell makes of the words.
TEST(InShellWords, AShellReadsTheSameWords) {
  const std::vector<std::string> words = {"textcrs",   "plain-1.5_x/y:z=a,b+c@d%e",
                                          "",          "two words",
                                          "it's",      "''",
                                          "\"$HOME\"", "$(echo no)",
                                          "`no`",      "a\nb",
                                          "\\",        "~",
                                          "*",         "#",
                                          "!",         "a;b",
                                          "a&b|c<d>",  "grün",
                                          "\xff",      "-n",
                                          "{a,b}",     "\t"};
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "words";
  const std::string script =
      "printf '%s\\0' " + in_shell_words(words) + " > " + in_shell_words({file.string()});
  write_text(folder.path() / "script", script);
  ASSERT_EQ(std::system(("/bin/sh " + (folder.path() / "script").string()).c_str()), 0);
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  EXPECT_EQ(read_file(file), expected);
  EXPECT_EQ(in_shell_words({"textcrs", "train", "--noise", "delete:p=0.3"}),
            "textcrs train --noise delete:p=0.3");
}

}  // namespace
}  // namespace textcrs
