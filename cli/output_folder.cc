#include "output_folder.h"

#include <fmt/format.h>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "written_folder.h"

namespace textcrs::cli {
namespace fs = std::filesystem;

namespace {

fs::path with_suffix(const fs::path& folder, const std::string& suffix) {
  return folder.string() + suffix;
}

// Where a link leads, if it is one: what it names is written, and the link stays.
fs::path behind_links(const fs::path& folder) {
  if (!fs::is_symlink(folder)) return folder;
  if (!fs::exists(folder))
    throw usage_error(fmt::format("{}: found a link to nothing", folder.string()));
  return fs::canonical(folder);
}

std::vector<fs::path> missing_parents(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(folder).parent_path(); !fs::exists(at); at = at.parent_path())
    missing.push_back(at);
  return missing;
}

}  // namespace

OutputFolder::OutputFolder(const OutputRequest& request) {
  // "model/" names the folder "model": what is written beside it must not land in it.
  const fs::path given = request.out;
  const fs::path named = given.has_filename() ? given : given.parent_path();
  folder_ = behind_links(named);
  checkpoint_ = with_suffix(named, ".partial");
  for (const fs::path& path : {folder_, checkpoint_})
    check_can_write(fs::absolute(path).parent_path());
  parents_ = missing_parents(folder_);
  const fs::path lock = with_suffix(folder_, ".lock");
  const bool killed = fs::exists(lock);
  lock_ = std::make_unique<FileLock>(lock, folder_);
  for (const fs::path& path : {folder_, checkpoint_}) remove_leftovers(path);
  check_existing(request);
  if (request.resume && !finished_) check_resumable(request, killed);
}

OutputFolder::~OutputFolder() {
  lock_.reset();
  std::error_code ignored;  // one that is not empty stays
  for (const fs::path& parent : parents_) fs::remove(parent, ignored);
}

void OutputFolder::check_existing(const OutputRequest& request) {
  const bool interrupted = fs::exists(checkpoint_);
  if (interrupted) check_is_checkpoint(checkpoint_);
  if (fs::exists(folder_)) {
    const std::string run = run_of(folder_ / request.notes);
    const bool by_that_run = interrupted ? !run.empty() && run == run_of(checkpoint_ / "state.json")
                                         : !request.overwrite;
    finished_ = request.resume && by_that_run &&
                has_flags(folder_ / (request.verb + ".toml"), request.given);
    if (finished_) {
      remark(fmt::format("{} is finished; nothing is left to be done", request.out));
      if (interrupted) remove_folder_atomically(checkpoint_);
      return;
    }
    if (!request.overwrite)
      throw usage_error(
          fmt::format("{} exists; choose another --out or add --overwrite", request.out));
    check_is_written_by_us(folder_);
  }
  if (interrupted && !request.resume)
    remark(fmt::format("{} holds an interrupted run; starting anew (--resume would go on with it)",
                       checkpoint_.string()));
}

void OutputFolder::check_resumable(const OutputRequest& request, bool killed) {
  resume_ = fs::exists(checkpoint_);
  if (resume_) return;
  if (!killed)
    throw bad_input(
        fmt::format("{}: there is no interrupted run to resume here", checkpoint_.string()));
  remark(fmt::format("{}: the run was killed before it had a state; starting anew", request.out));
}

}  // namespace textcrs::cli
