#include "textcrs/suite/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "suite/step_builder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

// What a plan takes at most: every data set with every model, method and variant are soon too many.
constexpr size_t kMostSteps = 10'000, kMostBytes = size_t{32} << 20;

size_t bytes_of(const PlannedStep& planned) {
  constexpr size_t kOfEach = 64;
  size_t bytes = planned.step.name.size();
  for (const auto& [key, value] : planned.step.tags) bytes += kOfEach + key.size() + value.size();
  for (const CommandPart& part : planned.parts)
    bytes += kOfEach + part.text.size() + part.step.size();
  return bytes;
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || contains(list, name);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts)
    if (!part.empty()) name += (name.empty() ? "" : ".") + part;
  return name;
}

class Planner {
 public:
  Planner(const Suite& suite, const PlanOptions& options) : suite_(suite), options_(options) {}

  std::vector<PlannedStep> run() {
    choose_data();
    for (const SuiteData& data : data_) {
      for (const SuiteEncoder& encoder : suite_.encoders)
        if (names(encoder.data, data.name)) plan_encoder(data, encoder);
      for (const SuiteModel& model : suite_.models)
        for (const SuiteMethod& method : suite_.methods) plan_method(data, model, method);
      for (const SuiteModel& model : suite_.models)
        for (const SuiteAttack& attack : suite_.attacks) plan_attack(data, model, attack);
    }
    if (plan_.empty())
      throw bad_input(fmt::format("{}: no method has one of the models, nothing is to be done",
                                  suite_.file.string()));
    return std::move(plan_);
  }

 private:
  void choose_data() {
    std::vector<std::string> known;
    for (const SuiteData& data : suite_.data) known.push_back(data.name);
    for (const std::string& name : options_.data)
      if (!contains(known, name))
        throw usage_error(fmt::format("{}: the suite has no data '{}', expected some of: {}{}",
                                      suite_.file.string(), name, fmt::join(known, ", "),
                                      did_you_mean(name, known)));
    for (SuiteData data : suite_.data) {
      if (!names(options_.data, data.name)) continue;
      if (const auto other = options_.texts.find(data.name); other != options_.texts.end())
        std::tie(data.train, data.test) = other->second;
      data_.push_back(std::move(data));
    }
  }

  std::vector<SuiteLevel> levels_of(const SuiteData& data, const SuiteModel& model,
                                    const SuiteMethod& method) const {
    std::vector<SuiteLevel> levels = method.levels;
    for (const SuiteOverride& change : method.overrides)
      if (names(change.models, model.name) && names(change.data, data.name) &&
          !change.levels.empty())
        levels = change.levels;
    return levels;
  }

  // What the suite says of all steps of a verb.
  SuiteFlags defaults_of(const std::string& verb) const {
    const bool certifies = verb == "certify", asks = certifies || verb == "attack";
    SuiteFlags flags;
    if (verb == "judge") return flags;
    if (const auto seed = options_.seed ? options_.seed : suite_.seed)
      flags.push_back({"seed", {std::to_string(*seed)}, 0});
    if (asks && suite_.limit) flags.push_back({"limit", {std::to_string(*suite_.limit)}, 0});
    if (certifies && suite_.samples)
      flags.push_back({"samples", {std::to_string(*suite_.samples)}, 0});
    if (asks && suite_.alpha) flags.push_back({"alpha", {shortest(*suite_.alpha)}, 0});
    return flags;
  }

  static void add(SuiteFlags& flags, const std::string& verb, const FlagsByVerb& by_verb) {
    if (const auto found = by_verb.find(verb); found != by_verb.end()) merge(flags, found->second);
  }

  static void add(SuiteFlags& flags, const std::string& name, std::optional<uint64_t> number) {
    if (number) merge(flags, {{name, {std::to_string(*number)}, 0}});
  }

  // All flags of a verb, the more special ones last.
  SuiteFlags flags_of(const std::string& verb, const SuiteData& data, const SuiteModel* model,
                      const SuiteMethod* method) const {
    SuiteFlags flags = defaults_of(verb);
    const auto add = [&](const FlagsByVerb& by_verb) { Planner::add(flags, verb, by_verb); };
    add(suite_.flags);
    add(data.flags);
    if (model != nullptr) {
      add(model->flags);
      for (const SuiteOverride& change : model->overrides)
        if (names(change.data, data.name)) add(change.flags);
    }
    if (method == nullptr) return flags;
    add(method->flags);
    for (const SuiteOverride& change : method->overrides)
      if (names(change.data, data.name) && (model == nullptr || names(change.models, model->name)))
        add(change.flags);
    return flags;
  }

