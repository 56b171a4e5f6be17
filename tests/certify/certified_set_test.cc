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

TEST(Coverage, NamesItsOperation) {
  EXPECT_EQ((Coverage{true, Operation::kEdit, ""}).operation_name(), "edit");
  EXPECT_EQ(Coverage().operation_name(), "none");
}

}  // namespace
}  // namespace textcrs
