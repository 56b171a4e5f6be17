#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "command_names.h"
#include "command_tree.h"
#include "completion_scripts.h"
#include "flag_values.h"

namespace textcrs::cli {
namespace {

// Behind the tables, of which it asks: _textcrs_commands COMMAND, _textcrs_flags COMMAND, and
// _textcrs_value COMMAND FLAG or _textcrs_value COMMAND NUMBER for the arguments.
constexpr const char* kScript = R"bash(
_textcrs() {
  local word command='' flag='' prefix='' value offered='' paths='' before='' i arguments=1
  local -a line=()

  # bash cuts the line also at ":" and "=".
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word && -z ${word//[:=]/} ||
      ${COMP_WORDS[i - 1]} && -z ${COMP_WORDS[i - 1]//[:=]/} ]]; then
      line[${#line[@]} - 1]+=$word
    else
      line+=("$word")
    fi
  done
  value=${line[${#line[@]} - 1]}

  for word in "${line[@]:0:${#line[@]}-1}"; do
    if [[ $flag ]]; then
      flag=''
    elif [[ $word == -*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      [[ $(_textcrs_value "$command" "$word") ]] && flag=$word
    elif [[ " $(_textcrs_commands "$command") " == *" $word "* ]]; then
      command+=${command:+ }$word
    else
      ((arguments++))
    fi
  done

  if [[ -z $flag && $value == --*=* ]]; then
    flag=${value%%=*}
    prefix=$flag=
    value=${value#*=}
  fi
  if [[ $flag ]]; then
    offered=$(_textcrs_value "$command" "$flag")
  elif [[ $value != -* ]]; then
    offered=$(_textcrs_commands "$command")
    offered=${offered:+none $offered}
    [[ $offered ]] || offered=$(_textcrs_value "$command" "$arguments")
  fi
  [[ $offered ]] || offered="none $(_textcrs_flags "$command")"
  paths=${offered%% *}
  offered=${offered#"$paths"}

  # The shell replaces only what is behind the last character at which it cuts.
  word=$prefix$value
  for i in : =; do
    if [[ $COMP_WORDBREAKS == *"$i"* && $word == *"$i"* ]]; then
      flag=${word%"${word##*"$i"}"}
      ((${#flag} > ${#before})) && before=$flag
    fi
  done
  COMPREPLY=()
  while IFS= read -r word; do
    word=$prefix$word
    [[ $word == *[:=] ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("${word#"$before"}")
  done < <(
    compgen -W "$offered" -- "$value"
    case $paths in
    files) compgen -f -- "$value" ;;
    folders) compgen -d -- "$value" ;;
    esac
  )
  if [[ $paths == none ]]; then
    compopt +o default 2>/dev/null
  else
    compopt -o filenames 2>/dev/null
  fi
  return 0
}

complete -o default -F _textcrs textcrs
)bash";

const char* paths_name(Suggestions::Paths paths) {
  if (paths == Suggestions::Paths::kFiles) return "files";
  return paths == Suggestions::Paths::kFolders ? "folders" : "none";
}

std::string row(const std::string& pattern, const std::string& words) {
  return fmt::format("  {}) echo '{}' ;;\n", pattern, words);
}

std::string table(const std::string& name, const std::string& subject, const std::string& rows) {
  return fmt::format("\n{}() {{\n  case {} in\n{}  esac\n}}\n", name, subject, rows);
}

std::string value_row(const CLI::App& program, const std::string& pattern,
                      const CLI::Option& option) {
  const Suggestions suggestions = suggestions_for(program, option);
  return row(pattern,
             fmt::format("{}{}{}", paths_name(suggestions.paths),
                         suggestions.words.empty() ? "" : " ", fmt::join(suggestions.words, " ")));
}

std::string value_rows(const CLI::App& program, const Command& command) {
  std::string rows;
  for (const auto& flags : {command.flags, command.inherited})
    for (const CLI::Option* flag : flags)
      if (takes_value(*flag)) {
        std::vector<std::string> patterns;
        for (const std::string& name : names_of_flag(*flag))
          patterns.push_back(fmt::format("'{} {}'", command.path, name));
        rows += value_row(program, fmt::format("{}", fmt::join(patterns, " | ")), *flag);
      }
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const CLI::Option& argument = *command.arguments[i];
    rows += value_row(program,
                      is_repeated(argument) ? fmt::format("'{} '[0-9]*", command.path)
                                            : fmt::format("'{} {}'", command.path, i + 1),
                      argument);
  }
  return rows;
}

std::string flag_row(const Command& command) {
  std::vector<std::string> names;
  for (const auto& flags : {command.flags, command.inherited})
    for (const CLI::Option* flag : flags)
      for (const std::string& name : names_of_flag(*flag)) names.push_back(name);
  return row(fmt::format("'{}'", command.path), fmt::format("{}", fmt::join(names, " ")));
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string commands, flags, values;
  for (const Command& command : command_tree(program)) {
    if (!command.commands.empty())
      commands += row(fmt::format("'{}'", command.path),
                      fmt::format("{}", fmt::join(command_names(*command.app), " ")));
    flags += flag_row(command);
    values += value_rows(program, command);
  }
  return "# bash completion of textcrs, printed by: textcrs completion bash\n" +
         table("_textcrs_commands", "$1", commands) + table("_textcrs_flags", "$1", flags) +
         "\n# What is offered for a value, \"none\", \"files\" or \"folders\", then words; nothing "
         "where none is taken." +
         table("_textcrs_value", "\"$1 $2\"", values) + kScript;
}

}  // namespace textcrs::cli
