#include "textcrs/report/threat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace textcrs {
namespace {

using testing::HasSubstr;

constexpr const char* kTable = "synonyms.json";

Record record_of(std::vector<Guarantee> guarantees) {
  Record record;
  record.words = 20;
  record.certification.sound.certified = true;
  record.certification.sound.guarantees = std::move(guarantees);
  return record;
}

Credit credit(Operation threat, const Record& record, const char* noise = "universal:p=0.9") {
  return credit_against({threat, ""}, record, noise);
}

// As it comes back from a run's folder.
Record reread(const Record& record) { return parse_record(to_json(record)); }

TEST(Threat, CreditsTheGuaranteeAboutIt) {
  const Record record = reread(record_of({{Operation::kSubstitution, kUnitWords, 3},
                                          {Operation::kReordering, kUnitDisplacement, kUnlimited},
                                          {Operation::kInsertion, kUnitWords, 4},
                                          {Operation::kDeletion, kUnitWords, 7},
                                          {Operation::kEdit, kUnitWords, 2}}));
  EXPECT_EQ(credit(Operation::kSubstitution, record).radius, 3);
  EXPECT_EQ(credit(Operation::kReordering, record).radius, kUnlimited);
  EXPECT_EQ(credit(Operation::kInsertion, record).radius, 4);
  EXPECT_EQ(credit(Operation::kDeletion, record).radius, 7);
  EXPECT_EQ(credit(Operation::kEdit, record).radius, 2);
  EXPECT_EQ(credit(Operation::kEdit, record).how, "");
}

TEST(Threat, EditsOfAnyKindAreEditsOfEachKindAndNotTheOtherWayRound) {
  const Record edits = record_of({{Operation::kEdit, kUnitWords, 5}});
  for (const Operation operation :
       {Operation::kSubstitution, Operation::kInsertion, Operation::kDeletion})
    EXPECT_EQ(credit(operation, edits).radius, 5);
  const Record single = record_of({{Operation::kSubstitution, kUnitWords, 5},
                                   {Operation::kInsertion, kUnitWords, 5},
                                   {Operation::kDeletion, kUnitWords, 5}});
  EXPECT_EQ(credit(Operation::kEdit, single).radius, -1);
  EXPECT_FALSE(credit(Operation::kEdit, single).speaks);
  EXPECT_EQ(credit(Operation::kEdit, single).why_not,
            "its certificate says nothing about mixtures of edits");
}

TEST(Threat, TheBetterOfTwoProofsCounts) {
  const Record record =
      record_of({{Operation::kInsertion, kUnitWords, 1}, {Operation::kEdit, kUnitWords, 2}});
  EXPECT_EQ(credit(Operation::kInsertion, record).radius, 2);
}

TEST(Threat, WhatIsNotCertifiedCountsForNothing) {
  Record record = record_of({{Operation::kEdit, kUnitWords, 5}});
  record.certification.abstained = true;
  EXPECT_EQ(credit(Operation::kEdit, record).radius, -1);
  EXPECT_TRUE(credit(Operation::kEdit, record).speaks);
  record = record_of({{Operation::kEdit, kUnitWords, 5}});
  record.certification.sound.certified = false;
  EXPECT_EQ(credit(Operation::kEdit, record).radius, -1);
}

TEST(Threat, ThePapersFormulasNeverCount) {
  Record record = record_of({});
  record.certification.paper = record.certification.sound;
  record.certification.paper.guarantees = {{Operation::kDeletion, kUnitWords, 9}};
  record.certification.sound = {};
  EXPECT_EQ(credit(Operation::kDeletion, reread(record)).radius, -1);
  EXPECT_FALSE(credit(Operation::kDeletion, reread(record)).speaks);
}

TEST(Threat, ARadiusInEmbeddingSpaceIsNoNumberOfWords) {
  const Record record = record_of({{Operation::kReordering, kUnitDisplacement, kUnlimited},
                                   {Operation::kSubstitution, kUnitEmbedding, 7.5},
                                   {Operation::kInsertion, kUnitEmbedding, 7.5},
                                   {Operation::kDeletion, kUnitEmbedding, 7.5}});
  for (const Operation operation :
       {Operation::kSubstitution, Operation::kInsertion, Operation::kDeletion}) {
    const Credit found = credit(operation, reread(record), "gaussian:sigma=0.2");
    EXPECT_EQ(found.radius, -1);
    EXPECT_FALSE(found.speaks);
    EXPECT_THAT(found.why_not, HasSubstr("l2 change of embeddings"));
  }
  EXPECT_EQ(credit(Operation::kReordering, reread(record)).radius, kUnlimited);
}

TEST(Threat, OlderRecordsOfInsertDoNotNameTheirUnit) {
  std::string line = to_json(record_of({{Operation::kInsertion, kUnitEmbedding, 7.5}}));
  const std::string unit = R"(,"unit":"l2 embedding change")";
  ASSERT_NE(line.find(unit), std::string::npos);
  line.erase(line.find(unit), unit.size());
  EXPECT_FALSE(credit(Operation::kInsertion, parse_record(line), "insert:sigma=0.2").speaks);
}

TEST(Threat, SentencesAreNoWords) {
  Record record = record_of({{Operation::kEdit, kUnitSentences, 4},
                             {Operation::kReordering, kUnitDisplacement, kUnlimited}});
  record.unit = "sentence";
  for (const Operation operation :
       {Operation::kSubstitution, Operation::kReordering, Operation::kInsertion,
        Operation::kDeletion, Operation::kEdit}) {
    EXPECT_EQ(credit(operation, reread(record)).radius, -1);
    EXPECT_THAT(credit(operation, reread(record)).why_not, HasSubstr("split a sentence"));
  }
}

TEST(Threat, CandidatesOfATableAreNotAnyWord) {
  Record record = record_of({{Operation::kSubstitution, kUnitWords, 3}});
  record.certification.sound.candidates = kTable;
  record.certification.sound.replaceable = 9;
  record = reread(record);
  const Credit any = credit(Operation::kSubstitution, record);
  EXPECT_EQ(any.radius, -1);
  EXPECT_THAT(any.why_not, HasSubstr("by candidates (synonyms.json) only"));
  EXPECT_EQ(credit_against({Operation::kSubstitution, kTable}, record, "").radius, 3);
  const Credit other = credit_against({Operation::kSubstitution, "wordnet"}, record, "");
  EXPECT_FALSE(other.speaks);
  EXPECT_THAT(other.why_not, HasSubstr("another table (synonyms.json)"));
  EXPECT_FALSE(credit(Operation::kReordering, record).speaks);
}

TEST(Threat, AnyWordIncludesCandidates) {
  const Record record = record_of({{Operation::kSubstitution, kUnitWords, 3}});
  EXPECT_EQ(credit_against({Operation::kSubstitution, kTable}, record, "").radius, 3);
}

TEST(Threat, AllSynonymsAtOnceAreAnyNumberOfCandidates) {
  Record record = record_of({{Operation::kSubstitution, kUnitWords, 3}});
  record.certification.sound.synonyms = kTable;
  EXPECT_EQ(credit_against({Operation::kSubstitution, kTable}, record, "").radius, 3);
  record.certification.sound.edits_beside_synonyms = 0;
  EXPECT_EQ(credit_against({Operation::kSubstitution, kTable}, reread(record), "").radius,
            kUnlimited);
  EXPECT_EQ(credit_against({Operation::kSubstitution, "wordnet"}, record, "").radius, 3);
  EXPECT_EQ(credit(Operation::kSubstitution, record).radius, 3);
  record.certification.abstained = true;
  EXPECT_EQ(credit_against({Operation::kSubstitution, kTable}, record, "").radius, -1);
}

TEST(Threat, TablesOfDifferentSizeAreToldApart) {
  EXPECT_TRUE(includes_table("t", "t"));
  EXPECT_FALSE(includes_table("t", "u"));
  EXPECT_TRUE(includes_table("t", "t, mutual among the first 8"));
  EXPECT_FALSE(includes_table("t, mutual among the first 8", "t"));
  EXPECT_TRUE(includes_table("t, mutual among the first 50", "t, mutual among the first 8"));
  EXPECT_FALSE(includes_table("t, mutual among the first 8", "t, mutual among the first 50"));
  EXPECT_FALSE(includes_table("u, mutual among the first 50", "t, mutual among the first 8"));
  EXPECT_FALSE(includes_table("t, in clusters of at most 8", "t"));
  EXPECT_FALSE(includes_table("t", "t, mutual among the first few"));
  EXPECT_FALSE(includes_table("", "t"));
}

TEST(Threat, AllWordsOfATextAreAnyNumber) {
  Record record = record_of({{Operation::kDeletion, kUnitWords, 20},
                             {Operation::kInsertion, kUnitWords, 20},
                             {Operation::kSubstitution, kUnitWords, 19}});
  EXPECT_EQ(credit(Operation::kDeletion, record).radius, kUnlimited);
  EXPECT_EQ(credit(Operation::kInsertion, record).radius, 20);
  EXPECT_EQ(credit(Operation::kSubstitution, record).radius, 19);
  EXPECT_EQ(credit(Operation::kReordering, record).radius, 19);
  record = record_of({{Operation::kEdit, kUnitWords, 20}});
  EXPECT_EQ(credit(Operation::kEdit, record).radius, 20);
  EXPECT_EQ(credit(Operation::kInsertion, record).radius, 20);
  EXPECT_EQ(credit(Operation::kReordering, record).radius, kUnlimited);
}

TEST(Threat, AReorderingChangesNoMorePlacesThanItMovesWords) {
  const Record record = record_of({{Operation::kSubstitution, kUnitWords, 3}});
  const Credit found = credit(Operation::kReordering, record, "mask:p=0.9");
  EXPECT_EQ(found.radius, 3);
  EXPECT_THAT(found.how, HasSubstr("in substitutions"));
  const Record both = record_of(
      {{Operation::kReordering, kUnitDisplacement, 8}, {Operation::kSubstitution, kUnitWords, 3}});
  EXPECT_EQ(credit(Operation::kReordering, both).radius, 8);
  EXPECT_EQ(credit(Operation::kReordering, both).how, "");
}

}  // namespace
}  // namespace textcrs
