#include "page/examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "page/made_run.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::ElementsAre;

class Examples : public testing::Test {
 protected:
  std::vector<ExampleGroup> chosen(const std::vector<Record>& records, size_t per_group) const {
    return choose_examples(view_of("run", write_run(work_.path() / "run", records)), per_group);
  }
  TemporaryFolder work_;
};

std::vector<size_t> of(const std::vector<ExampleGroup>& groups, const std::string& title) {
  std::vector<size_t> records;
  for (const ExampleGroup& group : groups)
    if (group.title == title)
      for (const ShownText& example : group.examples) records.push_back(example.record);
  return records;
}

TEST_F(Examples, AreTheExtremesOfEveryKind) {
  const auto groups = chosen(made_records({{.edits = 2},                    // 0
                                           {.edits = 9},                    // 1
                                           {.edits = 0},                    // 2
                                           {.edits = 5},                    // 3
                                           {.label = "neg", .edits = 1},    // 4
                                           {.label = "neg", .edits = 8},    // 5
                                           {.pa = 0.5, .abstained = true},  // 6
                                           {.pa = 0.7, .abstained = true},  // 7
                                           {.edits = 9}}),                  // 8
                             2);
  EXPECT_THAT(of(groups, "Hardest to change"), ElementsAre(1u, 8u));
  EXPECT_THAT(of(groups, "Easiest to change"), ElementsAre(2u, 0u));
  EXPECT_THAT(of(groups, "Wrong, and sure of it"), ElementsAre(5u, 4u));
  EXPECT_THAT(of(groups, "No answer"), ElementsAre(7u, 6u));
  EXPECT_EQ(groups.size(), 4u);
}

TEST_F(Examples, ATextIsInOneGroup) {
  const auto groups = chosen(made_records({{.edits = 1}, {.edits = 2}, {.edits = 3}}), 2);
  EXPECT_THAT(of(groups, "Hardest to change"), ElementsAre(2u, 1u));
  EXPECT_THAT(of(groups, "Easiest to change"), ElementsAre(0u));
  EXPECT_EQ(groups.size(), 2u);
}

TEST_F(Examples, WithoutLabelsAllAnswersCount) {
  const auto groups = chosen(
      made_records({{.label = std::nullopt, .edits = 1}, {.label = std::nullopt, .edits = 4}}), 1);
  EXPECT_THAT(of(groups, "Hardest to change"), ElementsAre(1u));
  EXPECT_THAT(of(groups, "Easiest to change"), ElementsAre(0u));
  EXPECT_TRUE(of(groups, "Wrong, and sure of it").empty());
}

TEST_F(Examples, WhereNothingIsCertifiedRightAnswersAreShown) {
  std::vector<Record> records = made_records({{.pa = 0.6}, {.pa = 0.8}, {.label = "neg"}});
  for (Record& record : records) record.certification.sound = {};
  const auto groups = chosen(records, 5);
  EXPECT_THAT(of(groups, "Right answers"), ElementsAre(1u, 0u));
  EXPECT_THAT(of(groups, "Wrong, and sure of it"), ElementsAre(2u));
}

TEST_F(Examples, NoneAreWanted) { EXPECT_TRUE(chosen(made_records({{}, {}}), 0).empty()); }

}  // namespace
}  // namespace textcrs
