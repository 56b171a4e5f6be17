#include "textcrs/report/attack_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace textcrs {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Answer {
  std::string name, clean, edited;
  bool certified = false, covered = false, abstained = false;
};

DefenceRecord asked(const Answer& answer) {
  return {.name = answer.name,
          .clean = answer.clean,
          .edited = answer.edited,
          .clean_abstained = false,
          .edited_abstained = answer.abstained,
          .certified = answer.certified,
          .covered = answer.covered,
          .why = "because"};
}

// A text of the class "pos" of ten words, of which so many differ.
AttackRecord text_of(uint32_t id, AttackStatus status, const std::string& after,
                     size_t differences = 0, std::optional<double> similarity = std::nullopt) {
  AttackRecord record;
  record.id = id;
  record.label = "pos";
  record.status = status;
  record.before = status == AttackStatus::kSkipped ? "neg" : "pos";
  record.after = after;
  record.words = record.words_after = 10;
  record.queries = 10 * id;
  record.seconds = 0.5;
  record.differences.resize(differences);
  record.similarity = similarity;
  record.original = "the original " + std::to_string(id);
  record.adversarial = "the edited " + std::to_string(id);
  return record;
}

// Two successes, a failure that changed the text, one that did not, one that ran out of queries,
// and a text that was wrong before.
std::vector<AttackRecord> six_texts() {
  std::vector<AttackRecord> records = {text_of(1, AttackStatus::kSucceeded, "neg", 2, 0.75),
                                       text_of(2, AttackStatus::kFailed, "pos", 5, 0.25),
                                       text_of(3, AttackStatus::kSkipped, "neg"),
                                       text_of(4, AttackStatus::kSucceeded, "neg", 3),
                                       text_of(5, AttackStatus::kSpent, "pos", 1, 0.5),
                                       text_of(6, AttackStatus::kFailed, "pos")};
  records[3].words = 20;
  records[0].models = {asked({"votes", "pos", "neg", true, false}),
                       asked({"bert", "pos", "pos", false, false})};
  records[1].models = {asked({"votes", "pos", "pos", true, true}),
                       asked({"bert", "pos", "neg", true, true, /*abstained=*/true})};
  records[3].models = {asked({"votes", "neg", "neg", true, true}),
                       asked({"bert", "pos", "neg", true, true})};
  records[4].models = {asked({"votes", "pos", "pos", false, false}),
                       asked({"bert", "neg", "pos", true, true})};
  return records;
}

void expect_counts(const AttackSummary::Counts& found, const AttackSummary::Counts& expected) {
  EXPECT_EQ(found.texts, expected.texts);
  EXPECT_EQ(found.right, expected.right);
  EXPECT_EQ(found.flipped, expected.flipped);
  EXPECT_EQ(found.abstained, expected.abstained);
  EXPECT_EQ(found.certified, expected.certified);
  EXPECT_EQ(found.covered, expected.covered);
}

