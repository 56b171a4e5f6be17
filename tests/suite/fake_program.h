// A program that the steps of a suite may be processes of: it does nothing but what the test asks.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "suite_parts.h"
#include "textcrs/base/files.h"

namespace textcrs {

// A step is called by its verb and its folder's name: "train:d.m.a.low"; an evaluation by that of
// its model.
class FakeProgram {
 public:
  explicit FakeProgram(const std::filesystem::path& folder) : folder_(folder) {
    std::string script = R"(#!/bin/sh
verb=$1
arguments="$*"
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2 ;;
    --model) model=$2 ;;
  esac
  shift
done
name=$verb:$(basename "${out:-$model}")
trap 'echo "stopped $name" >> FOLDER/calls; exit 4' INT
echo "begin $name $$ $arguments" >> FOLDER/calls
env | grep ^TEXTCRS_ > "FOLDER/environment.$name"
if [ -n "$out" ]; then
  case $verb in
    train) mkdir -p "$out.partial" ;;
    certify) mkdir -p "$out"; echo "$arguments" > "$out/run.json" ;;
  esac
fi
while [ -e "FOLDER/wait.$name" ]; do sleep 0.005; done
if [ -e "FOLDER/die.$name" ]; then kill -9 $$; fi
if [ -e "FOLDER/fail.$name" ]; then
  echo "this went well"
  echo "this went wrong" >&2
  exit 3
fi
if [ ! -e "FOLDER/nothing.$name" ]; then
  case $verb in
    train) mv "$out.partial" "$out"; echo "$arguments" > "$out/train.toml"
           echo {} > "$out/training.json" ;;
    certify) echo {} > "$out/summary.json" ;;
    evaluate) echo '{"accuracy": 0.5}' ;;
  esac
fi
echo "end $name" >> FOLDER/calls
)";
    for (size_t at; (at = script.find("FOLDER")) != std::string::npos;)
      script.replace(at, 6, folder.string());
    write_text(path(), script);
    chmod(path().c_str(), 0755);
  }

  std::filesystem::path path() const { return folder_ / "fake-program"; }

  void waits(const std::string& step) const { write_text(folder_ / ("wait." + step), ""); }
  void goes_on(const std::string& step) const {
    std::filesystem::remove(folder_ / ("wait." + step));
  }
  void fails(const std::string& step, bool always = true) const {
    const auto file = folder_ / ("fail." + step);
    if (always)
      write_text(file, "");
    else
      std::filesystem::remove(file);
  }
  void dies(const std::string& step) const { write_text(folder_ / ("die." + step), ""); }
  void makes_nothing(const std::string& step) const {
    write_text(folder_ / ("nothing." + step), "");
  }

  std::string environment_of(const std::string& step) const {
    return read_file(folder_ / ("environment." + step));
  }

  // "begin train:x PID ARGUMENTS", "end train:x", "stopped train:x", in the order of time.
  std::vector<std::string> lines() const {
    std::error_code ignored;
    if (!std::filesystem::exists(folder_ / "calls", ignored)) return {};
    std::istringstream content(read_file(folder_ / "calls"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(content, line);) lines.push_back(line);
    return lines;
  }
  void forget() const { std::filesystem::remove(folder_ / "calls"); }

  // Names of the steps that were begun, or ended, or stopped.
  std::vector<std::string> steps(const std::string& event) const {
    std::vector<std::string> names;
    for (const std::string& line : lines()) {
      std::istringstream words(line);
      std::string first, name;
      words >> first >> name;
      if (first == event) names.push_back(name);
    }
    return names;
  }

  // Of the last call of a step.
  std::string arguments_of(const std::string& step) const {
    std::string found;
    for (const std::string& line : lines()) {
      std::istringstream words(line);
      std::string first, name, process, arguments;
      words >> first >> name >> process;
      std::getline(words, arguments);
      if (first == "begin" && name == step) found = arguments.substr(1);
    }
    return found;
  }

  size_t most_at_once() const {
    size_t now = 0, most = 0;
    for (const std::string& line : lines()) {
      if (line.starts_with("begin"))
        most = std::max(most, ++now);
      else
        --now;
    }
    return most;
  }

  // Waits until so many steps were begun.
  void wait_for_begun(size_t count) const {
    while (steps("begin").size() < count) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace textcrs
