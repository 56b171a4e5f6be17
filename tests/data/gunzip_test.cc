#include "data/gunzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/gzip.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::StartsWith;

std::string refusal(std::string_view packed, const UnpackLimit& limit = {}) {
  return error_of([&] { gunzip("a.gz", packed, limit); });
}

TEST(Gunzip, UndoesGzip) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i * 7919) + (i % 3 == 0 ? "\n" : " ");
  EXPECT_TRUE(is_gzip(gzip(text)));
  EXPECT_FALSE(is_gzip(text));
  EXPECT_EQ(gunzip("a.gz", gzip(text)), text);
  EXPECT_EQ(gunzip("a.gz", gzip("")), "");
  EXPECT_EQ(gunzip("a.gz", gzip("one\n") + gzip("") + gzip("two\n")), "one\ntwo\n");
}

TEST(Gunzip, EveryCutIsNoticed) {
  const std::string packed = gzip("text,label\ngood film,pos\nbad film,neg\n");
  for (size_t size = 2; size < packed.size(); ++size)
    EXPECT_EQ(refusal(packed.substr(0, size)),
              "a.gz: found the end of the file within gzip data, expected more: it was cut short")
        << size;
}

TEST(Gunzip, DamageIsNoticed) {
  std::string packed = gzip("text,label\ngood film,pos\n");
  EXPECT_THAT(refusal(packed + "tail"), StartsWith("a.gz: found damaged gzip data ("));
  packed[packed.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(refusal(packed), "a.gz: found damaged gzip data (incorrect data check) at byte " +
                                 std::to_string(packed.size() - 4) + ", expected an intact file");
}

TEST(Gunzip, ABombIsRefused) {
  const std::string packed = gzip(std::string(size_t{65} << 20, 'x'));
  EXPECT_EQ(refusal(packed), "a.gz: found " + std::to_string(packed.size()) +
                                 " bytes of gzip data that unpack to more than 67108864, expected "
                                 "at most 200 times as many, as texts have");
  EXPECT_EQ(refusal(packed, {.free = 1000, .ratio = 10000, .most = 1 << 20}),
            "a.gz: found gzip data that unpacks to more, expected at most 1048576 bytes");
  EXPECT_EQ(gunzip("a.gz", packed, {.free = size_t{1} << 30}).size(), size_t{65} << 20);
}

}  // namespace
}  // namespace textcrs
