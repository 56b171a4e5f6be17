// Other programs, started without a shell: their pipes, and their end.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// An open file; closed with the value.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

// No child inherits its ends but as its standard input, output or error. A failed Error if there
// are too many open files.
struct Pipe {
  Pipe();
  Descriptor reader, writer;
};

// What a child has as its standard input, output and error.
struct ChildEnds {
  int input = 0, output = 1, error = 2;
};

// Starts arguments[0], looked up on PATH, in `folder` (empty: where this process is), with the
// signals of a fresh process. It leads a process group of its own: a signal to the group reaches
// what it has started, too, and a terminal's Ctrl-C only through this process. Nothing if there is
// no such program; a failed Error if the machine can not start it. Whoever calls this waits for it.
std::optional<pid_t> spawn(const std::vector<std::string>& arguments, const ChildEnds& ends,
                           const std::filesystem::path& folder = {});

// Whether the child has ended within so long; its status is not taken.
bool ends_within(pid_t child, std::chrono::milliseconds patience);

// Ends the child and all it has started; it has so long to do so by itself after a SIGTERM.
void end_group(pid_t child, std::chrono::milliseconds patience = std::chrono::seconds(2));

// Waits for the child's end and takes its status; -1 if it was lost.
int wait_for(pid_t child);

}  // namespace textcrs
