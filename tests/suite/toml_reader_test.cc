// What the parser of TOML is kept from: files that are large, and so deep that to destroy what was
// read would take the whole stack.
#include "suite/toml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite_parts.h"

namespace textcrs {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

std::string repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string problem_of(const std::string& content) {
  const TemporaryFolder folder;
  const auto file = write_text(folder.path() / "x.toml", content);
  return error_of([&] { parse_toml(file); });
}

TEST(TomlReader, BoundsTheSize) {
  EXPECT_EQ(problem_of("# " + std::string((64 << 10) - 2, 'x')), "");
  EXPECT_THAT(problem_of("# " + std::string((64 << 10) - 1, 'x')),
              HasSubstr("x.toml: found 65537 bytes, expected at most 65536"));
}

TEST(TomlReader, BoundsTheDepth) {
  const std::string deep = "a" + repeated(".a", 10'000);
  EXPECT_THAT(problem_of("\n[" + deep + "]\n"),
              HasSubstr("x.toml:2: found 10000 dots in a line, expected at most 32"));
  EXPECT_THAT(problem_of(deep + " = 1\n"), HasSubstr("x.toml:1: found 10000 dots"));
  EXPECT_THAT(problem_of("a = { " + deep + " = 1 }\n"), HasSubstr("x.toml:1: found 10000 dots"));
  // Behind what looks like an open quotation.
  EXPECT_THAT(problem_of("\"\\\"\"." + deep + " = 1\n"), HasSubstr("x.toml:1: found 10001 dots"));
  EXPECT_THAT(problem_of("x = { y = \"\"\"\n' \"\"\", " + deep + " = 1 }\n"),
              HasSubstr("x.toml:2: found 10000 dots"));
  EXPECT_THAT(problem_of("a = " + repeated("[", 30'000)), HasSubstr("x.toml:1: "));
  EXPECT_THAT(problem_of("a = " + repeated("{a=", 20'000)), HasSubstr("x.toml:1: "));
}

// As deep as it may be: each of the nested lists adds as many tables as a line may have dots.
TEST(TomlReader, SurvivesTheDeepest) {
  const std::string key = "a" + repeated(".a", 32);
  std::string nested, closed;
  for (int i = 0; i < 3; ++i) {
    nested += "{ " + key + " = [\n";
    closed += "] }\n";
  }
  const std::string header = "[" + key + "]\n";
  EXPECT_EQ(problem_of(header + key + " = [\n" + nested + "1" + closed + "]\n"), "");
  const std::string once_more = nested + nested + "1" + closed + closed;
  EXPECT_THAT(problem_of("a = [\n" + once_more + "]\n"), HasSubstr("x.toml:"));
}

TEST(TomlReader, DuplicatesAreErrors) {
  for (const char* text : {"a = 1\na = 2\n", "[t]\n[t]\n", "[[t]]\n[t]\n", "a.b = 1\na = 2\n"})
    EXPECT_THAT(problem_of(text), AnyOf(HasSubstr("x.toml:2: "), HasSubstr("x.toml:1: "))) << text;
}

}  // namespace
}  // namespace textcrs
