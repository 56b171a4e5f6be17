#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command_tree.h"
#include "completion_scripts.h"
#include "flag_values.h"

namespace textcrs::cli {
namespace {

constexpr const char* kStart = R"zsh(#compdef textcrs
# zsh completion of textcrs, printed by: textcrs completion zsh

# Offers words and, where the first argument is files or folders, those.
_textcrs_offer() {
  local paths=$1 expl ret=1
  shift
  local -a complete=(${@:#*[:=]}) begun=(${(M)@:#*[:=]})
  (( $#complete )) && _wanted values expl value compadd -a complete && ret=0
  (( $#begun )) && _wanted values expl value compadd -S '' -a begun && ret=0
  case $paths in
    files) _files && ret=0 ;;
    folders) _files -/ && ret=0 ;;
  esac
  return ret
}
)zsh";

constexpr const char* kEnd = R"zsh(
if [[ $funcstack[1] == _textcrs ]]; then
  _textcrs "$@"
else
  compdef _textcrs textcrs
fi
)zsh";

std::string replaced(std::string text, std::string_view old, std::string_view now) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
  return text;
}

// A part of a specification of _arguments: ":" ends it, and "]" an explanation.
std::string escaped(std::string text) {
  for (const char* special : {"\\", ":", "[", "]"})
    text = replaced(text, special, fmt::format("\\{}", special));
  return text;
}

std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string function_name(const std::string& path) {
  return "_textcrs" + (path.empty() ? "" : "_" + replaced(path, " ", "_"));
}

// ":NOISE: _textcrs_offer none universal\:p= .."
std::string value_part(const CLI::App& program, const std::string& name,
                       const CLI::Option& option) {
  const Suggestions suggestions = suggestions_for(program, option);
  using Paths = Suggestions::Paths;
  std::string action = " ";  // none
  if (suggestions.paths != Paths::kNone || !suggestions.words.empty())
    action = fmt::format(" _textcrs_offer {}{}{}",
                         suggestions.paths == Paths::kFiles     ? "files"
                         : suggestions.paths == Paths::kFolders ? "folders"
                                                                : "none",
                         suggestions.words.empty() ? "" : " ", fmt::join(suggestions.words, " "));
  return fmt::format(":{}:{}", escaped(name), escaped(action));
}

// One of a flag's names; the others, and itself, are not offered a second time.
std::string flag_spec(const CLI::App& program, const CLI::Option& flag, const std::string& name) {
  return quoted(fmt::format("({}){}{}[{}]{}", fmt::join(names_of_flag(flag), " "), name,
                            takes_value(flag) ? "=" : "", escaped(flag.get_description()),
                            takes_value(flag) ? value_part(program, value_name(flag), flag) : ""));
}

std::vector<std::string> specs(const CLI::App& program, const Command& command) {
  std::vector<std::string> list;
  for (const auto& flags : {command.flags, command.inherited})
    for (const CLI::Option* flag : flags)
      for (const std::string& name : names_of_flag(*flag))
        list.push_back(flag_spec(program, *flag, name));
  for (const CLI::Option* argument : command.arguments)
    list.push_back(quoted((is_repeated(*argument) ? "*" : "") +
                          value_part(program, argument->get_name(), *argument)));
  if (!command.commands.empty()) {
    list.push_back("'1: :->command'");
    list.push_back("'*:: :->rest'");
  }
  return list;
}

// The commands in a command, and the functions that know more of each.
std::string dispatch(const Command& command) {
  std::string described, cases;
  for (const CLI::App* inner : command.commands) {
    const std::string& name = inner->get_name();
    described += fmt::format("      {}\n",
                             quoted(name + ":" + replaced(inner->get_description(), ":", "\\:")));
    cases += fmt::format(
        "        {}) {} && ret=0 ;;\n", name,
        function_name(command.path.empty() ? name : fmt::format("{} {}", command.path, name)));
  }
  return fmt::format(
      "  case $state in\n"
      "    command)\n"
      "      commands=(\n{}      )\n"
      "      _describe -t commands command commands && ret=0\n"
      "      ;;\n"
      "    rest)\n"
      "      case $words[1] in\n{}      esac\n"
      "      ;;\n"
      "  esac\n",
      described, cases);
}

std::string function(const CLI::App& program, const Command& command) {
  return fmt::format(
      "\n{}() {{\n"
      "  local context state state_descr line curcontext=$curcontext ret=1\n"
      "  local -a commands\n"
      "  typeset -A opt_args\n"
      "  _arguments -C -s -S \\\n    {} && ret=0\n"
      "{}  return ret\n}}\n",
      function_name(command.path), fmt::join(specs(program, command), " \\\n    "),
      command.commands.empty() ? "" : dispatch(command));
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  std::string script = kStart;
  for (const Command& command : command_tree(program)) script += function(program, command);
  return script + kEnd;
}

}  // namespace textcrs::cli
