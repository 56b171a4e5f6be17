#include "textcrs/certify/certified_set.h"

#include <gtest/gtest.h>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

TEST(Operation, ItsNameParsesToItself) {
  for (const Operation operation : {Operation::kSubstitution, Operation::kReordering,
                                    Operation::kInsertion, Operation::kDeletion, Operation::kEdit})
    EXPECT_EQ(parse_operation(to_string(operation)), operation);
  EXPECT_EQ(to_string(Operation::kReordering), "reordering");
}

TEST(Operation, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    parse_operation("Edit");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(),
                 "operation is 'Edit', expected one of: substitution, reordering, insertion, "
                 "deletion, edit");
  }
}

TEST(CertifiedSet, NamesTheUnitsItCounts) {
  CertifiedSet set;
  set.certified = true;
  set.guarantees = {{Operation::kDeletion, kUnitSentences, 3},
                    {Operation::kInsertion, kUnitSentences, 1},
                    {Operation::kEdit, kUnitSentences, 1}};
  EXPECT_EQ(set.in_words(),
            "up to 3 deleted sentences, or up to 1 inserted sentence, or any mixture of up to 1 "
            "edit of sentences");
  set.guarantees = {{Operation::kDeletion, kUnitWords, 3}, {Operation::kEdit, kUnitWords, 2}};
  EXPECT_EQ(set.in_words(), "up to 3 deleted words, or any mixture of up to 2 edits");
}

// However many may be replaced, it is by candidates, not by any word.
TEST(CertifiedSet, AnyNumberOfCandidatesIsNotAnySubstitution) {
  CertifiedSet set;
  set.certified = true;
  set.candidates = "wordnet";
  set.replaceable = 4;
  set.guarantees = {{Operation::kSubstitution, kUnitWords, kUnlimited}};
  EXPECT_EQ(set.in_words(),
            "up to 4 of the 4 words that have candidates (wordnet) substituted, each by one of its "
            "own");
  set.replaceable = 0;
  EXPECT_EQ(set.in_words(),
            "the text as it is, but for no edit: no word of it has candidates (wordnet)");
}

TEST(Coverage, NamesItsOperation) {
  EXPECT_EQ((Coverage{true, Operation::kEdit, ""}).operation_name(), "edit");
  EXPECT_EQ(Coverage().operation_name(), "none");
}

}  // namespace
}  // namespace textcrs
