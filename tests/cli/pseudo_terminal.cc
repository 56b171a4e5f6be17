#include "pseudo_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <stdexcept>

namespace textcrs::cli_test {
namespace {

class PseudoTerminal {
 public:
  PseudoTerminal() : master_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0)
      throw std::runtime_error("no pseudo terminal");
    // Held open, so that the terminal does not hang up before the program has opened it.
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~PseudoTerminal() {
    close(master_);
    close(slave_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  std::string path() const { return ptsname(master_); }

  // What is there to be read now; a terminal makes "\r\n" of every "\n".
  void read_into(std::string& text) {
    pollfd wanted = {master_, POLLIN, 0};
    char buffer[4096];
    while (poll(&wanted, 1, 10) > 0) {
      const ssize_t n = read(master_, buffer, sizeof buffer);
      if (n <= 0) return;
      text.append(buffer, static_cast<size_t>(n));
    }
  }

 private:
  int master_, slave_ = -1;
};

std::string with_plain_line_ends(std::string text) {
  for (size_t at; (at = text.find("\r\n")) != std::string::npos;) text.erase(at, 1);
  return text;
}

}  // namespace

Result run_on_terminal(OnTerminal streams, const Arguments& arguments,
                       const Environment& environment) {
  PseudoTerminal terminal;
  Process process(arguments, environment, "", streams == OnTerminal::kErrors ? "" : terminal.path(),
                  streams == OnTerminal::kOutput ? "" : terminal.path());
  std::string shown;
  while (process.running()) terminal.read_into(shown);
  terminal.read_into(shown);
  Result result = process.wait();
  (streams == OnTerminal::kErrors ? result.err : result.out) = with_plain_line_ends(shown);
  return result;
}

}  // namespace textcrs::cli_test
