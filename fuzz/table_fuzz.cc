// Tables: '0' csv, '1' csv under a header, '2' csv without one, '3' tsv, '4' ag-news, '5' sms-spam,
// '6' a file whose format is guessed.
#include <array>

#include "dataset_laws.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  struct Kind {
    const char* format;
    std::optional<bool> header = {};
  };
  static const std::array<Kind, 7> kinds = {
      {{"csv"}, {"csv", true}, {"csv", false}, {"tsv"}, {"ag-news"}, {"sms-spam"}, {"auto"}}};
  const fuzz::Choice input(fuzz::text_of(data, size), kinds.size());
  ReadOptions options;
  options.path = fuzz::file_with(input.rest);
  options.format = kinds[input.which].format;
  options.header = kinds[input.which].header;
  fuzz::check_dataset(options);
  return 0;
}
