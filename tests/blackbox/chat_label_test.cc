#include "blackbox/chat_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "blackbox/chat.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kClasses = {"ham", "spam", "not spam", "Sci/Tech", "e-mail", "3"};

std::string named(const std::string& answer) {
  const std::optional<int> said = class_said(answer, kClasses);
  return said ? kClasses[static_cast<size_t>(*said)] : "";
}

TEST(ChatLabels, AnAnswerIsANameWhateverIsAroundIt) {
  for (const char* answer : {"spam", "Spam", "SPAM.", " spam\n", "**Spam**", "**Spam**, because ..",
                             "\"spam\"", "“Spam.”", "- spam", "(spam)", "`spam`", "Spam: it sells",
                             "# Spam\n\nIt sells.", "spam, not ham"})
    EXPECT_EQ(named(answer), "spam") << answer;
  EXPECT_EQ(named("sci/tech"), "Sci/Tech");
  EXPECT_EQ(named("E-mail."), "e-mail");
  EXPECT_EQ(named("3"), "3");
}

TEST(ChatLabels, TheLongestNameIsMeant) {
  EXPECT_EQ(named("not spam"), "not spam");
  EXPECT_EQ(named("Not spam!"), "not spam");
}

TEST(ChatLabels, ANameFurtherOnOrWithinAWordIsNone) {
  for (const char* answer :
       {"", " ", "...", "It is spam", "The answer: spam", "no spam", "hamlet", "ham-fisted",
        "ham's", "spammer", "Sci", "tech", "e", "33", "spa", "not", "ham/spam", "\xff"})
    EXPECT_EQ(named(answer), "") << answer;
}

TEST(ChatLabels, ANameOfMarksAloneIsRead) {
  EXPECT_EQ(class_said("+", {"+", "-"}), 0);
  EXPECT_EQ(class_said("-", {"+", "-"}), 1);
  EXPECT_EQ(class_said("*", {"+", "-"}), std::nullopt);
}

TEST(ChatRequests, GoBehindThePathAndInFrontOfTheQuery) {
  EXPECT_EQ(completions_url("http://h/v1"), "http://h/v1/chat/completions");
  EXPECT_EQ(completions_url("http://h/v1//"), "http://h/v1/chat/completions");
  EXPECT_EQ(completions_url("http://h/v1/?v=1"), "http://h/v1/chat/completions?v=1");
  EXPECT_EQ(completions_url("http://h"), "http://h/chat/completions");
}

TEST(ChatRequests, WhatATextHoldsIsNoPlace) {
  EXPECT_EQ(
      fill_prompt("a {text} b {classes}", {{"{text}", "{classes}{text}"}, {"{classes}", "x"}}),
      "a {classes}{text} b x");
  EXPECT_EQ(fill_prompt("{other}{text}", {{"{text}", ""}}), "{other}");
  check_place("a {text}", "{text}", "p");
  EXPECT_THAT(error_of([] { check_place("a", "{text}", "p"); }), HasSubstr("p: found no {text}"));
  EXPECT_THAT(error_of([] { check_place("{text}{text}", "{text}", "p"); }),
              HasSubstr("more than once"));
}

}  // namespace
}  // namespace textcrs
