// A process of this program that writes to a log.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace textcrs {

// Ended, and waited for, with the value. It leads a process group of its own, so that a terminal's
// Ctrl-C reaches it through this process alone, and is killed when this process dies.
class Child {
 public:
  // Starts `program` with the arguments, of which the first is its name. "$ ", the arguments and
  // what it prints are appended to the file `log`; its standard output replaces the file `output`
  // instead, if one is given. Neither is written through a link. It sees none of the environment's
  // TEXTCRS_ variables but those of where data and keys are. A failed Error if that can not be.
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
        const std::filesystem::path& log, const std::filesystem::path& output = {});
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  void signal(int number) const;
  // Its exit code, 128 + the signal's number if one ended it; none as long as it runs.
  std::optional<int> ended();

 private:
  pid_t pid_ = -1;
};

// The last line of a file that is not empty; "" if there is none. Of a long file the end is read.
std::string last_line(const std::filesystem::path& file);

// Waits until no process holds the file locked, for so long at most.
void wait_until_free(const std::filesystem::path& lock, double seconds);

}  // namespace textcrs
