// Data sets in JSON: '0' jsonl, '1' json, '2' jsonl with columns of other names, '3' a file whose
// format is guessed.
#include "dataset_laws.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const fuzz::Choice input(fuzz::text_of(data, size), 4);
  ReadOptions options;
  options.path = fuzz::file_with(input.rest, input.which == 3 ? "input.json" : "input");
  options.format = input.which == 1 ? "json" : input.which == 3 ? "auto" : "jsonl";
  if (input.which == 2) {
    options.text_column = "title+body";
    options.label_column = "class";
    options.id_column = "key";
  }
  fuzz::check_dataset(options);
  return 0;
}
