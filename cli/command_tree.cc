#include "command_tree.h"

#include <CLI/CLI.hpp>

namespace textcrs::cli {
namespace {

void add(const CLI::App& app, const std::string& path,
         const std::vector<const CLI::Option*>& inherited, std::vector<Command>& tree) {
  Command command{path, &app, app.get_subcommands({}), {}, inherited, {}};
  std::vector<const CLI::Option*> handed_on = inherited;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      command.arguments.push_back(option);
      continue;
    }
    command.flags.push_back(option);
    if (option != app.get_help_ptr()) handed_on.push_back(option);
  }
  tree.push_back(command);
  for (const CLI::App* inner : command.commands)
    add(*inner, path.empty() ? inner->get_name() : path + " " + inner->get_name(), handed_on, tree);
}

}  // namespace

std::vector<Command> command_tree(const CLI::App& program) {
  std::vector<Command> tree;
  add(program, "", {}, tree);
  return tree;
}

std::vector<std::string> names_of_flag(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.get_snames()) names.push_back("-" + name);
  for (const std::string& name : flag.get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_repeated(const CLI::Option& argument) {
  return argument.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
}

}  // namespace textcrs::cli
