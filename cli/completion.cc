#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "completion_scripts.h"

namespace textcrs::cli {

void add_completion(CLI::App& app) {
  auto* command = app.add_subcommand("completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "The shell: bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->footer(
      "Examples:\n"
      "  source <(textcrs completion bash)              # in ~/.bashrc\n"
      "  source <(textcrs completion zsh)               # in ~/.zshrc, behind compinit\n"
      "An installed program brings both: share/bash-completion and share/zsh.");
  command->callback([shell, &app] {
    fmt::print("{}", *shell == "bash" ? bash_completion(app) : zsh_completion(app));
  });
}

}  // namespace textcrs::cli
