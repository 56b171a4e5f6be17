// A run's run.json: what is read and written is read again, and is the same run.
#include "fuzz.h"
#include "report/run_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto path = fuzz::file_with(fuzz::text_of(data, size));
  const auto run = fuzz::accepted([&] { return read_run_file(path); });
  if (!run) return 0;
  write_run_file(path, run->settings, run->version);
  const RunSettings again = read_run_file(path);
  fuzz::require(again.version == run->version && again.settings == run->settings,
                "a run's settings are read back");
  check_run_file(path, run->settings, run->version);
  return 0;
}
