#include "program_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "config_file.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/version.h"
#include "textcrs/kernels/isa.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::cli {
namespace {

// "textcrs 0.2.0 (commit abc1234, avx512)"
std::string version_line() {
  return fmt::format("textcrs {} ({}{})", version(),
                     commit().empty() ? "" : fmt::format("commit {}, ", commit()),
                     to_string(best_isa(Precision::kBf16)));
}

constexpr std::string_view kPrefix = "TEXTCRS_";

// Help and version are asked for, not set.
bool has_twin(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return !names.empty() && names[0] != "help" && names[0] != "version";
}

std::string twin_of(const CLI::Option& option) {
  std::string name = std::string(kPrefix) + option.get_lnames()[0];
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return name;
}

void add_twins(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options())
    if (has_twin(*option)) names.push_back(twin_of(*option));
  for (const CLI::App* command : app.get_subcommands({})) add_twins(*command, names);
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
  add_config_file(app);
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.parse_complete_callback([&app] { warn_of_unknown_variables(app); });
  app.set_version_flag("-v,--version", version_line, "Print the version and exit");
}

void add_environment_twins(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (has_twin(*option)) option->envname(twin_of(*option));
  for (CLI::App* command : app.get_subcommands({})) add_environment_twins(*command);
}

void warn_of_unknown_variables(const CLI::App& app) {
  std::vector<std::string> known = {"TEXTCRS_HOME"};
  add_twins(app, known);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable, name = text.substr(0, text.find('='));
    if (!name.starts_with(kPrefix) || std::find(known.begin(), known.end(), name) != known.end())
      continue;
    remark(fmt::format("the environment variable {} is none of textcrs and has no effect{}",
                       printable_name(name), did_you_mean(name, known)));
  }
}

}  // namespace textcrs::cli