  std::string device_of(const SuiteModel* model) const {
    if (model != nullptr && !model->device.empty()) return model->device;
    return options_.device.empty() ? suite_.device : options_.device;
  }

  // What all steps of a verb have in common.
  StepBuilder begin(const std::string& verb, const std::string& name, const SuiteData& data,
                    const SuiteModel* model, const std::string& texts) const {
    StepBuilder step(verb, name);
    step.tag("data", data.name);
    step.tag("data-title", data.title);
    if (model != nullptr) {
      step.tag("model", model->name);
      step.tag("model-title", model->title);
    }
    step.texts("data", texts);
    if (const std::string device = device_of(model); device != "cpu") step.place("device", device);
    return step;
  }

  static void tag_method(StepBuilder& step, const SuiteMethod& method, const SuiteLevel& level) {
    step.tag("method", method.name);
    step.tag("method-title", method.title);
    step.tag("operation", method.operation);
    step.tag("level", level.name);
    step.tag("noise", level.noise);
  }

  void plan_method(const SuiteData& data, const SuiteModel& model, const SuiteMethod& method) {
    if (!names(method.models, model.name) || !names(method.data, data.name)) return;
    for (const SuiteLevel& level : levels_of(data, model, method)) {
      const std::string base = joined({data.name, model.name, method.name, level.name});
      const std::string trained = plan_training(base, data, model, method, level);
      if (method.evaluates) plan_evaluation(base, trained, data, model, method, level);
      if (!method.certifies) continue;
      plan_certification(base, trained, data, model, method, level, nullptr);
      for (const SuiteVariant& variant : suite_.variants)
        if (names(variant.methods, method.name) && names(variant.levels, level.name) &&
            names(variant.models, model.name) && names(variant.data, data.name))
          plan_certification(base, trained, data, model, method, level, &variant);
    }
  }

  // The step that trains the model: another one's, where that has the same command.
  std::string plan_training(const std::string& base, const SuiteData& data, const SuiteModel& model,
                            const SuiteMethod& method, const SuiteLevel& level) {
    StepBuilder step = begin("train", base + ".train", data, &model, data.train);
    tag_method(step, method, level);
    if (!level.noise.empty()) step.flag("noise", level.noise);
    step.flags(flags_of("train", data, &model, &method), model_of(data, &model));
    step.out();
    const std::string name = keep(std::move(step));
    models_[{data.name, model.name, method.name, level.name}] = name;
    return name;
  }

  void plan_evaluation(const std::string& base, const std::string& trained, const SuiteData& data,
                       const SuiteModel& model, const SuiteMethod& method,
                       const SuiteLevel& level) {
    StepBuilder step = begin("evaluate", base + ".evaluate", data, &model, data.test);
    tag_method(step, method, level);
    step.flag_of("model", find(trained));
    step.flags(flags_of("evaluate", data, &model, &method), model_of(data, &model));
    step.flag("json");
    keep(std::move(step));
  }

  void plan_certification(const std::string& base, const std::string& trained,
                          const SuiteData& data, const SuiteModel& model, const SuiteMethod& method,
                          const SuiteLevel& level, const SuiteVariant* variant) {
    const std::string name = joined({base, "certify", variant ? variant->name : ""});
    StepBuilder step = begin("certify", name, data, &model, data.test);
    tag_method(step, method, level);
    if (variant != nullptr) {
      step.tag("variant", variant->name);
      step.tag("variant-title", variant->title);
    }
    step.flag_of("model", find(trained));
    SuiteFlags flags = flags_of("certify", data, &model, &method);
    add(flags, "samples", options_.samples);
    if (variant != nullptr) add(flags, "certify", variant->flags);
    add(flags, "limit", options_.limit);
    for (const char* key : {"samples", "limit"})
      for (const SuiteFlag& flag : flags)
        if (flag.name == key && flag.values.size() == 1) step.tag(key, flag.values[0]);
    step.flags(flags, model_of(data, &model));
    step.out();
    keep(std::move(step));
  }

