#include "textcrs/certify/witness.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

using Words = std::vector<std::string>;

TEST(Witness, PutsWordsInThePlaceOfLostOnesAndThenBehindTheText) {
  const Words text = {"a", "b", "c", "d"};
  EXPECT_EQ((Witness{"no", {}, {}}.applied_to(text)), text);
  EXPECT_EQ((Witness{"no", {{1, "b"}, {3, "d"}}, {"x"}}.applied_to(text)), (Words{"a", "x", "c"}));
  EXPECT_EQ((Witness{"no", {{1, "b"}}, {"x", "y", "z"}}.applied_to(text)),
            (Words{"a", "x", "c", "d", "y", "z"}));
  EXPECT_EQ((Witness{"no", {}, {"x"}}.applied_to({})), (Words{"x"}));
  EXPECT_EQ((Witness{"no", {{0, "a"}, {1, "b"}}, {}}.applied_to({"a", "b"})), Words());
}

}  // namespace
}  // namespace textcrs
