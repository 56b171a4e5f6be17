#include "suite/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/write_whole.h"
#include "textcrs/base/error.h"
#include "textcrs/suite/manifest.h"

extern char** environ;

namespace textcrs {
namespace {

namespace fs = std::filesystem;

class File {
 public:
  // One of a suite's folder, written through no link.
  File(const fs::path& path, int flags)
      : fd_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {
    if (fd_ < 0)
      throw failed(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(errno)));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Flags have variables, too: what is not on a step's command line must not decide it.
std::vector<char*> environment_of_steps() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("TEXTCRS_") || text.starts_with("TEXTCRS_HOME=") ||
        text.starts_with("TEXTCRS_KEY="))
      kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

// In the child between fork and exec; what is called here may be called there.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment,
                         int output, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int input = open("/dev/null", O_RDONLY);
  if (getppid() == parent && input >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 &&
      dup2(log, 2) == 2) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
    execve(program, arguments, environment);
    constexpr std::string_view kSaid = "the program cannot be started\n";
    [[maybe_unused]] const ssize_t written = write(2, kSaid.data(), kSaid.size());
  }
  _exit(127);
}

}  // namespace

Child::Child(const fs::path& program, const std::vector<std::string>& arguments,
             const fs::path& log, const fs::path& output) {
  const File log_file(log, O_WRONLY | O_CREAT | O_APPEND);
  write_whole(log_file.get(), "$ " + in_shell_words(arguments) + "\n");
  const File output_file(output.empty() ? log : output,
                         output.empty() ? O_WRONLY | O_APPEND : O_WRONLY | O_CREAT | O_TRUNC);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::vector<char*> environment = environment_of_steps();
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0)
    become(program.c_str(), argv.data(), environment.data(), output_file.get(), log_file.get(),
           parent);
  if (pid_ < 0)
    throw failed(fmt::format("{} cannot be started ({})", program.string(), std::strerror(errno)));
  setpgid(pid_, pid_);
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

Child::~Child() {
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::signal(int number) const {
  if (pid_ > 0) kill(-pid_, number);
}

std::optional<int> Child::ended() {
  int status = 0;
  const pid_t waited = waitpid(pid_, &status, WNOHANG);
  if (waited == 0 || (waited < 0 && errno == EINTR)) return std::nullopt;
  pid_ = -1;
  if (waited < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string last_line(const fs::path& file) {
  constexpr std::streamoff kMost = 4096;
  std::ifstream in(file, std::ios::binary);
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  if (size <= 0) return "";
  in.seekg(std::max<std::streamoff>(0, size - kMost));
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

void wait_until_free(const fs::path& lock, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const int fd = open(lock.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const bool free = flock(fd, LOCK_SH | LOCK_NB) == 0;
    close(fd);
    if (free) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace textcrs
