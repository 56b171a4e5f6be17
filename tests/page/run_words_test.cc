#include "page/run_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page/made_run.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

StepCurve curve(Operation operation, const std::string& unit) {
  StepCurve made;
  made.operation = operation;
  made.unit = unit;
  return made;
}

TEST(RunWords, Numbers) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1234567), "1,234,567");
  EXPECT_EQ(percent(0.8159), "81.5 %");
  EXPECT_EQ(percent(0.9999), "99.9 %");  // what is not all is not called all
  EXPECT_EQ(percent(1), "100.0 %");
  EXPECT_EQ(percent(0.29), "29.0 %");
  EXPECT_EQ(shown_radius(3), "3");
  EXPECT_EQ(shown_radius(0.25), "0.25");
  EXPECT_EQ(shown_radius(kUnlimited), "any");
  EXPECT_EQ(shown_radius(-1), "nothing");
}

TEST(RunWords, Edits) {
  const StepCurve edit = curve(Operation::kEdit, kUnitWords);
  EXPECT_EQ(edits_up_to(edit, 1), "any one edit");
  EXPECT_EQ(edits_up_to(edit, 5), "any 5 edits");
  EXPECT_EQ(edits_up_to(edit, kUnlimited), "any edits");
  EXPECT_EQ(edits_up_to(curve(Operation::kEdit, kUnitSentences), 2), "any 2 edits of sentences");
  const StepCurve deletion = curve(Operation::kDeletion, kUnitWords);
  EXPECT_EQ(edits_up_to(deletion, 1), "any one word deleted");
  EXPECT_EQ(edits_up_to(deletion, 4), "any 4 words deleted");
  EXPECT_EQ(edits_up_to(curve(Operation::kInsertion, kUnitSentences), 1),
            "any one sentence inserted");
  const StepCurve order = curve(Operation::kReordering, kUnitDisplacement);
  EXPECT_EQ(edits_up_to(order, 8), "words moved by up to 8 places in all");
  EXPECT_EQ(edits_up_to(order, kUnlimited), "words in any order");
}

class Findings : public testing::Test {
 protected:
  RunView view(const std::vector<Record>& records) const {
    return view_of("run", write_run(work_.path() / "run", records));
  }
  TemporaryFolder work_;
};

// The units that a record leaves out are known again when its certificate is put into words.
TEST_F(Findings, WhatIsCertifiedOfATextIsSaid) {
  const RunView found = view(made_records({{.edits = 3}, {.edits = 0}}));
  EXPECT_THAT(found.said[0], StartsWith("pos (90 % of the votes), and stays so with up to 6 of its "
                                        "10 words deleted, or up to 3 edits of any kind; certified "
                                        "at 99.9 % confidence"));
  EXPECT_THAT(found.said[1], Not(HasSubstr("stays so")));
}

TEST_F(Findings, OfManyEditsThatChangeAnAnswerAFewAreNamed) {
  std::vector<Record> records = made_records({{.edits = 8}, {.edits = 1}, {.edits = 0}});
  Witness many{"neg", {}, {}};
  for (size_t place = 0; place < 9; ++place) many.lost.emplace_back(place, "old");
  many.gained = {"new"};
  records[0].certification.witness = many;
  records[1].certification.witness = Witness{"neg", {}, {"one", "two"}};
  records[2].certification.witness = Witness{"neg", {{4, "it"}}, {"that"}};
  const RunView found = view(records);
  EXPECT_THAT(found.said[0], HasSubstr("; these 9 edits make it neg: 'old' → 'new', delete 'old', "
                                       "delete 'old', delete 'old', delete 'old', delete 'old' "
                                       "and 3 more"));
  EXPECT_THAT(found.said[1], HasSubstr("; these 2 edits make it neg: insert 'one', insert 'two'"));
  EXPECT_THAT(found.said[2], HasSubstr("; this edit makes it neg: 'it' → 'that'"));
}

TEST_F(Findings, WithoutLabelsNothingIsCalledRight) {
  const RunView found = view(made_records(
      {{.label = std::nullopt, .edits = 1}, {.label = std::nullopt, .abstained = true}}));
  EXPECT_THAT(findings(found), Contains("No text has a label: shares are of all texts, right or "
                                        "wrong. 1 of 2 texts are answered."));
  EXPECT_THAT(findings(found), Contains("50.0 % provably keep their answer with any one edit."));
}

TEST_F(Findings, WhereNothingIsCertifiedThatIsSaid) {
  EXPECT_THAT(findings(view(made_records({{.edits = 0}, {.edits = 0}}))),
              Contains("No text is certified against any one edit."));
}

}  // namespace
}  // namespace textcrs
