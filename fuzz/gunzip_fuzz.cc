// Files that gzip packed: '0' the file, '1' its content.
#include "data/gunzip.h"
#include "data/gzip.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  constexpr UnpackLimit kSmall{.free = 1 << 16, .ratio = 10, .most = 1 << 20};
  const fuzz::Choice input(fuzz::text_of(data, size), 2);
  if (input.which == 1) {
    const std::string packed = gzip(input.rest);
    fuzz::require(is_gzip(packed) && gunzip("input", packed) == input.rest, "a text is unpacked");
    fuzz::require(
        gunzip("input", packed + packed) == std::string(input.rest) + std::string(input.rest),
        "members in a row are unpacked");
    return 0;
  }
  const auto whole = fuzz::accepted([&] { return gunzip("input", input.rest); });
  const auto small = fuzz::accepted([&] { return gunzip("input", input.rest, kSmall); });
  if (!small) return 0;
  fuzz::require(small->size() <= std::max(kSmall.free, kSmall.ratio * input.rest.size()),
                "no more is unpacked than is allowed");
  fuzz::require(whole == small, "a limit that is kept changes nothing");
  return 0;
}
