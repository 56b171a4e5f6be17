#include "suite_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "commands.h"
#include "flag_values.h"
#include "textcrs/attack/recipes.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/reachable.h"
#include "textcrs/base/spec.h"
#include "textcrs/data/catalogue.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/parameters.h"
#include "textcrs/noise/substitution_kernel.h"

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

// Its name, and its parameters as far as they can be read without a vocabulary.
void check_noise(const std::string& text) {
  const Spec spec = Spec::parse(text);
  std::vector<std::string> known;
  for (const NoiseKind& kind : noise_kinds()) known.push_back(kind.name);
  const std::string& name = spec.name();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw usage_error(fmt::format("found the noise '{}', expected one of: {}{}", name,
                                  fmt::join(known, ", "), did_you_mean(name, known)));
  if (name == "delete" || name == "universal") DeletionParameters::parse(spec);
  if (name == "adapt") AdaptParameters::parse(spec);
  if (name == "mask") MaskParameters::parse(spec);
  if (name == "reorder") ReorderParameters::parse(spec);
  if (name == "insert" || name == "gaussian") GaussianParameters::parse(spec);
  if (name == "hash") HashParameters::parse(spec);
  if (name == "substitute") SubstitutionRule::parse(spec);
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
      check(method.levels);
      for (const SuiteOverride& change : method.overrides) {
        check(change.flags);
        check(change.levels);
      }
    }
    for (const SuiteEncoder& encoder : suite_.encoders) check(encoder.flags);
    for (const SuiteAttack& attack : suite_.attacks) {
      check(attack.flags);
      at(attack.line, [&] { needs_of(attack.recipe); });
    }
    for (const SuiteVariant& variant : suite_.variants) check(variant.flags);
  }

 private:
  // What is wrong with a value, with its place.
  void at(int line, const std::function<void()>& look) const {
    try {
      look();
    } catch (const Error& error) {
      throw bad_input(fmt::format("{}:{}: {}", suite_.file.string(), line, error.what()));
    }
  }

  void check(const std::vector<SuiteLevel>& levels) const {
    for (const SuiteLevel& level : levels)
      if (!level.noise.empty()) at(level.line, [&] { check_noise(level.noise); });
  }

  void check(const FlagsByVerb& by_verb) const {
    for (const auto& [verb, flags] : by_verb)
      for (const SuiteFlag& flag : flags) check(verb, flag);
  }

  void check(const std::string& verb, const SuiteFlag& flag) const {
    static const std::set<std::string> kOwn = {"out",    "data",   "model", "device", "overwrite",
                                               "resume", "recipe", "json",  "noise",  "help"};
    const std::string place = fmt::format("{}:{}", suite_.file.string(), flag.line);
    if (kOwn.contains(flag.name))
      throw bad_input(
          fmt::format("{}: --{} of {} is given by the suite itself", place, flag.name, verb));
    std::vector<std::string> known;
    for (const CLI::Option* option : program_.get_subcommand(verb)->get_options())
      for (const std::string& name : option->get_lnames()) {
        if (name == flag.name) return check(place, verb, flag, *option);
        if (!kOwn.contains(name)) known.push_back(name);
      }
    throw bad_input(fmt::format("{}: {} has no flag '{}'{}", place, verb, flag.name,
                                did_you_mean(flag.name, known)));
  }

  static void check(const std::string& place, const std::string& verb, const SuiteFlag& flag,
                    const CLI::Option& option) {
    if (!option.get_configurable())
      throw bad_input(
          fmt::format("{}: --{} of {} may not stand in a file", place, flag.name, verb));
    const bool off = flag.values == std::vector<std::string>{"false"};
    if (takes_value(option) ? flag.values.empty() : !flag.values.empty() && !off)
      throw bad_input(fmt::format("{}: --{} of {} {}", place, flag.name, verb,
                                  takes_value(option) ? "needs a value"
                                                      : "takes no value: true, "
                                                        "or false"));
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

// Whether a step makes it: the folder of a model.
bool is_made(const std::string& value, const std::vector<PlannedStep>& plan) {
  return std::any_of(plan.begin(), plan.end(), [&](const PlannedStep& planned) {
    return value_of(planned.step.command, "--out") == value;
  });
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
    const std::string architecture = value_of(command, "--architecture");
    const bool counts = architecture == "votes" || architecture == "linear";
    if (architecture == "bert")
      add("--bert", "minilm");
    else if (!counts || value_of(command, "--hidden") != "0")
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

void check_commands(const Suite& suite, const std::vector<PlannedStep>& plan) {
  CLI::App program;
  program.option_defaults()->always_capture_default();
  program.require_subcommand(1);
  for (const auto add : {add_train, add_pretrain, add_evaluate, add_certify, add_attack, add_judge})
    add(program);
  // All is parsed and checked, and nothing is run: this comes before the callbacks of the verbs,
  // which own the variables of their flags.
  struct Parsed {};
  program.parse_complete_callback([] { throw Parsed(); });
  for (const PlannedStep& planned : plan) {
    const std::vector<std::string>& command = planned.step.command;
    try {
      program.parse(std::vector<std::string>(command.rbegin(), command.rend() - 1));
    } catch (const Parsed&) {
    } catch (const CLI::Error& error) {
      throw bad_input(
          fmt::format("{}: {}: {}", suite.file.string(), planned.step.name, error.what()));
    }
  }
}

std::string missing_assets(const std::vector<PlannedStep>& plan) {
  std::set<std::string> to_fetch, missing;
  for (const PlannedStep& planned : plan) {
    if (planned.step.state == StepState::kDone) continue;
    for (const auto& [flag, value] : read_by(planned.step)) {
      if (value.empty() || is_there(value) || is_made(value, plan)) continue;
      const auto asset =
          std::find_if(assets().begin(), assets().end(),
                       [&, name = value](const Asset& one) { return one.name == name; });
      if (asset == assets().end())
        missing.insert(fmt::format("{} {}", flag, value));
      else if (!is_fetched(*asset))
        to_fetch.insert(asset->name);
    }
  }
  std::string problem;
  if (!missing.empty())
    problem = fmt::format(
        "{}: neither a file or folder nor the name of known data; --data NAME=TRAIN,TEST says "
        "where a data set of the suite is",
        fmt::join(missing, ", "));
  if (!to_fetch.empty())
    problem += fmt::format("{}{} {} needed and not fetched; run: textcrs data fetch {}",
                           problem.empty() ? "" : "; ", fmt::join(to_fetch, ", "),
                           to_fetch.size() == 1 ? "is" : "are", fmt::join(to_fetch, " "));
  return problem;
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