TEST(AttackSummary, CountsByHand) {
  const AttackSummary summary = summarize(six_texts());
  EXPECT_EQ(summary.texts, 6u);
  EXPECT_EQ(summary.attempted, 5u);
  EXPECT_EQ(summary.succeeded, 2u);
  EXPECT_EQ(summary.spent, 1u);
  EXPECT_EQ(summary.queries, 10u + 20 + 40 + 50 + 60);  // the skipped text's 30 are no attempt's
  EXPECT_EQ(summary.seconds, 3.0);
  EXPECT_EQ(summary.attack_accuracy, 3.0 / 5);
  EXPECT_EQ(summary.accuracy_before, 5.0 / 6);
  EXPECT_EQ(summary.accuracy_after, 3.0 / 6);
  EXPECT_EQ(summary.words_changed, 2.5);
  EXPECT_EQ(summary.share_changed, (2.0 / 10 + 3.0 / 20) / 2);
  EXPECT_EQ(summary.similarity, 0.75);  // of the one success that has one
  EXPECT_EQ(summary.queries_per_attempt, 180.0 / 5);

  ASSERT_EQ(summary.models.size(), 2u);
  const AttackSummary::Model &votes = summary.models[0], &bert = summary.models[1];
  EXPECT_EQ(votes.name, "votes");
  // Of a clean text that is answered wrong, nothing counts as certified.
  expect_counts(votes.all, {.texts = 4, .right = 2, .flipped = 1, .certified = 2, .covered = 1});
  expect_counts(votes.successes, {.texts = 2, .flipped = 1, .certified = 1});
  EXPECT_EQ(votes.contradicted, 0u);
  EXPECT_EQ(bert.name, "bert");
  expect_counts(
      bert.all,
      {.texts = 4, .right = 2, .flipped = 2, .abstained = 1, .certified = 2, .covered = 2});
  expect_counts(bert.successes,
                {.texts = 2, .right = 1, .flipped = 1, .certified = 1, .covered = 1});
  // Also a certificate of a wrong answer is one.
  EXPECT_EQ(bert.contradicted, 2u);
  ASSERT_EQ(summary.contradictions.size(), 2u);
  EXPECT_EQ(summary.contradictions[0].id, 4u);
  ASSERT_EQ(summary.contradictions[0].models.size(), 1u);
  EXPECT_EQ(summary.contradictions[0].models[0].model, "bert");
  EXPECT_EQ(summary.contradictions[0].models[0].why, "because");
  EXPECT_EQ(summary.contradictions[0].original, "the original 4");
  EXPECT_EQ(summary.contradictions[0].adversarial, "the edited 4");
  EXPECT_EQ(summary.contradictions[1].id, 5u);
}

TEST(AttackSummary, ItsJsonHasAllOfIt) {
  EXPECT_EQ(json::parse(to_json(summarize(six_texts()))), json::parse(R"({
    "texts": 6, "attempted": 5, "succeeded": 2, "spent": 1, "queries": 180, "seconds": 3.0,
    "attack_accuracy": 0.6, "accuracy_before": 0.8333333333333334, "accuracy_after": 0.5,
    "share_changed": 0.175, "words_changed": 2.5, "similarity": 0.75, "queries_per_attempt": 36.0,
    "models": [
      {"name": "votes",
       "all": {"texts": 4, "right": 2, "flipped": 1, "abstained": 0, "certified": 2, "covered": 1},
       "successes":
         {"texts": 2, "right": 0, "flipped": 1, "abstained": 0, "certified": 1, "covered": 0},
       "contradicted": 0},
      {"name": "bert",
       "all": {"texts": 4, "right": 2, "flipped": 2, "abstained": 1, "certified": 2, "covered": 2},
       "successes":
         {"texts": 2, "right": 1, "flipped": 1, "abstained": 0, "certified": 1, "covered": 1},
       "contradicted": 2}],
    "contradictions": [
      {"id": 4, "original": "the original 4", "adversarial": "the edited 4",
       "models": [{"name": "bert", "why": "because"}]},
      {"id": 5, "original": "the original 5", "adversarial": "the edited 5",
       "models": [{"name": "bert", "why": "because"}]}]})"));
}

TEST(AttackSummary, OfNothingHasNoMeans) {
  for (const auto& records :
       {std::vector<AttackRecord>(), std::vector{text_of(1, AttackStatus::kSkipped, "neg")}}) {
    const AttackSummary summary = summarize(records);
    EXPECT_EQ(summary.texts, records.size());
    EXPECT_EQ(summary.attempted, 0u);
    EXPECT_EQ(summary.accuracy_before, 0);
    EXPECT_EQ(summary.accuracy_after, 0);
    for (const auto& mean : {summary.attack_accuracy, summary.share_changed, summary.words_changed,
                             summary.similarity, summary.queries_per_attempt})
      EXPECT_FALSE(mean);
    const json written = json::parse(to_json(summary));
    EXPECT_EQ(written["texts"], records.size());
    for (const char* name : {"attack_accuracy", "share_changed", "words_changed", "similarity",
                             "queries_per_attempt", "models", "contradictions"})
      EXPECT_FALSE(written.contains(name)) << name;
    EXPECT_THAT(in_words(summary), Not(HasSubstr("nan")));
  }
}

