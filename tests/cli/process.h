// Runs the built program the way a user does: its arguments, its environment, no shell between.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace textcrs::cli_test {

using Arguments = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

struct Result {
  int exit_code = -1;  // 128 + the signal's number if a signal ended it
  std::string out, err;
};

// A running program; destroyed, it is killed and waited for. Its TEXTCRS_* variables are those of
// `environment` alone and TEXTCRS_HOME is the workspace's; its standard input is `input`, or the
// pipe `pipe`, whose writers may come and go. Its standard output is Result::out, or goes to the
// file `output`; its standard error is Result::err, or goes to the file `errors`.
class Process {
 public:
  explicit Process(const Arguments& arguments, const Environment& environment = {},
                   const std::string& input = "", const std::string& output = "",
                   const std::string& errors = "", const std::string& pipe = "");
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return pid_; }
  bool running();
  void signal(int number);
  Result wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1, status_ = 0;
  bool ended_ = false;
};

Result run(const Arguments& arguments, const Environment& environment = {},
           const std::string& input = "");

// All at once: most of a run's second is the loading of LibTorch.
std::vector<Result> run_all(const std::vector<Arguments>& commands,
                            const Environment& environment = {});

// Lets a process go on until `reached` says so; false if the process ended before that.
bool runs_until(Process& process, const std::function<bool()>& reached);

std::vector<std::string> lines_of(const std::string& text);
nlohmann::json json_of(const std::string& text);  // a discarded value if it is not JSON

}  // namespace textcrs::cli_test
