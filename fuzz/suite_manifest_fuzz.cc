// A suite's suite.json: what is read and written is read again, and is the same.
#include "fuzz.h"
#include "textcrs/base/files.h"
#include "textcrs/suite/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto path = fuzz::file_with(fuzz::text_of(data, size), kManifestFile);
  const auto manifest = fuzz::accepted([&] { return read_manifest(path.parent_path()); });
  if (!manifest) return 0;
  write_manifest(path.parent_path(), *manifest);
  const std::string written = read_file(path);
  const SuiteManifest again = read_manifest(path.parent_path());
  fuzz::require(
      again.steps.size() == manifest->steps.size() && again.past.size() == manifest->past.size(),
      "steps are read back");
  for (const SuiteStep& step : again.steps) {
    fuzz::require(again.find(step.name) != nullptr, "a step is found");
    fuzz::require(in_shell_words(step.command).size() + 1 >= step.command.size(),
                  "a command has its words");
  }
  write_manifest(path.parent_path(), again);
  fuzz::require(read_file(path) == written, "a manifest is read back");
  return 0;
}
