// How much memory a piece of work takes: what hostile files are measured by.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

namespace textcrs {

// The value of a line of /proc/self/status, in bytes.
inline std::optional<size_t> status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) << 10;
  return std::nullopt;
}

// The bytes that `work` holds at most beyond what the process held before it, in a child process:
// exceptions end it, and nothing it does is seen here. Pages of code that it is the first to run
// are not among them. Nothing where the system can not say, or a sanitizer holds memory of its own.
inline std::optional<size_t> peak_bytes_of(const std::function<void()>& work) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return std::nullopt;
#endif
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const bool reset = static_cast<bool>(std::ofstream("/proc/self/clear_refs") << 5 << std::flush);
    const auto before = status_bytes("VmRSS"), code_before = status_bytes("RssFile");
    try {
      work();
    } catch (const std::exception&) {
    }
    const auto peak = status_bytes("VmHWM"), code = status_bytes("RssFile");
    if (reset && before && code_before && peak && code) {
      const size_t held = *before + (*code > *code_before ? *code - *code_before : 0);
      const size_t taken = *peak > held ? *peak - held : 0;
      if (write(ends[1], &taken, sizeof(taken)) < 0) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  size_t taken = 0;
  const bool known = read(ends[0], &taken, sizeof(taken)) == sizeof(taken);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "ended by a signal";
  return known ? std::optional(taken) : std::nullopt;
}

// What a reader may take for a file of any content.
inline void expect_bounded_memory(const std::filesystem::path& file, const std::string& what,
                                  const std::function<void()>& read) {
  const size_t size = std::filesystem::file_size(file);
  const auto peak = peak_bytes_of(read);
  if (!peak) GTEST_SKIP() << "the peak of a process is not known here";
  EXPECT_LE(*peak, 10 * size + (size_t{64} << 20)) << what << ", a file of " << size << " bytes";
}

}  // namespace textcrs
