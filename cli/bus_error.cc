#include "bus_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <string_view>

#include "textcrs/base/error.h"

namespace textcrs::cli {
namespace {

// Everything below runs within a signal handler: system calls alone, no memory but the stack.

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Whether a terminal may obey the byte: a control character of ASCII, or one from U+0080 to U+009F,
// of which the byte may be the second, or all where it does not go on with a character.
bool is_control(unsigned char before, unsigned char byte) {
  return byte < 0x20 || byte == 0x7f ||
         (byte >= 0x80 && byte < 0xa0 && (before < 0x80 || before == 0xc2));
}

// A path, of which a terminal obeys nothing: control characters are question marks.
void say_name(std::string_view name) {
  size_t said = 0;
  unsigned char before = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (is_control(before, byte)) {
      say(name.substr(said, i - said));
      say("?");
      said = i + 1;
    }
    before = byte;
  }
  say(name.substr(said));
}

// A number in base 16, cut off `text` with the character behind it.
uintptr_t take_number(std::string_view& text) {
  uintptr_t number = 0;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c >= '0' && c <= '9')
      number = number * 16 + static_cast<uintptr_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      number = number * 16 + static_cast<uintptr_t>(c - 'a' + 10);
    else
      break;
  }
  return number;
}

// Says the path of a line of /proc/self/maps, "7f00-7f01 r--p 00000000 08:01 42   /a/path", if the
// line is about the address.
bool say_path(std::string_view line, uintptr_t address) {
  const uintptr_t begin = take_number(line), end = take_number(line);
  const size_t path = line.find('/');
  if (address < begin || address >= end || path == line.npos) return false;
  say("textcrs: error: ");
  say_name(line.substr(path));
  return true;
}

// Says which file is mapped at the address; false if none is.
bool say_file_at(uintptr_t address) {
  std::array<char, 8192> buffer;
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t kept = 0;
  bool said = false;
  while (!said) {
    const ssize_t got = read(fd, buffer.data() + kept, buffer.size() - kept);
    if (got <= 0) break;
    std::string_view text(buffer.data(), kept + static_cast<size_t>(got));
    for (size_t end; !said && (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
      said = say_path(text.substr(0, end), address);
    if (text.size() == buffer.size()) break;  // no path is so long
    for (kept = 0; kept < text.size(); ++kept) buffer[kept] = text[kept];
  }
  close(fd);
  return said;
}

void on_bus_error(int number, siginfo_t* info, void*) {
  if (info->si_code == BUS_ADRERR && say_file_at(reinterpret_cast<uintptr_t>(info->si_addr))) {
    say(": the file was cut while it was read\n");
    _exit(static_cast<int>(ErrorKind::kBadInput));
  }
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

void install_bus_error_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace textcrs::cli
