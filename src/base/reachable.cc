#include "textcrs/base/reachable.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

fs::file_status status_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw bad_input(fmt::format("{}: cannot be read ({})", path.string(), error.message()));
  return status;
}

}  // namespace

bool is_there(const fs::path& path) { return fs::exists(status_of(path)); }

bool is_folder(const fs::path& path) { return fs::is_directory(status_of(path)); }

}  // namespace textcrs
