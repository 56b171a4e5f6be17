#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command_names.h"
#include "commands.h"
#include "flag_values.h"
#include "man_page.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs::cli {
namespace {

// App::help() would show the command that was asked for help.
void show_help(const CLI::App& app, const std::vector<std::string>& names) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& name : names) {
    const CLI::App* const inner = find_command(*command, name);
    if (inner == nullptr)
      throw usage_error(fmt::format("{} has no command '{}'{}", path, name,
                                    did_you_mean(name, command_names(*command))));
    command = inner;
    path += " " + name;
  }
  fmt::print("{}", command->get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal));
}

}  // namespace

void add_help(CLI::App& app) {
  auto* command = app.add_subcommand("help", "What a command does and takes");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *names, "A command; none: the program")->type_name(kCommand);
  auto man = std::make_shared<bool>(false);
  command
      ->add_flag("--man", *man, "The whole manual, to be set by man: textcrs help --man | man -l -")
      ->configurable(false);
  command->footer("Examples:\n  textcrs help train\n  textcrs help data fetch");
  command->callback([names, man, &app] {
    if (*man)
      fmt::print("{}", man_page(app));
    else
      show_help(app, *names);
  });
}

}  // namespace textcrs::cli
