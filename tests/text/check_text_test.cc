#include "textcrs/text/check_text.h"

#include <gtest/gtest.h>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

std::string refusal(std::string_view text) {
  return error_of([&] { check_text(text, "argument 2"); });
}

TEST(CheckText, TakesUtf8) {
  for (const char* text :
       {"", "good film", "caf\xc3\xa9", "\xe4\xb8\xad\xe6\x96\x87", "\xf0\x9f\x98\x80"})
    EXPECT_EQ(refusal(text), "") << text;
}

TEST(CheckText, NamesTheFirstByteThatIsNoText) {
  EXPECT_EQ(refusal("caf\xe9 \xff"), "argument 2: found the byte 0xe9 at offset 3, expected UTF-8");
  EXPECT_EQ(refusal("\xed\xa0\x80"), "argument 2: found the byte 0xed at offset 0, expected UTF-8");
  EXPECT_EQ(refusal("caf\xc3"), "argument 2: found the byte 0xc3 at offset 3, expected UTF-8");
  EXPECT_EQ(refusal({"a\0b", 3}), "argument 2: found a NUL byte at offset 1, expected text");
}

}  // namespace
}  // namespace textcrs
