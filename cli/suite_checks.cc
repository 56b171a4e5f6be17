#include "suite_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "textcrs/attack/recipes.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/reachable.h"
#include "textcrs/data/catalogue.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPublished = "published.toml";

// What comes with the program: beside it where it is installed, below it in a build tree.
fs::path shared_folder() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"share/textcrs/suites", "../share/textcrs/suites"})
    if (fs::is_directory(folder / place, ignored)) return (folder / place).lexically_normal();
  return {};
}

class FlagCheck {
 public:
  FlagCheck(const Suite& suite, const CLI::App& program) : suite_(suite), program_(program) {}

  void run() const {
    check(suite_.flags);
    for (const SuiteData& data : suite_.data) check(data.flags);
    for (const SuiteModel& model : suite_.models) {
      check(model.flags);
      for (const SuiteOverride& change : model.overrides) check(change.flags);
    }
    for (const SuiteMethod& method : suite_.methods) {
      check(method.flags);
      for (const SuiteOverride& change : method.overrides) check(change.flags);
    }
    for (const SuiteEncoder& encoder : suite_.encoders) check(encoder.flags);
    for (const SuiteAttack& attack : suite_.attacks) check(attack.flags);
    for (const SuiteVariant& variant : suite_.variants) check(variant.flags);
  }

 private:
  void check(const FlagsByVerb& by_verb) const {
    for (const auto& [verb, flags] : by_verb)
      for (const SuiteFlag& flag : flags) check(verb, flag);
  }

  void check(const std::string& verb, const SuiteFlag& flag) const {
    static const std::set<std::string> kOwn = {"out",       "data",   "model",  "device",
                                               "overwrite", "resume", "recipe", "json",
                                               "noise",     "help",   "seed"};
    const std::string place = fmt::format("{}:{}", suite_.file.string(), flag.line);
    if (kOwn.contains(flag.name))
      throw bad_input(
          fmt::format("{}: --{} of {} is given by the suite itself", place, flag.name, verb));
    std::vector<std::string> known;
    for (const CLI::Option* option : program_.get_subcommand(verb)->get_options())
      for (const std::string& name : option->get_lnames())
        if (!kOwn.contains(name)) known.push_back(name);
    if (std::find(known.begin(), known.end(), flag.name) != known.end()) return;
    throw bad_input(fmt::format("{}: {} has no flag '{}'{}", place, verb, flag.name,
                                did_you_mean(flag.name, known)));
  }

  const Suite& suite_;
  const CLI::App& program_;
};

std::string value_of(const std::vector<std::string>& command, const std::string& flag,
                     const std::string& fallback = "") {
  for (size_t i = 2; i + 1 < command.size(); ++i)
    if (command[i] == flag) return command[i + 1];
  return fallback;
}

bool has(const std::vector<std::string>& command, const std::string& flag) {
  return std::find(command.begin(), command.end(), flag) != command.end();
}

// What a step reads that has a name, or is a path: (flag, value).
std::vector<std::pair<std::string, std::string>> read_by(const SuiteStep& step) {
  const std::vector<std::string>& command = step.command;
  std::vector<std::pair<std::string, std::string>> read;
  const auto add = [&](const std::string& flag, const std::string& fallback = "") {
    std::string value = value_of(command, flag, fallback);
    if (flag == "--canonical") value = value.substr(0, value.rfind(",size="));
    if (!value.empty()) read.emplace_back(flag, value);
  };
  if (step.kind != "judge") add("--data", "imdb");
  if (step.kind == "train") {
    if (value_of(command, "--architecture") == "bert")
      add("--bert", "minilm");
    else
      add("--vectors", "glove");
    add("--synonyms");
    add("--canonical");
    add("--validation");
  }
  if (step.kind == "pretrain") add("--bert", "minilm");
  if (step.kind == "attack") {
    add("--reference");
    const RecipeNeeds needs = needs_of(value_of(command, "--recipe"));
    if (needs.encoder) add("--encoder", "minilm");
    if (needs.synonyms || needs.parts_of_speech) add("--wordnet", "wordnet");
    if (needs.replacements) {
      add("--vectors", "glove");
      add("--synonyms", "glove");
    }
  }
  return read;
}

}  // namespace

void check_flags(const Suite& suite, const CLI::App& program) { FlagCheck(suite, program).run(); }

void check_assets(const std::vector<PlannedStep>& plan) {
  std::set<std::string> to_fetch, missing;
  for (const PlannedStep& planned : plan) {
    if (planned.step.state == StepState::kDone) continue;
    for (const auto& [flag, value] : read_by(planned.step)) {
      if (is_there(value)) continue;
      const auto asset =
          std::find_if(assets().begin(), assets().end(),
                       [&, name = value](const Asset& one) { return one.name == name; });
      if (asset == assets().end())
        missing.insert(fmt::format("{} {} of {}", flag, value, planned.step.name));
      else if (!is_fetched(*asset))
        to_fetch.insert(asset->name);
    }
  }
  std::string problem;
  if (!missing.empty())
    problem = fmt::format(
        "{}: neither a file or folder nor the name of known data; --data NAME=TRAIN,TEST says "
        "where a data set of the suite is",
        *missing.begin());
  if (!to_fetch.empty())
    problem += fmt::format("{}{} {} needed and not fetched; run: textcrs data fetch {}",
                           problem.empty() ? "" : "; ", fmt::join(to_fetch, ", "),
                           to_fetch.size() == 1 ? "is" : "are", fmt::join(to_fetch, " "));
  if (!problem.empty()) throw usage_error(problem);
}

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(shared_folder(), ignored))
    if (entry.path().extension() == ".toml" && entry.path().filename() != kPublished)
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_suite(const std::string& name) {
  if (name.find_first_of("/.") != std::string::npos) {
    if (!is_there(name)) throw bad_input(fmt::format("{}: there is no such file", name));
    return name;
  }
  const std::vector<std::string> known = suite_names();
  if (std::find(known.begin(), known.end(), name) != known.end())
    return shared_folder() / (name + ".toml");
  throw usage_error(fmt::format("no suite '{}', expected a file (.toml) or one of: {}{}", name,
                                fmt::join(known, ", "), did_you_mean(name, known)));
}

fs::path published_file() { return shared_folder() / kPublished; }

}  // namespace textcrs::cli
