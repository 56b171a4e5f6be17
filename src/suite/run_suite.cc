#include "textcrs/suite/run_suite.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <thread>

#include "base/temporary.h"
#include "suite/child.h"
#include "suite/command_line.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = std::chrono::milliseconds(20);
constexpr const char* kAnswer = "evaluation.json";

bool is_training(const SuiteStep& step) { return step.kind == "train" || step.kind == "pretrain"; }

fs::path beside(const fs::path& folder, const char* suffix) { return folder.string() + suffix; }

class Runner {
 public:
  Runner(std::vector<PlannedStep>& plan, SuiteManifest& manifest, const RunSuiteOptions& options,
         const SuiteReporter& report, StopToken stop)
      : plan_(plan), manifest_(manifest), options_(options), report_(report), stop_(stop) {
    fs::create_directories(options.out / "logs");
  }

  SuiteProgress run() {
    try {
      return run_all();
    } catch (...) {  // a full disk: what runs may still keep its state
      wait_for_stopped([](PlannedStep&, int) {});
      throw;
    }
  }

 private:
  struct Running {
    PlannedStep* planned;
    Child child;
    Clock::time_point since;
  };

  SuiteProgress run_all() {
    for (PlannedStep& planned : plan_)
      if (planned.step.state != StepState::kDone) planned.step.state = StepState::kPlanned;
    keep();
    while (true) {
      if (stop_.stop_requested()) interrupt();
      while (running_.size() < static_cast<size_t>(options_.jobs) && start_next()) {
      }
      if (running_.empty()) break;
      std::this_thread::sleep_for(kLook);
      collect([&](PlannedStep& planned, int code) { end(planned, code); });
      if (report_.progress) report_.progress(progress());
    }
    return progress();
  }

  PlannedStep& find(const std::string& name) {
    return *std::find_if(plan_.begin(), plan_.end(),
                         [&](const PlannedStep& planned) { return planned.step.name == name; });
  }

  bool is_ready(const PlannedStep& planned) {
    if (planned.step.state != StepState::kPlanned || !planned.twin.empty()) return false;
    return std::all_of(
        planned.step.needs.begin(), planned.step.needs.end(),
        [&](const std::string& name) { return find(name).step.state == StepState::kDone; });
  }

  bool start_next() {
    for (PlannedStep& planned : plan_) {
      if (!is_ready(planned)) continue;
      start(planned);
      return true;
    }
    return false;
  }

  void start(PlannedStep& planned) {
    SuiteStep& step = planned.step;
    const fs::path folder = folder_of(step, options_.out);
    fs::create_directories(step.kind == "evaluate" ? folder : folder.parent_path());
    wait_until_free(is_training(step) ? beside(folder, ".lock") : folder / "lock", 10);
    std::vector<std::string> command = step.command;
    if (planned.takes_threads && options_.threads > 0) {
      command.push_back(flag_word("threads"));
      command.push_back(std::to_string(options_.threads));
    }
    // Of what another command left, the verb removes what the program wrote, and nothing else.
    if (planned.replaces && step.kind != "evaluate" && step.kind != "judge")
      command.push_back(flag_word("overwrite"));
    const bool begun =
        fs::exists(beside(folder, ".partial")) || fs::exists(beside(folder, ".lock"));
    const bool anew = planned.replaces && step.replaces.empty();
    if (is_training(step) && !anew && (begun || (!planned.replaces && fs::exists(folder))))
      command.push_back(flag_word("resume"));
    if (anew) step.replaces = claim_of(step, options_.out);
    step.state = StepState::kStarted;
    step.problem.clear();
    step.machine = manifest_.machine;
    step.version = version();
    keep();
    const fs::path log = log_of(step);
    running_.push_back(
        {&planned,
         Child(options_.program, command, log,
               step.kind == "evaluate" ? folder / (std::string(kAnswer) + ".new") : fs::path()),
         Clock::now()});
  }

  fs::path log_of(const SuiteStep& step) const {
    return options_.out / "logs" / (step.name + ".log");
  }

  void wait_for_stopped(const std::function<void(PlannedStep&, int)>& ended) {
    for (const Running& one : running_) one.child.signal(SIGINT);
    while (!running_.empty()) {
      std::this_thread::sleep_for(kLook);
      collect(ended);
    }
  }

  // Calls `ended` with each step that has, and with its exit code.
  void collect(const std::function<void(PlannedStep&, int)>& ended) {
    for (auto one = running_.begin(); one != running_.end();) {
      const std::optional<int> code = one->child.ended();
      if (!code) {
        ++one;
        continue;
      }
      PlannedStep& planned = *one->planned;
      planned.step.seconds += std::chrono::duration<double>(Clock::now() - one->since).count();
      running_.erase(one++);
      ended(planned, *code);
    }
  }

  // "exit code 3", "signal 9".
  static std::string ending(int code) {
    return code > 128 ? fmt::format("signal {}", code - 128) : fmt::format("exit code {}", code);
  }

  void end(PlannedStep& planned, int code) {
    SuiteStep& step = planned.step;
    if (code == 0 && step.kind == "evaluate") {
      const fs::path folder = folder_of(step, options_.out);
      const fs::path answer = folder / (std::string(kAnswer) + ".new");
      sync_to_disk(answer);
      fs::rename(answer, folder / kAnswer);
      sync_to_disk(folder);
    }
    if (code == 0 && is_complete(step, options_.out)) {
      step.state = StepState::kDone;
      step.replaces.clear();
      planned.replaces = false;
    } else if (stop_.stop_requested()) {
      step.state = StepState::kStarted;
    } else {
      step.state = StepState::kFailed;
      step.problem = code == 0 ? "it ended without results"
                               : fmt::format("{}: {}", ending(code), last_line(log_of(step)));
    }
    for (PlannedStep& other : plan_) {
      if (other.twin != step.name) continue;
      other.step.state = step.state;
      other.step.seconds = step.seconds;
      other.step.machine = step.machine;
      other.step.version = step.version;
      other.step.problem = step.problem;
    }
    keep();
    if (report_.ended && step.state != StepState::kStarted) report_.ended(step);
  }

  // Passes the request on and waits for what is running to keep its state.
  [[noreturn]] void interrupt() {
    wait_for_stopped([&](PlannedStep& planned, int code) { end(planned, code); });
    const SuiteProgress now = progress();
    throw Error(ErrorKind::kInterrupted,
                fmt::format("interrupted after {} of {}; the same command goes on", now.done,
                            counted(now.steps, "step")));
  }

  SuiteProgress progress() {
    SuiteProgress now;
    now.steps = plan_.size();
    for (const PlannedStep& planned : plan_) {
      now.done += planned.step.state == StepState::kDone;
      now.failed += planned.step.state == StepState::kFailed;
      now.waiting_in_vain += running_.empty() && planned.step.state == StepState::kPlanned;
    }
    for (const Running& one : running_) now.running.push_back(one.planned->step.name);
    return now;
  }

  void keep() {
    manifest_.steps.clear();
    for (const PlannedStep& planned : plan_) manifest_.steps.push_back(planned.step);
    write_manifest(options_.out, manifest_);
  }

  std::vector<PlannedStep>& plan_;
  SuiteManifest& manifest_;
  const RunSuiteOptions& options_;
  const SuiteReporter& report_;
  StopToken stop_;
  std::list<Running> running_;
};

}  // namespace

SuiteProgress run_steps(std::vector<PlannedStep>& plan, SuiteManifest& manifest,
                        const RunSuiteOptions& options, const SuiteReporter& report,
                        StopToken stop) {
  return Runner(plan, manifest, options, report, stop).run();
}

}  // namespace textcrs
