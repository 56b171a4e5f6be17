#include "failure_message.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "command_names.h"
#include "style.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::cli {
namespace {

// The last of the commands that were understood.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

// Of the command and those above it, whose flags it takes, too.
std::vector<std::string> flag_names(const CLI::App* command, const std::string& dashes) {
  std::vector<std::string> names;
  for (; command != nullptr; command = command->get_parent())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back(dashes + name);
  return names;
}

struct Complaint {
  std::string what, suggestion;  // the suggestion may be empty
};

Complaint unknown_flag(const CLI::App& command, const std::string& argument) {
  const std::string flag = argument.substr(0, argument.find('='));
  const size_t name = std::min(flag.find_first_not_of('-'), flag.size());
  return {fmt::format("{} has no flag '{}'", command.get_name(), flag),
          did_you_mean("--" + flag.substr(name), flag_names(&command, "--"))};
}

// What is wrong with the first argument that was not understood.
std::optional<Complaint> unknown_argument(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) return std::nullopt;
  const CLI::App& command = innermost(app);
  if (left[0].starts_with("-")) return unknown_flag(command, left[0]);
  if (!command.get_subcommands({}).empty())
    return Complaint{fmt::format("{} has no command '{}'", command.get_name(), left[0]),
                     did_you_mean(left[0], command_names(command))};
  return Complaint{fmt::format("found '{}', which is no flag of {}", left[0], command.get_name()),
                   ""};
}

// CLI11 names the key with its section: "sample.number".
std::optional<Complaint> unknown_key(const CLI::App& app, std::string_view message) {
  constexpr std::string_view kStart = "INI was not able to parse ";
  if (!message.starts_with(kStart)) return std::nullopt;
  const std::string key(message.substr(kStart.size()));
  const CLI::App* command = &app;
  size_t begin = 0;
  for (size_t dot; (dot = key.find('.', begin)) != std::string::npos; begin = dot + 1) {
    const std::string section = key.substr(begin, dot - begin);
    const CLI::App* const inner = find_command(*command, section);
    if (inner == nullptr)
      return Complaint{fmt::format("the configuration file has the unknown section [{}]", section),
                       did_you_mean(section, command_names(*command))};
    command = inner;
  }
  return Complaint{fmt::format("the configuration file has the unknown key '{}'", key),
                   did_you_mean(key.substr(begin), flag_names(command, ""))};
}

std::optional<Complaint> complaint_of(const CLI::App& app, const CLI::Error& error) {
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (kind == CLI::ExitCodes::ConfigError) return unknown_key(app, error.what());
  if (kind == CLI::ExitCodes::ExtrasError) return unknown_argument(app);
  if (kind != CLI::ExitCodes::RequiredError) return std::nullopt;
  // What is missing may have been misspelled.
  const auto unknown = unknown_argument(app);
  const bool wants_command = !innermost(app).get_subcommands({}).empty();
  return unknown && (wants_command || !unknown->suggestion.empty()) ? unknown : std::nullopt;
}

}  // namespace

std::string error_line(std::string_view what) {
  return fmt::format("textcrs: {} {}\n", styled(Style::kError, "error:", stderr),
                     printable_lines(what));
}

std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  const auto complaint = complaint_of(*app, error);
  return error_line(complaint ? complaint->what + complaint->suggestion : error.what()) +
         "Run with --help for more information.\n";
}

}  // namespace textcrs::cli
