// What a fault in every call that concerns a file must leave: a clean end, and nothing lost.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../cli/process.h"

namespace textcrs::faults_test {

using cli_test::Arguments;
using cli_test::Environment;

// A command that is run in a folder of its own, which has `in`, what it reads, and `work`, where it
// writes. TEXTCRS_HOME is work/home.
struct Scenario {
  std::string name;
  std::function<void(const std::filesystem::path& in)> prepare;
  Arguments command;        // with the program
  std::string out;          // what --resume goes on with; empty if the same command goes on
  size_t sampled;           // so many cases, unless FAULTS_ALL is set: then all
  std::string always = "";  // faults of every run but the last, as FAULTS of preload.cc has them
  Environment environment = {};
};

// Runs the command without a fault, which counts its calls, and then, for every kind of call, every
// n and every fault: with that fault at the n-th call, and again without. Expects of the first an
// end with a documented exit code and one line that says what went wrong, and nothing temporary; of
// the second, which has --resume where there is something to go on with, the files of the run
// without a fault, with equal bytes but for times, and no other.
void expect_survives(const Scenario& scenario);

// The files below a folder, by their paths from there, folders with a slash behind them. Seconds,
// and whether a run was resumed, are left out of their contents.
std::map<std::string, std::string> files_below(const std::filesystem::path& folder);

}  // namespace textcrs::faults_test
