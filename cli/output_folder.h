// Where a verb that trains writes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/base/file_lock.h"

namespace textcrs::cli {

struct OutputRequest {
  std::string verb;   // train: OUT/train.toml has its flags
  std::string notes;  // training.json: what OUT/training.json says of the run, its member "run" too
  std::string out;
  std::string given;  // the flags as they were given, lines of TOML
  bool overwrite = false, resume = false;
};

// Holds OUT locked against others as long as it lives.
class OutputFolder {
 public:
  // A usage Error if OUT exists and may not be replaced: without --overwrite, or because it has
  // what no verb that trains has written. One, too, if another process writes there. A bad_input
  // Error if there is nothing to resume, and a failed Error if nothing can be written. Finishes
  // what a killed process had begun, and says so if there is an interrupted run that will be
  // forgotten.
  explicit OutputFolder(const OutputRequest& request);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& checkpoint() const { return checkpoint_; }  // OUT.partial
  bool resume() const { return resume_; }  // whether there is a state to go on with
  // Whether the run that is to be resumed had written OUT before it was killed: nothing is left to
  // be done.
  bool is_finished() const { return finished_; }

 private:
  void check_existing(const OutputRequest& request);
  void check_resumable(const OutputRequest& request, bool killed);

  std::filesystem::path folder_, checkpoint_;
  std::vector<std::filesystem::path> parents_;  // that were made here, innermost first
  std::unique_ptr<FileLock> lock_;
  bool resume_ = false, finished_ = false;
};

// What work() returns; if it is interrupted, the message says how to go on.
template <typename Work>
auto resumable(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw Error(error.kind(), std::string(error.what()) + "; go on with --resume");
  }
}

}  // namespace textcrs::cli