// An attack that wants the answer to stay succeeds without turning it.
TEST(AttackSummary, AttackAccuracyIsThatOfTheLastTexts) {
  const AttackSummary summary = summarize(
      {text_of(1, AttackStatus::kSucceeded, "pos", 4), text_of(2, AttackStatus::kFailed, "pos")});
  EXPECT_EQ(summary.succeeded, 1u);
  EXPECT_EQ(summary.attack_accuracy, 1.0);
  EXPECT_EQ(summary.accuracy_after, 1.0);
}

TEST(AttackSummary, ATextWithoutWordsThatGainedSomeCountsAsOneWord) {
  std::vector<AttackRecord> records = {text_of(1, AttackStatus::kSucceeded, "neg", 3)};
  records[0].words = 0;
  EXPECT_EQ(summarize(records).share_changed, 3.0);
}

TEST(AttackSummary, InWords) {
  EXPECT_EQ(
      in_words(summarize(six_texts())),
      "5 of 6 texts answered right and attacked, 2 with success: attack accuracy 60.0 % (of "
      "those attacked, not turned)\n"
      "accuracy 83.3 % before, 50.0 % after; 36 queries per text; 2.5 words changed (17.5 "
      "%); similarity 0.750\n"
      "1 text ended with the budget of queries\n"
      "\n"
      "of the edited texts, in %  texts  right  flipped  abstained  certified clean  covered\n"
      "votes, successes               2    0.0     50.0        0.0             50.0      0.0\n"
      "bert, successes                2   50.0     50.0        0.0             50.0     50.0\n"
      "votes, all                     4   50.0     25.0        0.0             50.0     25.0\n"
      "bert, all                      4   50.0     50.0       25.0             50.0     50.0\n");
}

TEST(AttackSummary, AModelWithoutSuccessesHasNoShares) {
  std::vector<AttackRecord> records = {text_of(2, AttackStatus::kFailed, "pos", 5)};
  records[0].models = {asked({"votes", "pos", "pos", true, true})};
  EXPECT_THAT(in_words(summarize(records)),
              testing::ContainsRegex("votes, successes +0 +- +- +- +- +-\n"));
}

TEST(AttackSummary, ATextThatTwoModelsContradictIsOneContradiction) {
  std::vector<AttackRecord> records = six_texts();
  records[4].models[0] = asked({"votes", "neg", "pos", true, true});
  const AttackSummary summary = summarize(records);
  EXPECT_EQ(summary.models[0].contradicted, 1u);
  EXPECT_EQ(summary.models[1].contradicted, 2u);
  ASSERT_EQ(summary.contradictions.size(), 2u);
  ASSERT_EQ(summary.contradictions[1].models.size(), 2u);
  EXPECT_EQ(summary.contradictions[1].models[0].model, "votes");
  EXPECT_EQ(summary.contradictions[1].models[1].model, "bert");
}

TEST(AttackSummary, AContradictionIsOneLineWithTheText) {
  AttackSummary::Contradiction contradiction{.id = 7,
                                             .original = "good film",
                                             .adversarial = "film\n\x1b[2J caf\xc3\xa9",
                                             .models = {{"votes", "1 word lost"}}};
  const std::string texts =
      " an edited text, and the answer for it is another; the original: \"good film\"; the edited "
      "text: \"film\\x0a\\x1b[2J caf\xc3\xa9\"";
  EXPECT_EQ(in_words(contradiction),
            "text 7: the certificate of votes (1 word lost) covers" + texts);
  contradiction.models.push_back({"bert", "all"});
  EXPECT_EQ(in_words(contradiction),
            "text 7: the certificates of votes (1 word lost), bert (all) cover" + texts);
}

}  // namespace
}  // namespace textcrs
