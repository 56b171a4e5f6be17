#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "certify_flags.h"
#include "commands.h"
#include "inputs.h"
#include "kept_results.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/report/certification_run.h"
#include "textcrs/report/warnings.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertifyFlags certify;
  DataFlags data;
  std::string out;
  bool with_text = false, overwrite = false;
};

// selection_samples: --selection-samples
std::string flag_of(const std::string& setting) {
  std::string flag = "--" + setting;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// How far a run is, on the status line.
class Progress {
 public:
  void run(const RunProgress& p) {
    if (p.done > p.resumed) {
      texts_ = fmt::format("{}/{}  {:.2f} texts/s  {:.0f} passes/s  {} left", p.done,
                           counted(p.texts, "text"), p.texts_per_second, p.passes_per_second,
                           duration(p.seconds_left));
      status_.update(texts_);
    } else if (p.resumed > 0) {
      status_.print(fmt::format("going on: {} of {} done", p.resumed, counted(p.texts, "text")));
    }
  }
  // Of a black box: one text may take long.
  void asked(const AskedCounts& counts) {
    status_.update(texts_ + (texts_.empty() ? "" : "  ") + in_words(counts));
  }
  void clear() { status_.clear(); }

 private:
  StatusLine status_;
  std::string texts_;
};

// What the library refuses, with the flags that decide it.
Summary certify_all(const CertifiedClassifier& classifier, const Dataset& dataset,
                    const RunOptions& options, Progress& progress) {
  return keeping_results(flag_of, [&] {
    return run_certification(
        classifier, dataset, options, [&](const RunProgress& now) { progress.run(now); },
        stop_token());
  });
}

std::string how(const Description& description) {
  const CertifierOptions& o = description.certifier;
  if (description.noise == kNoNoise) return "the model's plain answers";
  if (!description.is_smoothed()) return "no noise, no sampling";
  if (!description.samples) return "all outcomes counted, no sampling";
  return fmt::format("N = {}, alpha = {}", o.estimation_samples, shortest(o.alpha));
}

void print_certified(const Summary& summary, const Description& description) {
  const bool labelled = summary.accuracy.has_value();
  const auto& sound = labelled ? summary.sound : summary.sound_share;
  const auto& paper = labelled ? summary.paper : summary.paper_share;
  if (description.noise == kNoNoise)
    put("\nNothing is certified: the model was trained without noise\n");
  else if (!sound.empty())
    put("\n{}{}\n{}",
        labelled ? "Certified accuracy: right, and no edit up to the radius can change it"
                 : "Certified share: no edit up to the radius can change the answer, right "
                   "or wrong",
        summary.unit == "word" ? "" : fmt::format("; the radius counts {}s", summary.unit),
        styled_first_line(Style::kHeading, table(sound)));
  else if (!paper.empty())
    put("\nOnly the paper's formula applies to this noise; it is not proved:\n{}",
        styled_first_line(Style::kHeading, table(paper)));
}

void print_free_edits(const Summary& summary) {
  for (const std::string& part : summary.free_edits) put("\nFree beside every radius: {}\n", part);
}

void print_synonyms(const Summary& summary) {
  if (summary.synonyms.empty()) return;
  put("\nThe same where every word may at once become any of its candidates ({}), and so many\n"
      "edits are made on top\n{}",
      summary.synonyms, styled_first_line(Style::kHeading, synonyms_table(summary)));
}

void print(const Summary& summary, const Flags& flags, const CertifiedClassifier& classifier,
           const Dataset& dataset) {
  const Description& description = classifier.description();
  put("{} under {}: {} of {} ({}), {}\n", flags.certify.name(), description.noise,
      counted(summary.texts, "text"), dataset.name, flags.data.split, how(description));
  if (const auto other = other_noise_in_words(description.noise, description.trained_noise);
      !other.empty())
    put("{}\n", other);
  put("{}", warnings_in_words(summary));
  if (!description.fallback.empty()) put("{}\n", fallback_in_words(summary));
  if (summary.saved) put("{}\n", savings_in_words(summary));
  if (summary.classes)
    put("{}\n\n{}\n{}",
        !description.is_smoothed()
            ? fmt::format("accuracy {:.1f} %; abstained {}", 100 * summary.classes->accuracy(),
                          summary.abstained)
            : accuracy_in_words(summary),
        styled_first_line(Style::kHeading, class_table(*summary.classes)),
        styled_first_line(Style::kHeading, confusion_table(*summary.classes)));
  else
    put("{}\n", answers_in_words(summary));
  print_certified(summary, description);
  print_free_edits(summary);
  print_synonyms(summary);
  for (const std::string& caveat : summary.caveats) put("\nnote: {}\n", caveat);
  for (const std::string& line : remarks_on(classifier)) put("\n{}\n", line);
  put("\nresults: {}\n", flags.out);
}

// What is asked, and about what.
struct Work {
  std::unique_ptr<CertifiedClassifier> classifier;
  Dataset dataset;
};

// A model says which classes the labels are; the labels may say which classes a black box has.
Work load(const Flags& flags) {
  Work work;
  const uint64_t seed = flags.certify.options.seed;
  if (flags.certify.black_box.given()) {
    work.dataset = flags.data.load(flags.certify.black_box.classes, seed);
    work.classifier = flags.certify.load(work.dataset.classes);
  } else {
    work.classifier = flags.certify.load();
    work.dataset = flags.data.load(work.classifier->classes(), seed);
  }
  return work;
}

void run(Flags flags, const std::string& resolved) {
  Progress progress;
  flags.certify.black_box.report = [&](const AskedCounts& counts) { progress.asked(counts); };
  const auto [classifier, dataset] = load(flags);
  RunOptions options;
  options.folder = flags.out;
  options.settings = {{"split", flags.data.split},
                      {"limit", uint64_t{flags.data.limit}},
                      {"id_column", flags.data.id_column}};
  options.with_text = flags.with_text;
  options.overwrite = flags.overwrite;
  options.notes = {
      {"certify.toml", "[certify]\n" + flags.certify.black_box.without_secrets(resolved)}};
  const Summary summary = certify_all(*classifier, dataset, options, progress);
  progress.clear();
  print(summary, flags, *classifier, dataset);
}

}  // namespace

