// Texts in lines: '0' fasttext, '1' lines.
#include "dataset_laws.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const fuzz::Choice input(fuzz::text_of(data, size), 2);
  ReadOptions options;
  options.path = fuzz::file_with(input.rest);
  options.format = input.which == 0 ? "fasttext" : "lines";
  fuzz::check_dataset(options);
  return 0;
}
