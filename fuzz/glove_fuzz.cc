// GloVe's text, converted to a table.
#include "fuzz.h"
#include "vectors_laws.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto source = fuzz::file_with(fuzz::text_of(data, size));
  const auto cache = fuzz::file_with("", "input.bin");
  const auto vectors = fuzz::accepted([&] {
    convert_glove_text(source, cache);
    return WordVectors::open(cache);
  });
  if (vectors) fuzz::check_converted(*vectors);
  return 0;
}
