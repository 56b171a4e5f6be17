#include "base/regular_file.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace fs = std::filesystem;

std::string read_regular_file(const fs::path& path) {
  std::error_code ignored;  // read_file() says why
  if (fs::is_other(fs::status(path, ignored)))
    throw bad_input(fmt::format("{}: expected a regular file", path.string()));
  return read_file(path);
}

}  // namespace textcrs
