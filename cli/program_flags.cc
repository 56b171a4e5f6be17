#include "program_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "style.h"
#include "terminal.h"
#include "textcrs/base/version.h"
#include "textcrs/kernels/isa.h"

namespace textcrs::cli {
namespace {

// "textcrs 0.2.0 (commit abc1234, avx512)"
std::string version_line() {
  return fmt::format("textcrs {} ({}{})", version(),
                     commit().empty() ? "" : fmt::format("commit {}, ", commit()),
                     to_string(best_isa(Precision::kBf16)));
}

}  // namespace

void add_program_flags(CLI::App& app) {
  app.set_help_flag("-h,--help", "Print this help and exit");
  // Before all that may be refused: the message about it has colour, or not.
  app.add_option_function<std::string>("--color", choose_color,
                                       "Whether to colour the output; auto: on a terminal, unless "
                                       "$NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->default_str("auto");
  app.add_flag_function(
      "-q,--quiet",
      [](int64_t times) {
        if (times > 0) be_quiet();
      },
      "Print results and errors only: no progress, no remarks");
  app.set_config("--config", "", "A TOML file with flags");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.set_version_flag("-v,--version", version_line, "Print the version and exit");
}

void add_environment_twins(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
    std::string name = "TEXTCRS_" + option->get_lnames()[0];
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    option->envname(name);
  }
  for (CLI::App* command : app.get_subcommands({})) add_environment_twins(*command);
}

}  // namespace textcrs::cli
