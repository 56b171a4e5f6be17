#include "data/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>

#include "base/spawn.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr size_t kKeptOutput = 64 * 1024;

// Waits so long for something to read, or its end; false if nothing came.
bool can_read(int fd, int milliseconds) {
  pollfd waiting = {fd, POLLIN, 0};
  return poll(&waiting, 1, milliseconds) > 0;
}

// Reads until the end, or a stop is requested.
std::string read_tail(int fd, StopToken stop) {
  constexpr int kLook = 50;  // milliseconds between two looks at the token
  std::string output;
  std::array<char, 4096> buffer;
  while (!stop.stop_requested()) {
    if (!can_read(fd, kLook)) continue;
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.append(buffer.data(), static_cast<size_t>(got));
    if (output.size() > 2 * kKeptOutput) output.erase(0, output.size() - kKeptOutput);
  }
  if (output.size() > kKeptOutput) output.erase(0, output.size() - kKeptOutput);
  return output;
}

}  // namespace

ChildResult run_program(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder, const std::filesystem::path& input,
                        StopToken stop) {
  stop.check();
  const Descriptor opened(open(input.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open())
    throw failed(fmt::format("{} cannot be read ({})", input.string(), std::strerror(errno)));
  Pipe pipe;
  const ChildEnds ends{opened.get(), pipe.writer.get(), pipe.writer.get()};
  ChildResult result;
  const std::optional<pid_t> child = spawn(arguments, ends, folder);
  if (!child) {
    result.found = false;
    return result;
  }
  pipe.writer.reset();
  result.output = read_tail(pipe.reader.get(), stop);
  if (stop.stop_requested()) end_group(*child);
  const int status = wait_for(*child);
  stop.check();
  if (status < 0) throw failed(fmt::format("{} was lost ({})", arguments[0], std::strerror(errno)));
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string describe_failure(const std::string& program, const ChildResult& result) {
  if (!result.found) return fmt::format("{} was not found on PATH", program);
  std::string telling, line;
  std::istringstream lines(result.output);
  while (std::getline(lines, line)) {
    while (!line.empty() && static_cast<unsigned char>(line.back()) <= ' ') line.pop_back();
    if (line.empty() || line.starts_with("tar: Exiting with failure status")) continue;
    telling = line;
    if (line.starts_with("npm error code ") || line.starts_with("npm ERR! code ")) break;
  }
  const std::string how = result.signal != 0 ? fmt::format("was ended by signal {}", result.signal)
                                             : fmt::format("exited with code {}", result.exit_code);
  return fmt::format("{} {} ({})", program, how,
                     telling.empty() ? "it printed nothing" : telling.substr(0, 200));
}

}  // namespace textcrs
