#include "textcrs/base/hash.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

// From the tables that the authors of FNV publish.
TEST(Fnv1a, KnownAnswers) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv1a, GoesOnWhereItStopped) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

}  // namespace
}  // namespace textcrs
