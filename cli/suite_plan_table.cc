#include "suite_plan_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "style.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/suite/estimate.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

std::string bytes_in_words(uint64_t bytes) {
  if (bytes >= 1'000'000'000) return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.0f} KB", std::ceil(static_cast<double>(bytes) / 1e3));
}

struct Sums {
  size_t done = 0, recorded = 0, to_run = 0;
  double seconds = 0;
  uint64_t bytes = 0;
};

Sums sums_of(const std::vector<PlannedStep>& plan, const std::string& machine) {
  Sums sums;
  for (const PlannedStep& planned : plan) {
    if (planned.step.state == StepState::kDone) {
      ++sums.done;
      continue;
    }
    const StepCost cost = estimate(planned, plan, machine);
    ++sums.to_run;
    sums.recorded += cost.recorded;
    sums.seconds += cost.seconds;
    sums.bytes += cost.bytes;
  }
  return sums;
}

std::string state_in_words(const PlannedStep& planned) {
  if (planned.reused && planned.step.state == StepState::kDone) return "there";
  if (!planned.twin.empty()) return "same";
  if (planned.step.state == StepState::kPlanned) return planned.replaces ? "anew" : "to run";
  if (planned.step.state == StepState::kStarted) return "go on";
  return planned.step.state == StepState::kFailed ? "again" : "done";
}

std::string in_words(const Sums& sums, const fs::path& out, int jobs) {
  std::error_code problem;
  fs::path place = fs::absolute(out);
  while (!fs::exists(place, problem) && place.has_parent_path() && place != place.parent_path())
    place = place.parent_path();
  const fs::space_info space = fs::space(place, problem);
  std::string words =
      fmt::format("{} of {} done", sums.done, counted(sums.done + sums.to_run, "step"));
  if (sums.to_run == 0) return words;
  words += fmt::format("; the others take about {}", duration(sums.seconds));
  if (jobs > 1) words += fmt::format(" one after the other ({} run at once)", jobs);
  words += fmt::format(" and {} of disk", bytes_in_words(sums.bytes));
  if (!problem)
    words += fmt::format(" ({}{} free)", space.available < sums.bytes ? "only " : "",
                         bytes_in_words(space.available));
  words += sums.recorded == sums.to_run
               ? "; by steps that ran on this machine"
               : fmt::format("; {} by steps that ran on this machine, {} by the documented rates",
                             sums.recorded, sums.to_run - sums.recorded);
  return words;
}

}  // namespace

std::string plan_table(const Suite& suite, const std::vector<PlannedStep>& plan,
                       const fs::path& out, int jobs) {
  const std::string machine = machine_in_words();
  size_t widest = 4;
  for (const PlannedStep& planned : plan) widest = std::max(widest, planned.step.name.size());
  std::string text = fmt::format("{}: {}\n\n", suite.name, suite.title);
  text +=
      styled_first_line(Style::kHeading, fmt::format("{:<{}}  {:<6}  {:>12}  {:>8}  {}\n", "step",
                                                     widest, "state", "time", "disk", "command"));
  for (const PlannedStep& planned : plan) {
    const StepCost cost = estimate(planned, plan, machine);
    const bool open = planned.step.state != StepState::kDone && planned.twin.empty();
    text += fmt::format(
        "{:<{}}  {:<6}  {:>12}  {:>8}  {}\n", planned.step.name, widest, state_in_words(planned),
        open ? (cost.recorded ? "" : "~") + duration(cost.seconds) : "",
        open ? bytes_in_words(cost.bytes) : "", in_shell_words(planned.step.command));
  }
  return text + "\n" + in_words(sums_of(plan, machine), out, jobs) + "\n";
}

std::string plan_in_words(const std::vector<PlannedStep>& plan, const fs::path& out, int jobs) {
  return in_words(sums_of(plan, machine_in_words()), out, jobs);
}

}  // namespace textcrs::cli