  void plan_encoder(const SuiteData& data, const SuiteEncoder& encoder) {
    StepBuilder step =
        begin("pretrain", joined({data.name, encoder.name, "pretrain"}), data, nullptr, data.train);
    step.tag("encoder", encoder.name);
    SuiteFlags flags = flags_of("pretrain", data, nullptr, nullptr);
    add(flags, "pretrain", encoder.flags);
    step.flags(flags, model_of(data, nullptr));
    step.out();
    encoders_[{data.name, encoder.name}] = keep(std::move(step));
  }

  void plan_attack(const SuiteData& data, const SuiteModel& model, const SuiteAttack& attack) {
    if (!names(attack.models, model.name) || !names(attack.data, data.name)) return;
    for (const SuiteMethod& method : suite_.methods) {
      if (!contains(attack.methods, method.name) || !names(method.models, model.name) ||
          !names(method.data, data.name))
        continue;
      for (const SuiteLevel& level : levels_of(data, model, method))
        plan_attack_on(data, model, method, level, attack);
    }
  }

  void plan_attack_on(const SuiteData& data, const SuiteModel& model, const SuiteMethod& method,
                      const SuiteLevel& level, const SuiteAttack& attack) {
    const std::string base = joined({data.name, model.name, method.name, level.name, attack.name});
    StepBuilder step = begin("attack", base + ".attack", data, &model, data.test);
    tag_method(step, method, level);
    step.tag("operation", attack.operation);
    step.tag("attack", attack.name);
    step.tag("attack-title", attack.title);
    step.tag("recipe", attack.recipe);
    step.flag("recipe", attack.recipe);
    const std::string& trained = models_.at({data.name, model.name, method.name, level.name});
    step.flag_of("model", find(trained));
    SuiteFlags flags = flags_of("attack", data, &model, &method);
    add(flags, "attack", attack.flags);
    add(flags, "limit", options_.limit);
    for (const std::string& defence : attack.against)
      if (const PlannedStep* const other = resolve(defence, data, &model); other != nullptr)
        step.named_folder("against", defence, *other);
    const std::string recipe = attack.recipe.substr(0, attack.recipe.find(':'));
    if (data.train != data.test &&
        (recipe == "good-words" || recipe == "universal-trigger" || recipe == "frontier"))
      step.texts("reference", data.train);
    step.flags(flags, model_of(data, &model));
    step.out();
    const std::string attacked = keep(std::move(step));
    SuiteFlags of_judge = flags_of("judge", data, &model, &method);
    add(of_judge, "judge", attack.flags);
    if (attack.judged) plan_judge(base, attacked, of_judge);
  }

  void plan_judge(const std::string& base, const std::string& attacked, const SuiteFlags& flags) {
    StepBuilder step("judge", base + ".judge");
    const PlannedStep& run = find(attacked);
    for (const auto& [key, value] : run.step.tags) step.tag(key, value);
    step.folder_of(run);
    step.flags(flags, [&](const SuiteFlag& flag, const std::string& reference) -> PlannedStep& {
      throw no_model(flag, reference, base + ".judge");
    });
    keep(std::move(step));
  }

  Error no_model(const SuiteFlag& flag, const std::string& reference,
                 const std::string& where) const {
    return bad_input(fmt::format(
        "{}:{}: '@{}' of the flag '{}': found no such model that is trained before, for {}",
        suite_.file.string(), flag.line, reference, flag.name, where));
  }

  // What a flag's "@METHOD" stands for.
  std::function<const PlannedStep&(const SuiteFlag&, const std::string&)> model_of(
      const SuiteData& data, const SuiteModel* model) const {
    return [this, &data, model](const SuiteFlag& flag,
                                const std::string& reference) -> const PlannedStep& {
      const PlannedStep* const step = resolve(reference, data, model);
      if (step == nullptr)
        throw no_model(flag, reference, joined({data.name, model ? model->name : ""}));
      return *step;
    };
  }

