// Suites and manifests of some kilobytes that would take the stack, gigabytes or the wrong folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "text/peak_memory.h"
#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/plan.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string repeated(const std::string& part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string named(const std::string& kind, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += "[[" + kind + "]]\nname=\"" + std::to_string(i) + "\"\n";
  return text;
}

class HostileSuite : public testing::Test {
 protected:
  fs::path write(const std::string& content, const char* name = "hostile.toml") const {
    fs::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  // What the refusal says.
  std::string refusal(const std::string& content) const {
    const fs::path path = write(content);
    try {
      plan_suite(read_suite(path), {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
      return error.what();
    }
    ADD_FAILURE() << "not refused: " << content.substr(0, 60);
    return "";
  }

  std::string refused_manifest(const std::string& content) const {
    const fs::path path = write(content, kManifestFile);
    try {
      read_manifest(folder_.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
      return error.what();
    }
    ADD_FAILURE() << "not refused: " << content.substr(0, 60);
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(HostileSuite, TakesBoundedMemoryAndStack) {
  const std::string dots = repeated(".a", 10'000);
  for (const std::string& content :
       {"[a" + dots + "]\n", "a" + dots + " = 1\n", "a = {b" + dots + " = 1}\n",
        // The quotation marks of a text that ended on this line hide nothing.
        "a = [\"\"\"\n\"\"\", {b" + dots + " = 1}]\n", "a = " + repeated("[", 60'000),
        "a = " + repeated("{a = ", 12'000), repeated("[a" + repeated(".a", 32) + "]\n", 960),
        "a = [" + repeated("0,", 32'000) + "]\n",
        "a = " + repeated("[{b" + repeated(".b", 32) + " = \n", 8),
        named("data", 800) + named("model", 800) + named("method", 800)}) {
    const fs::path path = write(content);
    expect_bounded_memory(path, content.substr(0, 40), [&] { plan_suite(read_suite(path), {}); });
    refusal(content);
  }
}

TEST_F(HostileSuite, LinesAreBounded) {
  EXPECT_THAT(refusal("title = \"x\"\na" + repeated(".a", 33) + " = 1\n"),
              HasSubstr("hostile.toml:2: found 33 dots in a line, expected at most 32"));
  EXPECT_THAT(refusal(std::string(70'000, '\n')), HasSubstr("found 70000 bytes"));
}

TEST_F(HostileSuite, PlansAreBounded) {
  EXPECT_THAT(refusal(named("data", 30) + named("model", 30) + named("method", 30)),
              HasSubstr("found more than 10000 steps"));
  const std::string flags = repeated("a", 50'000);
  EXPECT_THAT(refusal(named("data", 10) + named("model", 10) + named("method", 10) +
                      "[defaults]\ncertify = { x = \"" + flags + "\" }\n"),
              HasSubstr("MiB of commands"));
}

TEST_F(HostileSuite, ManifestsAreRead) {
  const std::string head = R"({"suite":"s","title":"","version":"","machine":"","steps":)";
  const std::string step =
      R"({"name":"n","kind":"train","folder":"models/n","tags":{},"command":[],"needs":[],)"
      R"("identity":"0","state":)";
  write(head + "[" + step + "\"done\",\"seconds\":2}]}", kManifestFile);
  const SuiteManifest manifest = read_manifest(folder_.path());
  ASSERT_EQ(manifest.steps.size(), 1u);
  EXPECT_EQ(manifest.steps[0].state, StepState::kDone);
  EXPECT_EQ(manifest.steps[0].seconds, 2);

  EXPECT_THAT(refused_manifest(head + "[" + step + "\"over\"}]}"), HasSubstr("found \"over\""));
  EXPECT_THAT(refused_manifest(head + "[" + step + "\"done\",\"seconds\":1e999}]}"),
              HasSubstr("too large"));
  EXPECT_THAT(refused_manifest(head + "[" + step + "\"done\",\"seconds\":-1}]}"),
              HasSubstr("found -1"));
  EXPECT_THAT(refused_manifest(head + "[" + step + "3}]}"), HasSubstr("steps[0].state: found 3"));
  EXPECT_THAT(refused_manifest(head + repeated("[", 100'000)), HasSubstr("within each other"));
  EXPECT_THAT(refused_manifest("[]"), HasSubstr("expected an object"));
  for (const size_t bytes : {3'000'000, 12'000'000}) {
    const fs::path path = write(head + "[" + repeated("[],", bytes / 3) + "[]]}", kManifestFile);
    expect_bounded_memory(path, "empty steps", [&] { read_manifest(folder_.path()); });
  }
}

}  // namespace
}  // namespace textcrs
