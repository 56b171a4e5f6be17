// Other programs that look at what the program prints.
#pragma once

#include <cstdio>
#include <string>

namespace textcrs::cli_test {

struct ShellResult {
  int exit_code = -1;
  std::string out;  // what it prints on standard output
};

// `script` is run by /bin/sh.
inline ShellResult shell(const std::string& script) {
  ShellResult result;
  std::FILE* const pipe = popen(script.c_str(), "r");
  if (pipe == nullptr) return result;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    result.out.append(buffer, n);
  const int status = pclose(pipe);
  result.exit_code = status < 0 ? -1 : status >> 8;
  return result;
}

inline bool is_installed(const std::string& program) {
  return shell("command -v " + program).exit_code == 0;
}

}  // namespace textcrs::cli_test