void add_certify(CLI::App& app) {
  auto* command = app.add_subcommand("certify", "Certify the answers for a data set, and sum up");
  auto flags = std::make_shared<Flags>();
  flags->certify.add(*command);
  flags->certify.add_synonyms(*command);
  flags->data.add(*command, "test");
  command->add_option("--id-column", flags->data.id_column,
                      "Column of the texts' own ids, kept with the results as their key");
  command->add_flag("--with-text", flags->with_text, "Keep the texts with their results");
  command->add_option("--out", flags->out, "Folder for the results")->required();
  command->add_flag("--overwrite", flags->overwrite, "Start anew, whatever results are there")
      ->configurable(false);  // not part of what a saved run is
  command->footer(
      "Example:\n"
      "  textcrs certify --model imdb-universal --data imdb --limit 500 --samples 10000 \\\n"
      "                  --out imdb-certified\n"
      "  textcrs certify --model imdb-universal --data imdb --samples 100000 \\\n"
      "                  --stop-at-radius 1 --out imdb-one-edit\n"
      "  textcrs certify --classifier-command ./mine --noise universal:p=0.9 --data sms-spam \\\n"
      "                  --samples 10000 --out mine-certified\n"
      "One JSON line per text goes to OUT/results.jsonl as soon as it is done; after an\n"
      "interruption the same command goes on where it stopped.");
  command->callback([flags, command] { run(*flags, command->config_to_str(true)); });
}

}  // namespace textcrs::cli
