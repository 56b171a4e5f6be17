#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "attack_flags.h"
#include "attack_reference.h"
#include "commands.h"
#include "failure_message.h"
#include "kept_results.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/attack_target.h"
#include "textcrs/report/attack_run.h"

namespace textcrs::cli {
namespace {

// Of what a certificate did not keep, so much is printed; all of it is in the summary.
constexpr size_t kMostPrinted = 10;

constexpr const char* kTarget = "target";  // the name of the model attacked

// The models that are asked, those of the flags and, if it proves anything, the one attacked.
class Defences {
 public:
  explicit Defences(const AttackFlags& flags)
      : target_(flags.load_defence(flags.model, flags.options.noise)) {
    if (!target_->operations().empty()) list_.push_back({kTarget, target_.get()});
    for (const NamedModel& model : flags.defences()) {
      others_.push_back(flags.load_defence(model.folder, ""));
      list_.push_back({model.name, others_.back().get()});
    }
  }

  const CertifiedClassifier& target() const { return *target_; }
  const std::vector<Defence>& list() const { return list_; }

 private:
  std::unique_ptr<const CertifiedClassifier> target_;
  std::vector<std::unique_ptr<const CertifiedClassifier>> others_;
  std::vector<Defence> list_;
};

AttackReporter reporter(StatusLine& status) {
  auto contradicted = std::make_shared<size_t>(0);
  return [&status, contradicted](const AttackRunProgress& p) {
    if (p.contradicted > *contradicted) {
      *contradicted = p.contradicted;
      status.print("a certificate covers an edited text, and the answer for it is another");
    }
    if (p.done > p.resumed)
      status.update(fmt::format("{}/{}  {} of {} attacks with success  {:.2f} texts/s  {} left",
                                p.done, counted(p.texts, "text"), p.succeeded, p.attempted,
                                p.texts_per_second, duration(p.seconds_left)));
    else if (p.resumed > 0)
      status.print(fmt::format("going on: {} of {} done", p.resumed, counted(p.texts, "text")));
  };
}

// The flag that decides a setting of the run; its name where none does.
std::string flag_of(const std::string& setting) {
  static const std::map<std::string, std::string> flags = {
      {"query_budget", "--queries"},    {"masked_words", "--masked-lm"},
      {"replacements", "--synonyms"},   {"synonyms", "--wordnet"},
      {"parts_of_speech", "--wordnet"}, {"selection_samples", "--selection-samples"}};
  for (const char* flag : {"recipe", "split", "limit", "copies", "seed", "noise", "model", "data",
                           "encoder", "reference", "samples", "alpha", "device"})
    if (setting == flag) return "--" + setting;
  if (const auto found = flags.find(setting); found != flags.end()) return found->second;
  const size_t dot = setting.rfind('.');
  if (dot == std::string::npos) return setting;
  const std::string name = setting.substr(0, dot), of_model = setting.substr(dot + 1);
  return name == kTarget || of_model != "model" ? flag_of(of_model) : "--against " + name;
}

// What the library refuses, with the flags that decide it.
AttackSummary run_all(const Attack& attack, const AttackTarget& target, const Defences& defences,
                      const Dataset& dataset, const AttackRunOptions& options) {
  StatusLine status;
  return keeping_results(flag_of, [&] {
    return run_attack(attack, target, defences.list(), dataset, options, reporter(status),
                      stop_token());
  });
}

// Answers that were proved to stay, and did not: nobody may overlook them.
void check_kept(const AttackSummary& summary, const std::string& out) {
  size_t count = 0;
  for (const AttackSummary::Model& model : summary.models) count += model.contradicted;
  if (count == 0) return;
  flush_output();
  for (size_t i = 0; i < std::min(summary.contradictions.size(), kMostPrinted); ++i)
    fmt::print(stderr, "{}",
               error_line("not as certified: " + in_words(summary.contradictions[i])));
  throw failed(fmt::format("{} not as certified: see above and {}/summary.json",
                           count == 1 ? "1 answer is" : fmt::format("{} answers are", count), out));
}

// The recipe's parts that are of the model attacked; a usage Error where it has none.
RecipeParts parts_of_target(const AttackFlags& flags, const RecipeNeeds& needs,
                            const CertifiedClassifier& target) {
  RecipeParts parts;
  try {
    if (needs.budgets) parts.budgets = certified_budgets(target);
    if (needs.worst) parts.worst = witness_texts(target);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("--recipe {} on {}: {}", flags.recipe, flags.model, error.what()));
  }
  return parts;
}

std::vector<Setting> settings_of(const AttackFlags& flags, const Description& target) {
  std::vector<Setting> settings = {{"recipe", full_spec(flags.recipe)},
                                   {"split", flags.data.split},
                                   {"limit", uint64_t{flags.data.limit}},
                                   {"model", target.model},
                                   {"noise", target.noise},
                                   {"engine", target.engine}};
  if (target.is_smoothed() && target.samples)
    settings.push_back({"copies", uint64_t{flags.copies}});
  return settings;
}

void run(AttackFlags flags) {
  const RecipeNeeds needs = needs_of(flags.recipe);
  if (needs.masked_words && flags.sources.masked_words.empty())
    throw usage_error(fmt::format(
        "--recipe {} proposes words by a masked language model: expected --masked-lm with a folder "
        "that textcrs pretrain made",
        flags.recipe));
  const Defences defences(flags);
  const Description& attacked = defences.target().description();
  const auto target = load_attack_target(flags.model, flags.options, flags.copies);
  RecipeParts parts = parts_of_target(flags, needs, defences.target());
  const Dataset dataset = flags.data.load(target->classes(), flags.options.seed);
  const RecipeAssets assets(needs, flags.sources, flags.options.engine);
  assets.add_to(parts);
  AttackRunOptions options = {
      .folder = flags.out, .settings = settings_of(flags, attacked), .overwrite = flags.overwrite};
  for (const auto& [name, fingerprint] : assets.fingerprints())
    options.settings.push_back({name, fingerprint});
  const Learnt learnt = learn(flags, needs, *target, options);
  if (learnt.class_words) parts.class_words = &*learnt.class_words;
  parts.phrase = learnt.phrase;
  flags.limits.seed = flags.options.seed;
  const Attack attack = make_attack(flags.recipe, parts, flags.limits);
  const AttackSummary summary = run_all(attack, *target, defences, dataset, options);
  put("{} on {} under {}: {} of {} ({})\n{}\nresults: {}\n", full_spec(flags.recipe), flags.model,
      attacked.noise, counted(summary.texts, "text"), dataset.name, flags.data.split,
      in_words(summary), flags.out);
  check_kept(summary, flags.out);
}

}  // namespace

void add_attack(CLI::App& app) {
  auto* command =
      app.add_subcommand("attack", "Attack a model, and ask certificates about the edited texts");
  auto flags = std::make_shared<AttackFlags>();
  flags->add(*command);
  command->footer(
      "Examples:\n"
      "  textcrs attack --model imdb-plain --recipe textfooler --data imdb --limit 1000 \\\n"
      "                 --against votes=models/imdb-votes --out imdb-textfooler\n"
      "  textcrs attack --model imdb-universal --recipe frontier:form=inside --data imdb \\\n"
      "                 --limit 100 --out imdb-frontier\n"
      "textcrs list attacks shows the recipes. One JSON line per text goes to OUT/results.jsonl;\n"
      "after an interruption the same command goes on where it stopped. An edited text that a\n"
      "certificate covers and that is answered otherwise fails the run.");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
