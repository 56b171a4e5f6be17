#include "blackbox/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"
#include "textcrs/blackbox/black_box.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const ClassNames kClasses = {"ham", "spam", "1", "not spam", "true", "{\"x\"}", " "};

int said(const std::string& line) { return class_of_line(line, 7, kClasses); }
std::string refused(const std::string& line) {
  const std::string message = error_of([&] { said(line); });
  EXPECT_NE(message, "") << line;
  return message;
}

TEST(AnswerLines, ALabelIsAClassAsItIsSpelled) {
  EXPECT_EQ(said("ham"), 0);
  EXPECT_EQ(said("spam"), 1);
  EXPECT_EQ(said("1"), 2);
  EXPECT_EQ(said("not spam"), 3);
  EXPECT_EQ(said("true"), 4);
}

TEST(AnswerLines, BlanksAndTheEndOfALineOfWindowsAreNoneOfIt) {
  for (const char* line :
       {"spam\r", " spam", "spam \t\r", "\tspam", "\"spam\"\r", " [0,9,0,0,0,0,0]\r"})
    EXPECT_EQ(said(line), 1) << line;
}

TEST(AnswerLines, JsonIsRead) {
  EXPECT_EQ(said(R"("not spam")"), 3);
  EXPECT_EQ(said(R"("{\"x\"}")"), 5);
  EXPECT_EQ(said(R"(" ")"), 6);
  EXPECT_EQ(said(R"({"label": "spam"})"), 1);
  EXPECT_EQ(said(R"({"label": 1})"), 2);
  EXPECT_EQ(said(R"({"label": true})"), 4);
  EXPECT_EQ(said(R"({"id": 7, "label": "ham", "seconds": 0.1})"), 0);
  EXPECT_EQ(said(R"({"label": "ham", "scores": [0, 1, 0, 0, 0, 0, 0]})"), 0);
}

TEST(AnswerLines, TheHighestScoreIsTheClassOfEqualsTheFirst) {
  EXPECT_EQ(said("[0.1, 0.2, -1, 0, 0.7, 0, 0]"), 4);
  EXPECT_EQ(said("[-5, -5, -1e300, -7, -5.5, -6, -7]"), 0);
  EXPECT_EQ(said("[0, 3, 3, 3, 0, 0, 0]"), 1);
  EXPECT_EQ(said(R"({"scores": [0, 0, 2, 0, 0, 0, 0]})"), 2);
  const ClassNames two = {"ham", "spam"};
  EXPECT_EQ(class_of_line(R"({"scores": {"spam": 0.2, "ham": 0.1}})", 1, two), 1);
  EXPECT_EQ(class_of_line(R"({"scores": {"spam": 0.1, "ham": 0.1}})", 1, two), 0);
}

TEST(AnswerLines, ALabelThatIsNoClassIsRefusedWithTheClasses) {
  EXPECT_THAT(refused("Spam"),
              testing::AllOf(StartsWith("found the label \"Spam\", expected one of"),
                             HasSubstr("not spam")));
  for (const char* line :
       {"spam.", "0", "1.0", "hams", "spam ham", R"("Spam")", R"({"label":"x"})"})
    EXPECT_THAT(refused(line), StartsWith("found the label ")) << line;
  EXPECT_THAT(refused("Loading the model ..."), HasSubstr("Loading the model ..."));
}

TEST(AnswerLines, NoAnswerIsRefused) {
  for (const char* line : {"", " ", "\r", "\t \r"})
    EXPECT_THAT(refused(line), HasSubstr("empty line"));
  EXPECT_THAT(refused("{}"), HasSubstr("without 'label' and 'scores'"));
  EXPECT_THAT(refused(R"({"label": null})"), HasSubstr("expected a name"));
  EXPECT_THAT(refused(R"({"label": ["spam"]})"), HasSubstr("expected a name"));
  EXPECT_THAT(refused(R"({"scores": 3})"), HasSubstr("scores"));
}

TEST(AnswerLines, ScoresAreNumbersOneForEachClass) {
  EXPECT_THAT(refused("[]"), HasSubstr("found 0 scores, expected one of each of 7 classes"));
  EXPECT_THAT(refused("[0, 1]"), HasSubstr("found 2 scores"));
  EXPECT_THAT(refused("[0, 1, 2, 3, 4, 5, 6, 7]"), HasSubstr("found 8 scores"));
  for (const char* score : {"NaN", "nan", "Infinity", "-Infinity", "1e999", "null", "\"1\"", "[1]"})
    refused(std::string("[0, 0, 0, 0, 0, 0, ") + score + "]");
  const ClassNames two = {"ham", "spam"};
  const auto refused_by_two = [&](const char* line) {
    return error_of([&] { class_of_line(line, 1, two); });
  };
  EXPECT_THAT(refused_by_two(R"({"scores": {"ham": 1}})"), HasSubstr("no score of \"spam\""));
  EXPECT_THAT(refused_by_two(R"({"scores": {"ham": 1, "spam": 2, "eggs": 3}})"),
              HasSubstr("\"eggs\""));
  EXPECT_NE(refused_by_two(R"({"scores": {"ham": 1, "spam": 2, "ham": 3}})"), "");
}

TEST(AnswerLines, BytesThatAreNoTextAreRefused) {
  EXPECT_THAT(refused("sp\xff"), HasSubstr("0xff"));
  EXPECT_THAT(refused(std::string("spam\0", 5)), HasSubstr("NUL"));
  EXPECT_THAT(refused("\"sp\xc3"), HasSubstr("0xc3"));
  for (const char* line :
       {"{", "[0", "\"spam", R"({"label":"spam"} x)", R"({"label":"spam",})", "{'label':'spam'}"})
    refused(line);
  refused(std::string(100'000, '['));
}

TEST(AnswerLines, AnIdIsThatOfTheText) {
  EXPECT_EQ(said(R"({"id": 7, "label": "spam"})"), 1);
  for (const char* id : {"8", "6", "\"7\"", "null", "-7", "7.5"})
    EXPECT_THAT(refused(std::string(R"({"label": "spam", "id": )") + id + "}"),
                testing::AllOf(HasSubstr(std::string("the text ") + id), HasSubstr("to 7")));
}

// Whatever a line holds: a class, or an Error.
TEST(AnswerLines, AnyBytesAreAClassOrRefused) {
  const std::vector<std::string> parts = {
      "{",  "}",     "[",      "]",    "\"",      ":",       ",",
      "\\", "label", "scores", "id",   "spam",    "ham",     "0",
      "7",  "1e9",   "-",      "null", "true",    " ",       "\r",
      "\t", "\xc3",  "\xa9",   "\xff", "\\u00e9", "\\ud800", std::string(1, '\0')};
  int classes = 0, errors = 0;
  for (uint32_t i = 0; i < 50'000; ++i) {
    Stream stream(3, i, 0);
    std::string line;
    for (uint32_t left = stream.below(12); left > 0; --left)
      line += parts[stream.below(static_cast<uint32_t>(parts.size()))];
    try {
      const int one = said(line);
      EXPECT_TRUE(one >= 0 && one < static_cast<int>(kClasses.size())) << line;
      ++classes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << line;
      EXPECT_NE(std::string(error.what()), "");
      ++errors;
    }
  }
  EXPECT_GT(classes, 100);
  EXPECT_GT(errors, 10'000);
}

TEST(BlackBoxClasses, AreTwoOrMoreWithNamesOfTheirOwn) {
  check_classes({"a", "b"});
  check_classes({"a b", "a", "ä"});
  const auto refused_classes = [](const ClassNames& names) {
    return error_of([&] { check_classes(names); });
  };
  EXPECT_THAT(refused_classes({}), HasSubstr("found none"));
  EXPECT_THAT(refused_classes({"spam"}), HasSubstr("\"spam\" alone"));
  EXPECT_THAT(refused_classes({"a", "b", "a"}), HasSubstr("\"a\" twice"));
  EXPECT_THAT(refused_classes({"a", ""}), HasSubstr("without a name"));
  EXPECT_THAT(refused_classes({"a", "\xff"}), HasSubstr("0xff"));
}

}  // namespace
}  // namespace textcrs
