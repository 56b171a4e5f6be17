#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "attack_flags.h"
#include "commands.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/attack_target.h"
#include "textcrs/report/attack_run.h"
#include "textcrs/report/results_file.h"

namespace textcrs::cli {
namespace {

// How many labelled texts a phrase is searched on: more cost time, and change it little.
constexpr size_t kTriggerTexts = 200;

// The models that are asked, those of the flags and, if it proves anything, the one attacked.
class Defences {
 public:
  explicit Defences(const AttackFlags& flags)
      : target_(flags.load_defence(flags.model, flags.options.noise)) {
    if (!target_->operations().empty()) list_.push_back({"target", target_.get()});
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

Trigger search_trigger(const AttackTarget& target, const std::vector<LabelledWords>& texts,
                       const ClassWords& words, const TriggerOptions& options) {
  StatusLine status;
  // Every so-manieth text: all classes, wherever they lie.
  std::vector<LabelledWords> some;
  const size_t step = std::max<size_t>(1, texts.size() / kTriggerTexts);
  for (size_t i = 0; i < texts.size(); i += step) some.push_back(texts[i]);
  const Trigger trigger = find_trigger(
      target, some, words, options,
      [&](size_t done, size_t places) {
        status.update(fmt::format("searching for a phrase: {}/{}", done, places));
      },
      stop_token());
  status.clear();
  remark(fmt::format("the phrase \"{}\" turns {} of {} that were answered right",
                     fmt::join(trigger.phrase, " "), trigger.flipped,
                     counted(trigger.texts, "reference text")));
  return trigger;
}

AttackReporter reporter(StatusLine& status) {
  auto contradicted = std::make_shared<size_t>(0);
  return [&status, contradicted](const AttackRunProgress& p) {
    if (p.contradicted > *contradicted) {
      *contradicted = p.contradicted;
      status.print("a certificate covers an edited text, and the answer for it is another");
    }
    if (p.done > p.resumed)
      status.update(fmt::format("{}/{}  {} of {} attacked turned  {:.2f} texts/s  {} left", p.done,
                                counted(p.texts, "text"), p.succeeded, p.attempted,
                                p.texts_per_second, duration(p.seconds_left)));
    else if (p.resumed > 0)
      status.print(fmt::format("going on: {} of {} done", p.resumed, counted(p.texts, "text")));
  };
}

// What the library refuses, with the flags that decide it.
AttackSummary run_all(const Attack& attack, const AttackTarget& target, const Defences& defences,
                      const Dataset& dataset, const AttackRunOptions& options) {
  StatusLine status;
  try {
    return run_attack(attack, target, defences.list(), dataset, options, reporter(status),
                      stop_token());
  } catch (const OtherRun& other) {
    throw usage_error(
        fmt::format("{}: holds the results of another run ({} was {}, now {}); choose another "
                    "--out or add --overwrite",
                    other.file().string(), other.setting(), other.before(), other.now()));
  } catch (const OtherVersion& other) {
    throw usage_error(
        fmt::format("{}; finish them with that version, choose another --out, or start anew with "
                    "--overwrite",
                    other.problem()));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw Error(error.kind(), fmt::format("{}; the same command goes on", error.what()));
  }
}

void run(AttackFlags flags) {
  const RecipeNeeds needs = needs_of(flags.recipe);
  const auto target = load_attack_target(flags.model, flags.options, flags.copies);
  const Defences defences(flags);
  const Dataset dataset = flags.data.load(target->classes(), flags.options.seed);
  const RecipeAssets assets(needs, flags.sources, flags.options.engine);
  RecipeParts parts = assets.parts();
  AttackRunOptions options;
  options.folder = flags.out;
  options.overwrite = flags.overwrite;
  options.settings = {{"recipe", full_spec(flags.recipe)},
                      {"split", flags.data.split},
                      {"limit", uint64_t{flags.data.limit}},
                      {"copies", uint64_t{flags.copies}}};
  const Description& attacked = defences.target().description();
  options.settings.push_back({"model", attacked.model});
  options.settings.push_back({"noise", attacked.noise});
  options.settings.push_back({"engine", attacked.engine});
  for (const auto& [name, fingerprint] : assets.fingerprints())
    options.settings.push_back({name, fingerprint});

  std::optional<ClassWords> class_words;
  if (needs.class_words) {
    const std::vector<LabelledWords> reference = flags.load_reference(*target);
    class_words.emplace(reference, target->classes().size());
    parts.class_words = &*class_words;
    if (needs.phrase) {
      parts.phrase = search_trigger(*target, reference, *class_words, needs.trigger).phrase;
      options.settings.push_back({"phrase", fmt::format("{}", fmt::join(parts.phrase, " "))});
    }
  }
  if (needs.budgets) parts.budgets = certified_budgets(defences.target());
  if (needs.worst) parts.worst = witness_texts(defences.target());
  flags.limits.seed = flags.options.seed;
  const Attack attack = make_attack(flags.recipe, parts, flags.limits);
  const AttackSummary summary = run_all(attack, *target, defences, dataset, options);
  fmt::print("{} on {} under {}: {} of {} ({})\n{}\nresults: {}\n", full_spec(flags.recipe),
             flags.model, attacked.noise, counted(summary.texts, "text"), dataset.name,
             flags.data.split, in_words(summary), flags.out);
  if (summary.contradictions.empty()) return;
  flush_output();
  for (const auto& contradiction : summary.contradictions)
    remark(fmt::format("not as certified: {}", in_words(contradiction)));
  throw failed(fmt::format("{} not keep what was certified: see above and {}/summary.json",
                           summary.contradictions.size() == 1
                               ? "1 answer does"
                               : fmt::format("{} answers do", summary.contradictions.size()),
                           flags.out));
}

}  // namespace

void add_attack(CLI::App& app) {
  auto* command = app.add_subcommand(
      "attack", "Attack a model, and ask what certificates promised of the texts that come of it");
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
