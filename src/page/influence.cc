#include "page/influence.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "page/recorded_classifier.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/certified/load.h"

namespace textcrs {
namespace {

constexpr size_t kAll = std::numeric_limits<size_t>::max();
constexpr size_t kWordsMeasured = 20;  // where copies are drawn for each

bool adds_up_votes(const Description& description) {
  return description.noise == "votes" && description.fallback.empty();
}

CertifiedOptions options_of(const RunView& view) {
  CertifiedOptions options;
  if (view.description.is_smoothed()) options.noise = view.description.noise;
  options.certifier = view.description.certifier;
  options.seed = static_cast<uint64_t>(view.run.number("seed").value_or(0));
  return options;
}

std::unique_ptr<CertifiedClassifier> load(const RunView& view, const ModelFolders& folders) {
  if (!view.description.fallback.empty())
    return load_cascade(folders.model, folders.fallback, view.run.number("threshold").value_or(0),
                        options_of(view));
  return load_certified(folders.model, options_of(view));
}

bool is_model(const std::filesystem::path& folder, const std::string& fingerprint) {
  return load_with_noise(folder)->fingerprint() == fingerprint;
}

// The model with the run's fingerprint, ready to answer as it did; none if no folder has it.
std::unique_ptr<CertifiedClassifier> model_of(const ReportedRun& reported, const RunView& view,
                                              std::string& why) {
  const Description& wanted = view.description;
  for (const auto& [model, fallback] : reported.models) {
    if (!is_folder(model)) {
      why = "its model is not where it was";
      continue;
    }
    why = fmt::format("{} holds another model", model.string());
    if (!is_model(model, wanted.model)) continue;
    if (!wanted.fallback.empty() && fallback.empty()) {
      why = "the model behind its votes was not named";
      continue;
    }
    auto classifier = by_settings_of(view.run, [&] { return load(view, {model, fallback}); });
    const Description& found = classifier->description();
    if (found.fallback == wanted.fallback && found.noise == wanted.noise &&
        classifier->classes() == view.classes)
      return classifier;
  }
  return nullptr;
}

std::vector<ShownText*> examples_with_text(const RunView& view, std::vector<ExampleGroup>& groups,
                                           size_t per_group) {
  std::vector<ShownText*> examples;
  for (ExampleGroup& group : groups)
    for (size_t i = 0; i < std::min(per_group, group.examples.size()); ++i)
      if (view.run.records[group.examples[i].record].text) examples.push_back(&group.examples[i]);
  return examples;
}

int prediction_of(const RunView& view, const Record& record) {
  const auto place = std::find(view.classes.begin(), view.classes.end(), record.prediction);
  return static_cast<int>(place - view.classes.begin());
}

}  // namespace

std::string colour_examples(const ReportedRun& reported, const RunView& view,
                            const ReportOptions& options, std::vector<ExampleGroup>& groups,
                            const ReportReporter& report, StopToken stop) {
  const size_t wanted = options.coloured.value_or(adds_up_votes(view.description) ? kAll : 0);
  const std::vector<ShownText*> examples = examples_with_text(view, groups, wanted);
  if (examples.empty()) return wanted == 0 ? "nobody asked the model about them" : "";
  std::string why = "the run's model was not named";
  const auto classifier = model_of(reported, view, why);
  if (!classifier) return why;
  ExplainOptions explain;
  explain.words = kAll;
  explain.copies = options.copies;
  explain.measured = adds_up_votes(view.description) ? kAll : kWordsMeasured;
  ReportProgress progress{view.name, 0, examples.size()};
  for (ShownText* example : examples) {
    stop.check();
    const Record& record = view.run.records[example->record];
    if (report) report(progress);
    ++progress.done;
    std::vector<std::string> words = classifier->words(*record.text);
    if (words.size() != record.words)
      throw bad_input(fmt::format("{}: the text {}: found {} {}s, expected {} as the record says",
                                  reported.folder.string(), record.id, words.size(), record.unit,
                                  record.words));
    if (!words.empty())
      example->explanation =
          classifier->explain(words, prediction_of(view, record), record.id, explain, stop);
    example->words = std::move(words);
  }
  if (report) report(progress);
  return "";
}

}  // namespace textcrs
