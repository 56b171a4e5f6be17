#include "input_lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "terminal.h"
#include "textcrs/base/error.h"

namespace textcrs::cli {
namespace {

// Appends what there is on standard input to `content`; false at its end.
bool read_more(std::string& content) {
  const StopToken stop = stop_token();
  std::array<char, 1 << 16> bytes;
  while (true) {
    stop.check();
    std::array<pollfd, 2> waiting = {{{STDIN_FILENO, POLLIN, 0}, {stop_descriptor(), POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 || waiting[0].revents == 0) continue;
    const ssize_t size = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (size > 0) content.append(bytes.data(), static_cast<size_t>(size));
    if (size >= 0) return size > 0;
    if (errno != EINTR && errno != EAGAIN)
      throw failed(fmt::format("standard input: cannot be read ({})", std::strerror(errno)));
  }
}

}  // namespace

bool InputLines::next(std::string& line) {
  size_t end = read_.find('\n');
  while (end == std::string::npos && !ended_) {
    const size_t searched = read_.size();
    ended_ = !read_more(read_);
    end = read_.find('\n', searched);
  }
  if (end == std::string::npos && read_.empty()) return false;
  line = read_.substr(0, end);
  read_.erase(0, end == std::string::npos ? end : end + 1);
  return true;
}

}  // namespace textcrs::cli
