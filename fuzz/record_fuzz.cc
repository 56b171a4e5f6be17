// A line of a certification run's results.jsonl.
#include "fuzz.h"
#include "textcrs/report/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const std::string_view line = fuzz::text_of(data, size);
  const auto record = fuzz::accepted([&] { return parse_record(line); });
  if (!record) return 0;
  const std::string written = to_json(*record);
  fuzz::require(written.find('\n') == written.npos, "a record is one line");
  fuzz::require(to_json(parse_record(written)) == written, "a record is read back");
  return 0;
}
