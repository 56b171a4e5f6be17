// The program's commands, flags and arguments, as those see them who describe them to others.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"

namespace CLI {
class Option;
}

namespace textcrs::cli {

struct Command {
  std::string path;                           // "data fetch"; empty: the program
  const CLI::App* app;                        // what CLI11 knows
  std::vector<const CLI::App*> commands;      // those in it
  std::vector<const CLI::Option*> flags;      // its own
  std::vector<const CLI::Option*> inherited;  // those of the commands around it but for their help
  std::vector<const CLI::Option*> arguments;  // in their order
};

// The program, then each command, followed by those in it.
std::vector<Command> command_tree(const CLI::App& program);

// "-q", "--quiet"
std::vector<std::string> names_of_flag(const CLI::Option& flag);

// As many as one likes, the last of the arguments.
bool is_repeated(const CLI::Option& argument);

}  // namespace textcrs::cli
