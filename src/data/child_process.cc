#include "data/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "textcrs/base/error.h"

extern char** environ;

namespace textcrs {
namespace {

constexpr size_t kKeptOutput = 64 * 1024;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

class SpawnActions {
 public:
  SpawnActions() { check(posix_spawn_file_actions_init(&actions_)); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void open_input(const char* path) {
    check(posix_spawn_file_actions_addopen(&actions_, 0, path, O_RDONLY, 0));
  }
  void duplicate(int from, int to) { check(posix_spawn_file_actions_adddup2(&actions_, from, to)); }
  void change_folder(const char* path) {
    check(posix_spawn_file_actions_addchdir_np(&actions_, path));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0)
      throw failed(fmt::format("a program cannot be started ({})", std::strerror(error)));
  }
  posix_spawn_file_actions_t actions_;
};

// In a process group of its own: a signal reaches what it has started, too, and a terminal's Ctrl-C
// only through this process.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    if (posix_spawnattr_init(&attributes_) != 0)
      throw failed("a program cannot be started (out of memory)");
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

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

// Ends the child and all it has started; it has two seconds to do so by itself.
void end(pid_t child) {
  constexpr int kLooks = 100, kLook = 20'000;  // microseconds
  kill(-child, SIGTERM);
  for (int look = 0; look < kLooks; ++look) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == child)
      break;
    usleep(kLook);
  }
  kill(-child, SIGKILL);
}

// Waits for the child's end; -1 if it was lost.
int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

}  // namespace

ChildResult run_program(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder, const std::filesystem::path& input,
                        StopToken stop) {
  stop.check();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw failed(fmt::format("{} cannot be started ({})", arguments[0], std::strerror(errno)));
  Descriptor reader(ends[0]), writer(ends[1]);
  SpawnActions actions;
  actions.open_input(input.c_str());  // before the change of folder, for a relative path
  actions.duplicate(writer.get(), 1);
  actions.duplicate(writer.get(), 2);
  actions.change_folder(folder.c_str());

  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ChildResult result;
  pid_t child = 0;
  const SpawnAttributes attributes;
  const int error =
      posix_spawnp(&child, argv[0], actions.get(), attributes.get(), argv.data(), environ);
  if (error == ENOENT) {
    result.found = false;
    return result;
  }
  if (error != 0)
    throw failed(fmt::format("{} cannot be started ({})", arguments[0], std::strerror(error)));
  writer.reset();
  result.output = read_tail(reader.get(), stop);
  if (stop.stop_requested()) end(child);
  const int status = status_of(child);
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
