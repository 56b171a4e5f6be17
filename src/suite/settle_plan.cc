#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "suite/command_line.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/version.h"
#include "textcrs/suite/plan.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFolders = 1000;  // of one name

bool makes_model(const std::string& kind) { return kind == "train" || kind == "pretrain"; }

// What the verb writes last.
fs::path last_file(const std::string& kind) {
  if (kind == "train") return "training.json";
  if (kind == "pretrain") return "pretraining.json";
  if (kind == "evaluate") return "evaluation.json";
  return kind == "judge" ? "judge.json" : "summary.json";
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// And what it writes first, or says there of its flags.
fs::path first_file(const std::string& kind) {
  if (kind == "train") return "train.toml";
  if (kind == "pretrain") return "pretrain.toml";
  return kind == "evaluate" ? "evaluation.json" : "run.json";
}

std::string claim_in(const std::string& kind, const fs::path& folder) {
  std::error_code ignored;
  const fs::path file = folder / first_file(kind);
  if (!fs::is_regular_file(file, ignored)) return "";
  return fmt::format("{:016x}", fnv1a(read_file(file)));
}

fs::path with_suffix(const fs::path& folder, const std::string& suffix) {
  return folder.string() + suffix;
}

// imdb.bilstm.delete.low.train: the model is imdb.bilstm.delete.low
fs::path first_folder(const SuiteStep& step) {
  if (step.kind == "train")
    return fs::path("models") / step.name.substr(0, step.name.size() - 6);  // ".train"
  if (step.kind == "pretrain")
    return fs::path("models") / step.name.substr(0, step.name.size() - 9);  // ".pretrain"
  return fs::path("runs") / step.name;
}

// The flags that a model was, or is to be, trained with, without those that say where.
SuiteFlags training_flags(const PlannedStep& planned,
                          const std::function<fs::path(const std::string&)>& folder_of_step) {
  static const std::set<std::string> places = {"out", "device", "threads", "loader-threads"};
  SuiteFlags flags;
  for (size_t i = 2; i < planned.parts.size(); ++i) {
    const CommandPart& part = planned.parts[i];
    if (part.step.empty() && part.text.starts_with(flag_word(""))) {
      flags.push_back({part.text.substr(2), {}, 0});
    } else if (!flags.empty()) {
      const bool self = part.step == planned.step.name;
      flags.back().values.push_back(part.text + (part.step.empty() || self
                                                     ? std::string()
                                                     : folder_of_step(part.step).string()));
    }
  }
  std::erase_if(flags, [&](const SuiteFlag& flag) { return places.contains(flag.name); });
  return flags;
}

class Settler {
 public:
  Settler(std::vector<PlannedStep>& plan, const SettleOptions& options)
      : plan_(plan), options_(options) {
    std::error_code ignored;
    if (fs::exists(options.out / kManifestFile, ignored)) before_ = read_manifest(options.out);
    for (const auto* steps : {&before_.past, &before_.steps})
      for (const SuiteStep& step : *steps)
        if (!step.folder.empty() && (step.state != StepState::kPlanned || !step.version.empty()))
          records_[{step.folder.string(), step.kind}] = &step;
  }

  SuiteManifest run(const Suite& suite) {
    if (!before_.suite.empty() && before_.suite != suite.name)
      throw usage_error(fmt::format("{}: holds the suite '{}'; choose another folder for '{}'",
                                    options_.out.string(), before_.suite, suite.name));
    for (PlannedStep& planned : plan_) {
      settle(planned);
      write_command(planned);
      places_[planned.step.name] = folder_of(planned.step, options_.out);
    }
    SuiteManifest manifest;
    manifest.suite = suite.name;
    manifest.title = suite.title;
    manifest.version = version();
    manifest.machine = machine_in_words();
    for (const PlannedStep& planned : plan_) manifest.steps.push_back(planned.step);
    manifest.past = past();
    return manifest;
  }

 private:
  void settle(PlannedStep& planned) {
    SuiteStep& step = planned.step;
    if (const PlannedStep* const same = twin_of(planned)) {
      planned.twin = same->step.name;
      step.folder = same->step.folder;
      copy_outcome(same->step, step);
      return;
    }
    if (step.kind == "judge") {
      settle_judge(planned);
      return;
    }
    if (makes_model(step.kind) && use_recorded_model(planned)) return;
    const fs::path first = first_folder(step);
    for (int number = 1; number <= kMostFolders; ++number) {
      const fs::path folder = number == 1 ? first : with_suffix(first, fmt::format("-{}", number));
      if (!may_use(folder, planned)) {
        if (planned.instead_of.empty()) planned.instead_of = folder.string();
        continue;
      }
      step.folder = folder;
      if (step.state == StepState::kPlanned && !planned.reused && makes_model(step.kind) &&
          !is_there(options_.out / folder))
        use_model_elsewhere(planned);
      return;
    }
  }

  // Whether the step's results are, or may come to be, in that folder.
  bool may_use(const fs::path& folder, PlannedStep& planned) {
    SuiteStep& step = planned.step;
    const auto found = records_.find({folder.string(), step.kind});
    const fs::path place = options_.out / folder;
    const bool taken = step.kind == "evaluate"
                           ? is_complete_in(step.kind, place)
                           : is_there(place) || is_there(with_suffix(place, ".partial"));
    if (found != records_.end() && found->second->identity == step.identity) {
      go_on(*found->second, planned, place);
      return true;
    }
    if (!taken) return true;
    if (found != records_.end() || step.kind == "evaluate") {
      planned.replaces = options_.overwrite;
      return options_.overwrite;
    }
    if (!makes_model(step.kind)) return true;  // the verb itself knows whose results these are
    if (was_trained_so(place, planned)) {
      planned.reused = true;
      step.state = StepState::kDone;
      return true;
    }
    if (!is_there(place)) return true;  // an interrupted training: the verb knows whose
    planned.replaces = options_.overwrite;
    return options_.overwrite;
  }

  // By its own record.
  void go_on(const SuiteStep& record, PlannedStep& planned, const fs::path& place) const {
    SuiteStep& step = planned.step;
    copy_outcome(record, step);
    if (step.state == StepState::kDone) {
      if (!is_complete_in(step.kind, place)) step.state = StepState::kPlanned;
      return;
    }
    const std::string claim = claim_in(step.kind, place);
    if (claim.empty()) return;
    // It was killed before it had removed what stood there; or what it began was begun by a version
    // whose results this one does not add to.
    planned.replaces =
        record.replaces == claim || (options_.overwrite && record.version != version());
  }

  // A model made elsewhere that an earlier start found.
  bool use_recorded_model(PlannedStep& planned) const {
    for (const auto& [key, record] : records_) {
      if (!record->folder.is_absolute() || record->kind != planned.step.kind ||
          record->identity != planned.step.identity || record->state != StepState::kDone ||
          !is_complete_in(record->kind, record->folder))
        continue;
      planned.step.folder = record->folder;
      copy_outcome(*record, planned.step);
      return true;
    }
    return false;
  }

  bool was_trained_so(const fs::path& place, const PlannedStep& planned) const {
    if (!options_.was_trained_so || !is_complete_in(planned.step.kind, place)) return false;
    return options_.was_trained_so(
        place, planned.step.kind,
        training_flags(planned, [&](const std::string& name) { return places_.at(name); }));
  }

  void use_model_elsewhere(PlannedStep& planned) const {
    if (options_.models.empty()) return;
    std::vector<fs::path> folders = {options_.models};
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(options_.models, ignored))
      if (entry.is_directory()) folders.push_back(entry.path());
    std::sort(folders.begin() + 1, folders.end());
    for (const fs::path& folder : folders) {
      if (!was_trained_so(folder, planned)) continue;
      planned.reused = true;
      planned.step.folder = fs::absolute(folder).lexically_normal();
      planned.step.state = StepState::kDone;
      return;
    }
  }

  void settle_judge(PlannedStep& planned) {
    SuiteStep& step = planned.step;
    for (const PlannedStep& other : plan_)
      if (other.step.name == step.needs.front()) step.folder = other.step.folder;
    const auto found = records_.find({step.folder.string(), step.kind});
    if (found == records_.end() || found->second->identity != step.identity) return;
    copy_outcome(*found->second, step);
    if (!is_complete(step, options_.out)) step.state = StepState::kPlanned;
  }

  // An earlier step of this plan that gives the same results.
  const PlannedStep* twin_of(const PlannedStep& planned) const {
    for (const PlannedStep& other : plan_) {
      if (&other == &planned) break;
      if (other.step.kind == planned.step.kind && other.step.identity == planned.step.identity)
        return &other;
    }
    return nullptr;
  }

  static bool is_complete_in(const std::string& kind, const fs::path& folder) {
    return is_there(folder / last_file(kind));
  }

  static void copy_outcome(const SuiteStep& from, SuiteStep& to) {
    to.state = from.state;
    to.seconds = from.seconds;
    to.machine = from.machine;
    to.version = from.version;
    to.problem = from.problem;
    to.replaces = from.replaces;
  }

  void write_command(PlannedStep& planned) {
    std::vector<std::string>& command = planned.step.command;
    command.clear();
    for (const CommandPart& part : planned.parts) {
      if (part.step.empty())
        command.push_back(part.text);
      else if (part.step == planned.step.name)
        command.push_back(part.text + folder_of(planned.step, options_.out).string());
      else
        command.push_back(part.text + places_.at(part.step).string());
    }
  }

  // Records of steps that are not in the plan, or had another folder, and whose results are still
  // there, in the order of the suite.
  std::vector<SuiteStep> past() const {
    std::vector<SuiteStep> kept;
    for (const auto* steps : {&before_.steps, &before_.past})
      for (const SuiteStep& record : *steps) {
        const auto is_gone = [&](const SuiteStep& now) {
          return now.folder == record.folder && now.kind == record.kind &&
                 (now.name == record.name || now.identity != record.identity);
        };
        const bool gone =
            record.folder.empty() ||
            (record.state == StepState::kPlanned && record.version.empty()) ||
            std::any_of(plan_.begin(), plan_.end(),
                        [&](const PlannedStep& planned) { return is_gone(planned.step); }) ||
            std::any_of(kept.begin(), kept.end(), is_gone) ||
            !is_there(folder_of(record, options_.out));
        if (!gone) kept.push_back(record);
      }
    return kept;
  }

  std::vector<PlannedStep>& plan_;
  const SettleOptions& options_;
  SuiteManifest before_;
  std::map<std::array<std::string, 2>, const SuiteStep*> records_;  // by folder and kind
  std::map<std::string, fs::path> places_;                          // by step
};

}  // namespace

fs::path folder_of(const SuiteStep& step, const fs::path& out) {
  return step.folder.is_absolute() ? step.folder : out / step.folder;
}

bool is_complete(const SuiteStep& step, const fs::path& out) {
  return is_there(folder_of(step, out) / last_file(step.kind));
}

std::string claim_of(const SuiteStep& step, const fs::path& out) {
  return claim_in(step.kind, folder_of(step, out));
}

SuiteManifest settle_plan(const Suite& suite, std::vector<PlannedStep>& plan,
                          const SettleOptions& options) {
  return Settler(plan, options).run(suite);
}

}  // namespace textcrs