  // METHOD, METHOD.LEVEL or an encoder: the step with its model for the same data and model, or
  // the method's only model; nullptr where this data has none.
  const PlannedStep* resolve(const std::string& reference, const SuiteData& data,
                             const SuiteModel* model) const {
    if (const auto found = encoders_.find({data.name, reference}); found != encoders_.end())
      return &find(found->second);
    const size_t dot = reference.find('.');
    const std::string method = reference.substr(0, dot);
    const std::string level = dot == std::string::npos ? "" : reference.substr(dot + 1);
    const PlannedStep* only = nullptr;
    size_t count = 0;
    for (const auto& [key, step] : models_) {
      if (key[0] != data.name || key[2] != method || key[3] != level) continue;
      if (model != nullptr && key[1] == model->name) return &find(step);
      only = &find(step);
      ++count;
    }
    return count == 1 ? only : nullptr;
  }

  const PlannedStep& find(const std::string& name) const { return plan_[places_.at(name)]; }

  // Its name, or that of the training that is the same.
  std::string keep(StepBuilder builder) {
    PlannedStep planned = builder.finish();
    const SuiteStep& step = planned.step;
    if (step.kind == "train" || step.kind == "pretrain")
      for (const PlannedStep& other : plan_)
        if (other.step.kind == step.kind && other.step.identity == step.identity)
          return other.step.name;
    if (!places_.emplace(step.name, plan_.size()).second)
      throw bad_input(
          fmt::format("{}: two steps would be called {}; give one of their parts "
                      "another name",
                      suite_.file.string(), step.name));
    bytes_ += bytes_of(planned);
    if (plan_.size() == kMostSteps || bytes_ > kMostBytes)
      throw bad_input(
          fmt::format("{}: found more than {} steps or {} MiB of commands, expected "
                      "fewer",
                      suite_.file.string(), kMostSteps, kMostBytes >> 20));
    plan_.push_back(std::move(planned));
    return plan_.back().step.name;
  }

  const Suite& suite_;
  const PlanOptions& options_;
  std::vector<SuiteData> data_;
  std::vector<PlannedStep> plan_;
  size_t bytes_ = 0;
  std::map<std::string, size_t> places_;
  std::map<std::array<std::string, 4>, std::string> models_;  // data, model, method, level
  std::map<std::array<std::string, 2>, std::string> encoders_;
};

// The words by which a step may be chosen.
std::vector<std::string> words_of(const SuiteStep& step) {
  std::vector<std::string> words = {step.kind, step.name};
  for (const char* key :
       {"data", "model", "method", "level", "variant", "attack", "operation", "encoder"})
    if (const std::string word = step.tag(key); !word.empty()) words.push_back(word);
  return words;
}

bool has_word(const SuiteStep& step, const std::string& word) {
  return contains(words_of(step), word);
}

void check_words(const std::vector<PlannedStep>& plan, const std::vector<std::string>& words) {
  std::set<std::string> known;
  for (const PlannedStep& planned : plan)
    for (const std::string& word : words_of(planned.step)) known.insert(word);
  for (const std::string& word : words)
    if (!known.contains(word))
      throw usage_error(fmt::format("no step of the suite is '{}'{}", word,
                                    did_you_mean(word, {known.begin(), known.end()})));
}

std::vector<PlannedStep> only_those(std::vector<PlannedStep> plan,
                                    const std::vector<std::string>& words) {
  check_words(plan, words);
  std::set<std::string> wanted;
  for (auto planned = plan.rbegin(); planned != plan.rend(); ++planned) {
    const SuiteStep& step = planned->step;
    if (!wanted.contains(step.name) &&
        !std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return has_word(step, word); }))
      continue;
    wanted.insert(step.name);
    wanted.insert(step.needs.begin(), step.needs.end());
  }
  std::erase_if(plan, [&](const PlannedStep& one) { return !wanted.contains(one.step.name); });
  if (plan.empty())
    throw usage_error(fmt::format("no step of the suite is all of: {}", fmt::join(words, ", ")));
  return plan;
}

}  // namespace

std::vector<PlannedStep> plan_suite(const Suite& suite, const PlanOptions& options) {
  std::vector<PlannedStep> plan = Planner(suite, options).run();
  return options.only.empty() ? plan : only_those(std::move(plan), options.only);
}

}  // namespace textcrs
