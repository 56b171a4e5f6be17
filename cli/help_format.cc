#include "help_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "flag_values.h"
#include "split.h"

namespace textcrs::cli {
namespace {

constexpr size_t kColumns = 100;

// Lines of at most `width` columns; a word that is longer has its own.
std::string wrapped(const std::string& text, size_t width) {
  std::string lines;
  size_t column = 0;
  for (const std::string& word : split(text, " ")) {
    const bool fits = column + 1 + word.size() <= width;
    if (column > 0) lines += fits ? ' ' : '\n';
    column = (column > 0 && fits ? column + 1 : 0) + word.size();
    lines += word;
  }
  return lines;
}

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string name = value_name(*option);
    return name.empty() || option->get_positional() ? "" : " " + name;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string remarks = value_remarks(*option);
    const std::string text = remarks.empty()
                                 ? option->get_description()
                                 : fmt::format("{} ({})", option->get_description(), remarks);
    return wrapped(text, kColumns - get_column_width());
  }

  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    return flags_around(*app) + CLI::Formatter::make_subcommands(app, mode);
  }

 private:
  // A command takes the program's flags, too.
  static std::string flags_around(const CLI::App& app) {
    const CLI::App* program = &app;
    while (program->get_parent() != nullptr) program = program->get_parent();
    if (program == &app) return "";
    std::vector<std::string> names;
    for (const CLI::Option* flag : program->get_options())
      if (flag != program->get_help_ptr()) names.push_back("--" + flag->get_lnames()[0]);
    return fmt::format("\nAnd, as every command: {} ({} --help)\n", fmt::join(names, ", "),
                       program->get_name());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<HelpFormat>(); }

}  // namespace textcrs::cli
