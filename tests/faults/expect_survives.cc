#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "../cli/workspace.h"
#include "faults.h"
#include "textcrs/base/stream.h"

namespace textcrs::faults_test {
namespace {

namespace fs = std::filesystem;
using cli_test::Process;
using cli_test::Result;

constexpr int kKilled = 128 + 9;

// In the order of preload.cc.
struct Kind {
  const char* name;
  std::vector<std::string> faults;
};
const std::vector<Kind> kKinds = {{"open", {"EACCES", "kill"}},
                                  {"read", {"EIO", "EINTR", "kill"}},
                                  {"write", {"ENOSPC", "short", "EINTR", "torn", "kill"}},
                                  {"fsync", {"EIO", "EINTR", "kill"}},
                                  {"rename", {"EACCES", "kill"}},
                                  {"exchange", {"EIO", "EINVAL", "kill"}},
                                  {"mmap", {"ENOMEM", "kill"}},
                                  {"mkdir", {"ENOSPC", "kill"}},
                                  {"unlink", {"EIO", "kill"}},
                                  {"truncate", {"EIO", "kill"}}};
using Counts = std::vector<uint64_t>;

struct Case {
  std::string kind, fault;
  uint64_t n = 0;
  bool from_then_on = false;  // a disk stays full
  std::string text() const {
    return fmt::format("{}:{}{}:{}", kind, n, from_then_on ? "+" : "", fault);
  }
  bool ends_process() const { return fault == "kill" || fault == "torn"; }
  // Nobody may notice it: a call that is to be made again, or half of a write.
  bool is_none() const { return fault == "EINTR" || fault == "short" || fault == "EINVAL"; }
};

// Every case, in an order in which any first ones are spread over kinds, faults and moments.
std::vector<Case> cases_of(const Counts& counts, const std::string& name) {
  std::vector<std::pair<uint64_t, Case>> ranked;  // by how many of the same fault go before
  Stream stream(1, static_cast<uint32_t>(name.size()), 0);
  for (size_t k = 0; k < kKinds.size(); ++k)
    for (const std::string& fault : kKinds[k].faults)
      for (const bool from_then_on : {false, true}) {
        if (from_then_on && fault != "ENOSPC") continue;
        std::vector<uint64_t> moments(counts[k]);
        for (uint64_t i = 0; i < counts[k]; ++i) {
          moments[i] = i + 1;
          std::swap(moments[i], moments[stream.below(static_cast<uint32_t>(i + 1))]);
        }
        for (uint64_t i = 0; i < counts[k]; ++i)
          ranked.push_back({i, {kKinds[k].name, fault, moments[i], from_then_on}});
      }
  for (size_t i = ranked.size(); i-- > 1;)
    std::swap(ranked[i], ranked[stream.below(static_cast<uint32_t>(i + 1))]);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Case> cases;
  for (auto& [rank, one] : ranked) cases.push_back(std::move(one));
  return cases;
}

// What the program writes while it works, and nothing after it.
bool is_temporary(const std::string& path) {
  return path.find(".tmp-") != std::string::npos || path.ends_with("lock");
}

class Runs {
 public:
  explicit Runs(const Scenario& scenario) : scenario_(scenario) {
    std::string pattern = (fs::temp_directory_path() / "textcrs-faults-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = fs::canonical(pattern);
    fs::create_directories(case_folder() / "in");
    scenario.prepare(case_folder() / "in");
    start_anew();
  }
  ~Runs() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  void start_anew() const {
    fs::remove_all(case_folder() / "work");
    fs::create_directory(case_folder() / "work");
  }

  Result run(const Arguments& command, const std::string& faults) const {
    std::ofstream(folder_ / "counts") << std::string(kKinds.size() * sizeof(uint64_t), '\0');
    Arguments words = {"-C", case_folder()};
    Environment environment = scenario_.environment;
    environment["TEXTCRS_HOME"] = case_folder() / "work/home";
    environment["LD_PRELOAD"] = FAULTS_PRELOAD;
    environment["FAULTS_BELOW"] = case_folder();
    environment["FAULTS_COUNTS"] = folder_ / "counts";
    if (!faults.empty()) environment["FAULTS"] = faults;
    for (const auto& [name, value] : environment) words.push_back(name + "=" + value);
    words.insert(words.end(), command.begin(), command.end());
    return Process(words).wait();  // of env(1)
  }

  Counts counts() const {
    Counts counts(kKinds.size());
    const std::string bytes = cli_test::read(folder_ / "counts");
    std::memcpy(counts.data(), bytes.data(), std::min(bytes.size(), 8 * counts.size()));
    return counts;
  }

  // The same command, with --resume where a run was left behind.
  Arguments next_command() const {
    Arguments command = scenario_.command;
    if (scenario_.out.empty()) return command;
    const fs::path out = case_folder() / scenario_.out;
    for (const auto& entry : fs::directory_iterator(out.parent_path()))
      if (entry.path().filename().string().starts_with(out.filename().string())) {
        command.push_back("--resume");
        break;
      }
    return command;
  }

  std::map<std::string, std::string> files() const { return files_below(case_folder()); }

 private:
  fs::path case_folder() const { return folder_ / "case"; }

  const Scenario& scenario_;
  fs::path folder_;
};

std::string with(const std::string& always, const std::string& fault) {
  return always.empty() ? fault : always + "," + fault;
}

// One line that says what went wrong, and names a file.
void expect_told(const Result& result) {
  size_t errors = 0;
  const auto lines = cli_test::lines_of(result.err);
  for (const std::string& line : lines) errors += line.starts_with("textcrs: error: ");
  EXPECT_EQ(errors, 1u) << result.err;
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.back().starts_with("textcrs: error: ")) << result.err;
  EXPECT_TRUE(lines.back().find('/') != std::string::npos ||
              lines.back().find(".tgz") != std::string::npos)
      << "no file is named: " << lines.back();
}

// Their paths, each on a line.
std::string temporaries(const std::map<std::string, std::string>& files) {
  std::string list;
  for (const auto& [path, content] : files)
    if (is_temporary(path)) list += path + "\n";
  return list;
}

void expect_equal(const std::map<std::string, std::string>& found,
                  const std::map<std::string, std::string>& expected) {
  for (const auto& [path, content] : found)
    EXPECT_TRUE(expected.contains(path)) << "left over: " << path;
  for (const auto& [path, content] : expected) {
    const auto at = found.find(path);
    if (at == found.end())
      ADD_FAILURE() << "missing: " << path;
    else
      EXPECT_EQ(at->second, content) << path;
  }
}

void check(const Runs& runs, const Scenario& scenario, const Case& one,
           const std::map<std::string, std::string>& expected) {
  runs.start_anew();
  const Result faulty = runs.run(scenario.command, with(scenario.always, one.text()));
  // What may not be on the disk is not called done.
  if (one.kind == "fsync" && one.fault == "EIO") EXPECT_EQ(faulty.exit_code, 1) << faulty.err;
  if (one.is_none()) {
    EXPECT_EQ(faulty.exit_code, 0) << faulty.err;
  } else if (faulty.exit_code != 0 && !(one.ends_process() && faulty.exit_code == kKilled)) {
    EXPECT_TRUE(faulty.exit_code == 1 || faulty.exit_code == 3) << faulty.exit_code;
    expect_told(faulty);
    if (one.kind != "unlink" && !one.ends_process()) EXPECT_EQ(temporaries(runs.files()), "");
  }
  // What could not be removed goes with the next run.
  if (faulty.exit_code != 0 || !temporaries(runs.files()).empty()) {
    const Result again = runs.run(runs.next_command(), "");
    EXPECT_EQ(again.exit_code, 0) << again.err;
  }
  expect_equal(runs.files(), expected);
}

}  // namespace

void expect_survives(const Scenario& scenario) {
  const Runs runs(scenario);
  const Result whole = runs.run(scenario.command, scenario.always);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const Counts counts = runs.counts();
  const auto expected = runs.files();
  std::vector<Case> cases = cases_of(counts, scenario.name);
  ASSERT_GT(cases.size(), 20u) << "the case is trivial";
  const size_t all = cases.size();
  if (getenv("FAULTS_ALL") == nullptr) cases.resize(std::min(all, scenario.sampled));
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{}: {}", scenario.name, one.text()));
    check(runs, scenario, one, expected);
  }
  fmt::print("{}: {} of {} faults\n", scenario.name, cases.size(), all);
}

}  // namespace textcrs::faults_test
