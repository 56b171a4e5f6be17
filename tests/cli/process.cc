#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <stdexcept>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

// A file in memory: the program can write as much as it likes before anyone reads.
int memory_file(const std::string& content) {
  const int fd = memfd_create("textcrs-test", MFD_CLOEXEC);
  if (fd < 0 || write(fd, content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
      lseek(fd, 0, SEEK_SET) != 0)
    throw std::runtime_error("no file in memory");
  return fd;
}

// What is written goes to the file, or into memory if none is named.
int output_to(const std::string& file) {
  return file.empty() ? memory_file("") : open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

std::string content_of(int fd) {
  std::string content;
  char buffer[1 << 16];
  for (ssize_t n; (n = pread(fd, buffer, sizeof buffer, static_cast<off_t>(content.size()))) > 0;)
    content.append(buffer, static_cast<size_t>(n));
  return content;
}

std::vector<std::string> variables(const Environment& environment) {
  std::vector<std::string> list;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable, name = text.substr(0, text.find('='));
    if (!text.starts_with("TEXTCRS_") && !environment.contains(name)) list.push_back(text);
  }
  list.push_back("TEXTCRS_HOME=" + workspace().home().string());
  for (const auto& [name, value] : environment) list.push_back(name + "=" + value);
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& string : strings) list.push_back(string.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Process::Process(const Arguments& arguments, const Environment& environment,
                 const std::string& input, const std::string& output, const std::string& errors,
                 const std::string& pipe) {
  std::vector<std::string> argument_list = {TEXTCRS_PROGRAM},
                           variable_list = variables(environment);
  argument_list.insert(argument_list.end(), arguments.begin(), arguments.end());
  const std::vector<char*> argv = pointers(argument_list), envp = pointers(variable_list);
  const int in = pipe.empty() ? memory_file(input) : open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  out_ = output_to(output);
  err_ = output_to(errors);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in, STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    execve(TEXTCRS_PROGRAM, argv.data(), envp.data());
    _exit(127);
  }
  close(in);
  if (pid_ < 0) throw std::runtime_error("fork failed");
}

Process::~Process() {
  if (!ended_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
  close(out_);
  close(err_);
}

bool Process::running() {
  if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return !ended_;
}

void Process::signal(int number) {
  if (running()) kill(pid_, number);
}

Result Process::wait() {
  while (!ended_) {
    if (waitpid(pid_, &status_, 0) == pid_)
      ended_ = true;
    else if (errno != EINTR)
      throw std::runtime_error("waitpid failed");
  }
  return {WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_), content_of(out_),
          content_of(err_)};
}

Result run(const Arguments& arguments, const Environment& environment, const std::string& input) {
  return Process(arguments, environment, input).wait();
}

std::vector<Result> run_all(const std::vector<Arguments>& commands,
                            const Environment& environment) {
  std::vector<std::unique_ptr<Process>> processes;
  for (const Arguments& command : commands)
    processes.push_back(std::make_unique<Process>(command, environment));
  std::vector<Result> results;
  for (const auto& process : processes) results.push_back(process->wait());
  return results;
}

bool runs_until(Process& process, const std::function<bool()>& reached) {
  while (!reached()) {
    if (!process.running()) return false;
    usleep(1000);
  }
  return true;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

nlohmann::json json_of(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace textcrs::cli_test
