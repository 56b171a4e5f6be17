#include "textcrs/base/counted.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "text"), "0 texts");
  EXPECT_EQ(counted(size_t{1}, "text"), "1 text");
  EXPECT_EQ(counted(int64_t{2}, "synonym rank"), "2 synonym ranks");
}

}  // namespace
}  // namespace textcrs
