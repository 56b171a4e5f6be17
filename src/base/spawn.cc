#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "textcrs/base/error.h"

extern char** environ;

namespace textcrs {
namespace {

Error not_started(const std::string& program, int error) {
  return failed(program + " cannot be started (" + std::strerror(error) + ")");
}

class SpawnActions {
 public:
  SpawnActions() { check(posix_spawn_file_actions_init(&actions_)); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void duplicate(int from, int to) { check(posix_spawn_file_actions_adddup2(&actions_, from, to)); }
  void change_folder(const char* path) {
    check(posix_spawn_file_actions_addchdir_np(&actions_, path));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) throw not_started("a program", error);
  }
  posix_spawn_file_actions_t actions_;
};

class SpawnAttributes {
 public:
  SpawnAttributes() {
    if (const int error = posix_spawnattr_init(&attributes_); error != 0)
      throw not_started("a program", error);
    sigset_t none, ours;
    sigemptyset(&none);
    sigemptyset(&ours);
    for (const int number : {SIGPIPE, SIGXFSZ}) sigaddset(&ours, number);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &ours);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw failed(std::string("no pipe can be made (") + std::strerror(errno) + ")");
  reader = Descriptor(ends[0]);
  writer = Descriptor(ends[1]);
}

std::optional<pid_t> spawn(const std::vector<std::string>& arguments, const ChildEnds& ends,
                           const std::filesystem::path& folder) {
  SpawnActions actions;
  actions.duplicate(ends.input, 0);
  actions.duplicate(ends.output, 1);
  actions.duplicate(ends.error, 2);
  if (!folder.empty()) actions.change_folder(folder.c_str());
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const SpawnAttributes attributes;
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, argv[0], actions.get(), attributes.get(), argv.data(), environ);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) throw not_started(arguments[0], error);
  return child;
}

bool ends_within(pid_t child, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kLook(5);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == child)
      return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kLook);
  }
}

void end_group(pid_t child, std::chrono::milliseconds patience) {
  kill(-child, SIGTERM);
  ends_within(child, patience);
  kill(-child, SIGKILL);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

}  // namespace textcrs
