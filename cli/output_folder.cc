#include "output_folder.h"

#include <fmt/format.h>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs::cli {
namespace fs = std::filesystem;

OutputFolder open_output(const std::string& out, bool overwrite, bool resume) {
  // "model/" names the folder "model": what is written beside it must not land in it.
  const fs::path given = out, folder = given.has_filename() ? given : given.parent_path();
  if (fs::exists(folder) && !overwrite)
    throw usage_error(fmt::format("{} exists; choose another --out or add --overwrite", out));
  check_can_write(fs::absolute(folder).parent_path());
  const fs::path checkpoint = folder.string() + ".partial";
  if (fs::exists(checkpoint) && !resume)
    remark(fmt::format("{} holds an interrupted run; starting anew (--resume would go on with it)",
                       checkpoint.string()));
  return {folder, checkpoint};
}

}  // namespace textcrs::cli
