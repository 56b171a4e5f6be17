#include "man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "command_tree.h"
#include "flag_values.h"
#include "program_flags.h"
#include "split.h"
#include "textcrs/base/version.h"

namespace textcrs::cli {
namespace {

// troff's own characters, and a request's at the start of a line, as plain text.
std::string escaped(std::string_view text) {
  std::string safe = text.starts_with(".") || text.starts_with("'") ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else if (c == '\'')
      safe += "\\(aq";
    else if (c == '~')
      safe += "\\(ti";
    else if (c == '^')
      safe += "\\(ha";
    else if (c == '`')
      safe += "\\(ga";
    else
      safe += c;
  }
  return safe;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

bool is_example(const std::string& line) { return line.starts_with("  "); }

// Lines that are indented are kept as they are, the others become paragraphs. The first of them
// goes on with the section's.
std::string prose(const std::string& text) {
  std::string set;
  bool example = false, paragraph = false;
  for (const std::string& line : split(text, "\n")) {
    if (is_example(line) != example) {
      example = is_example(line);
      set += example ? ".PP\n.RS 4\n.EX\n" : ".EE\n.RE\n";
      paragraph = false;
    }
    if (line.empty()) {
      paragraph = false;
      continue;
    }
    if (!example && !paragraph && !set.empty()) set += ".PP\n";
    paragraph = !example;
    set += escaped(example ? std::string_view(line).substr(2) : std::string_view(line)) + "\n";
  }
  return set + (example ? ".EE\n.RE\n" : "");
}

// ".TP", the name, then what is said about it.
std::string entry(const std::string& name, const CLI::Option& option) {
  const std::string remarks = value_remarks(option);
  return fmt::format(".TP\n{}\n{}{}\n", name, escaped(option.get_description()),
                     remarks.empty() ? "" : escaped(fmt::format(" ({})", remarks)));
}

std::string flag_entry(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : names_of_flag(flag)) names.push_back(bold(name));
  const std::string value = value_name(flag);
  return entry(
      fmt::format("{}{}", fmt::join(names, ", "), value.empty() ? "" : " " + italic(value)), flag);
}

std::string entries(const Command& command) {
  std::string set;
  for (const CLI::Option* argument : command.arguments)
    set += entry(italic(argument->get_name()), *argument);
  for (const CLI::Option* flag : command.flags)
    if (flag != command.app->get_help_ptr() || command.path.empty()) set += flag_entry(*flag);
  return set;
}

// "textcrs data show [flags] name"
std::string usage(const Command& command) {
  std::string set = bold("textcrs " + command.path) + " [\\fIflags\\fR]";
  for (const CLI::Option* argument : command.arguments) {
    const std::string name =
        italic(argument->get_name()) + (is_repeated(*argument) ? " .\\|.\\|." : "");
    set += argument->get_required() ? " " + name : fmt::format(" [{}]", name);
  }
  return set;
}

std::string section(const Command& command) {
  const std::string footer = command.app->get_footer();
  const bool own_footer = footer != command.app->get_parent()->get_footer();  // else it is theirs
  return fmt::format(".SS \"textcrs {}\"\n{}.\n{}{}{}", escaped(command.path),
                     escaped(command.app->get_description()),
                     command.commands.empty() ? ".PP\n" + usage(command) + "\n" : "",
                     entries(command), own_footer ? ".PP\n" + prose(footer) : "");
}

}  // namespace

std::string man_page(const CLI::App& program) {
  const std::vector<Command> tree = command_tree(program);
  std::string commands;
  for (size_t i = 1; i < tree.size(); ++i) commands += section(tree[i]);
  return fmt::format(
      ".\\\" Printed by: textcrs help --man\n"
      ".TH TEXTCRS 1 \"\" \"textcrs {}\" \"User Commands\"\n"
      ".SH NAME\ntextcrs \\- certified robustness of text classifiers\n"
      ".SH SYNOPSIS\n\\fBtextcrs\\fR [\\fIflags\\fR] \\fIcommand\\fR [\\fIflags\\fR]\n"
      ".SH DESCRIPTION\n{}"
      ".SH OPTIONS\nThese go before every command or behind it.\n{}"
      ".SH COMMANDS\n{}"
      ".SH ENVIRONMENT\n{}"
      ".SH EXIT STATUS\n{}\n",
      version(), prose(program.get_description()), entries(tree[0]), commands,
      prose(kWhereFlagsComeFrom), escaped(kExitCodes));
}

}  // namespace textcrs::cli
