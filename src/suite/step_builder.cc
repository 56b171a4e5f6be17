#include "suite/step_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "suite/command_line.h"
#include "textcrs/base/hash.h"

namespace textcrs {
namespace {

// Flags that change how fast a result comes, and not what it is.
const std::set<std::string> kWithoutEffect = {"threads", "loader-threads"};

}  // namespace

void merge(SuiteFlags& flags, const SuiteFlags& more) {
  for (const SuiteFlag& flag : more) {
    const auto same = std::find_if(flags.begin(), flags.end(),
                                   [&](const SuiteFlag& other) { return other.name == flag.name; });
    if (same == flags.end())
      flags.push_back(flag);
    else
      *same = flag;
  }
}

StepBuilder::StepBuilder(const std::string& verb, const std::string& name) {
  planned_.step.kind = verb;
  planned_.step.name = name;
  planned_.takes_threads = verb != "judge";
  planned_.parts = {{"textcrs", ""}, {verb, ""}};
  decisive_ = verb + "\n";
}

void StepBuilder::tag(const std::string& key, const std::string& value) {
  if (value.empty())
    planned_.step.tags.erase(key);
  else
    planned_.step.tags[key] = value;
}

void StepBuilder::flag(const std::string& name) {
  planned_.parts.push_back({flag_word(name), ""});
  decisive_ += name + "\n";
}

void StepBuilder::flag(const std::string& name, const std::string& value) {
  planned_.parts.push_back({flag_word(name), ""});
  planned_.parts.push_back({value, ""});
  if (!kWithoutEffect.contains(name)) decisive_ += name + "=" + value + "\n";
}

void StepBuilder::place(const std::string& name, const std::string& value) {
  planned_.parts.push_back({flag_word(name), ""});
  planned_.parts.push_back({value, ""});
}

void StepBuilder::texts(const std::string& name, const std::string& value) {
  place(name, value);
  const std::filesystem::path path = std::filesystem::path(value).lexically_normal();
  const std::filesystem::path end =
      path.has_filename() ? path.parent_path().filename() / path.filename() : path;
  decisive_ += name + "=" + end.string() + "\n";
}

void StepBuilder::need(const PlannedStep& step) {
  std::vector<std::string>& needs = planned_.step.needs;
  if (std::find(needs.begin(), needs.end(), step.step.name) == needs.end())
    needs.push_back(step.step.name);
  decisive_ += step.step.identity + "\n";
}

void StepBuilder::flag_of(const std::string& name, const PlannedStep& step) {
  planned_.parts.push_back({flag_word(name), ""});
  planned_.parts.push_back({"", step.step.name});
  decisive_ += name + "=";
  need(step);
}

void StepBuilder::named_folder(const std::string& name, const std::string& key,
                               const PlannedStep& step) {
  planned_.parts.push_back({flag_word(name), ""});
  planned_.parts.push_back({key + "=", step.step.name});
  decisive_ += name + "=" + key + "=";
  need(step);
}

void StepBuilder::folder_of(const PlannedStep& step) {
  planned_.parts.push_back({"", step.step.name});
  need(step);
}

void StepBuilder::flags(
    const SuiteFlags& flags,
    const std::function<const PlannedStep&(const SuiteFlag&, const std::string&)>& resolve) {
  for (const SuiteFlag& one : flags) {
    if (one.values.empty()) flag(one.name);
    for (const std::string& value : one.values) {
      const size_t at = value.starts_with('@') ? 0 : value.find("=@") + 1;  // 0: neither
      if (at == 0 && !value.starts_with('@')) {
        if (value != "false") flag(one.name, value);
        continue;
      }
      const PlannedStep& step = resolve(one, value.substr(at + 1));
      if (at == 0)
        flag_of(one.name, step);
      else
        named_folder(one.name, value.substr(0, at - 1), step);
    }
  }
}

void StepBuilder::out() {
  planned_.parts.push_back({flag_word("out"), ""});
  planned_.parts.push_back({"", planned_.step.name});
}

PlannedStep StepBuilder::finish() {
  decisive_ += planned_.step.tag("data");
  planned_.step.identity = fmt::format("{:016x}", fnv1a(decisive_));
  return std::move(planned_);
}

}  // namespace textcrs
