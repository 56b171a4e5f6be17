// A suite's TOML: what is read can be planned or is refused, and its plan is kept and read back.
#include <set>

#include "fuzz.h"
#include "textcrs/suite/plan.h"
#include "textcrs/suite/suite_file.h"

namespace {

using namespace textcrs;
namespace fs = std::filesystem;

bool is_plain(const std::string& name) {
  return !name.empty() && !name.starts_with('.') && name.find_first_of("/\n\t \\'\"") == name.npos;
}

// A step is called as no other, may be a folder's name, and comes after those it needs.
void check_order(const std::vector<PlannedStep>& plan) {
  std::set<std::string> before;
  for (const PlannedStep& planned : plan) {
    const SuiteStep& step = planned.step;
    fuzz::require(is_plain(step.name), "a step's name may be a folder's");
    for (const std::string& name : step.needs)
      fuzz::require(before.contains(name), "a step comes after those it needs");
    fuzz::require(before.insert(step.name).second, "no two steps have the same name");
  }
}

void check_kept(const Suite& suite, std::vector<PlannedStep> plan) {
  static const fs::path out = fuzz::file_with("", "suite.json").parent_path() / "out";
  static const bool made = fs::create_directory(out);
  fuzz::require(made, "the folder is new");
  fs::remove(out / kManifestFile);
  SettleOptions options;
  options.out = out;
  const SuiteManifest manifest = settle_plan(suite, plan, options);
  write_manifest(out, manifest);
  const SuiteManifest again = read_manifest(out);
  fuzz::require(again.steps.size() == plan.size(), "a manifest has all steps");
  for (size_t i = 0; i < plan.size(); ++i) {
    const SuiteStep &step = again.steps[i], &planned = plan[i].step;
    fuzz::require(step.name == planned.name && step.tags == planned.tags &&
                      step.needs == planned.needs && step.command == planned.command &&
                      step.folder == planned.folder && step.identity == planned.identity,
                  "a step is read back");
    fuzz::require(step.command.size() > 1, "a step has a command");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fs::path path = fuzz::file_with(fuzz::text_of(data, size), "suite.toml");
  const auto suite = fuzz::accepted([&] { return read_suite(path); });
  if (!suite) return 0;
  const auto plan = fuzz::accepted([&] { return plan_suite(*suite, {}); },
                                   {ErrorKind::kBadInput, ErrorKind::kUsage});
  if (!plan) return 0;
  check_order(*plan);
  check_kept(*suite, *plan);
  return 0;
}
