#include "run_names.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"

namespace textcrs::cli {

namespace fs = std::filesystem;

RunArgument parse_run_argument(const std::string& argument) {
  const size_t sign = argument.find('=');
  std::error_code ignored;
  if (sign == std::string::npos || fs::is_directory(argument, ignored)) {
    fs::path folder = fs::path(argument).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    return {folder.filename().string(), argument};
  }
  const std::string name = argument.substr(0, sign);
  if (name.empty()) throw usage_error(fmt::format("{}: expected a name before the '='", argument));
  return {name, argument.substr(sign + 1)};
}

}  // namespace textcrs::cli
