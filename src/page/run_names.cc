#include "page/run_names.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {

void check_names(const std::vector<ReportedRun>& runs) {
  if (runs.empty()) throw usage_error("no run, expected at least one");
  std::set<std::string> names;
  for (const ReportedRun& run : runs)
    if (!names.insert(run.name).second)
      throw usage_error(fmt::format("two runs are named '{}'", printable_name(run.name)));
}

}  // namespace textcrs
