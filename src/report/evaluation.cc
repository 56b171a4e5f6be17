#include "textcrs/report/evaluation.h"

#include <fmt/format.h>

#include <stdexcept>

#include "report/json_parts.h"
#include "report/stopwatch.h"
#include "textcrs/base/counted.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/smoothed_accuracy.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

void check_labels(const Dataset& dataset, const std::vector<std::string>& classes) {
  const auto count = static_cast<int>(classes.size());
  for (const Example& example : dataset.examples)
    if (dataset.classes != classes || example.label < 0 || example.label >= count)
      throw std::logic_error("evaluate: a text has no label, or one that is not the model's");
}

EvaluationProgress in_time(const AnswerProgress& progress, double seconds) {
  EvaluationProgress timed = {progress.done, progress.texts,
                              static_cast<double>(progress.done) / seconds, std::nullopt};
  if (progress.done > 0) timed.seconds_left = seconds * (1 - progress.share) / progress.share;
  return timed;
}

}  // namespace

Evaluation evaluate(const Classifier& classifier, const Engine& engine, const Noise& noise,
                    const Dataset& dataset, const EvaluationOptions& options,
                    const EvaluationReporter& report, StopToken stop) {
  const std::vector<std::string>& classes = classifier.config().classes;
  check_labels(dataset, classes);
  const int copies = noise.spec() == kNoNoise ? 1 : options.copies;
  const std::vector<EncodedText> texts = encode_all(dataset, classifier);
  const Stopwatch watch;
  size_t done = 0;
  const AnswerReporter on_progress = [&](const AnswerProgress& progress) {
    done = progress.done;
    if (report) report(in_time(progress, watch.seconds()));
  };
  std::vector<int> answers;
  try {
    answers = smoothed_answers(engine, noise, texts, copies, options.seed, on_progress, stop);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw Error(ErrorKind::kInterrupted,
                fmt::format("interrupted after {} of {}", done, counted(texts.size(), "text")));
  }
  ClassReport counts(classes, ClassReport::Abstentions::kNever);
  for (size_t t = 0; t < texts.size(); ++t)
    counts.add(static_cast<size_t>(texts[t].label), static_cast<size_t>(answers[t]));
  return {classifier.fingerprint(), dataset.name, noise.spec(), engine.name(), copies, options.seed,
          std::move(counts)};
}

std::string to_json(const Evaluation& evaluation) {
  ordered_json json = {
      {"model", evaluation.model},           {"data", evaluation.data},
      {"noise", evaluation.noise},           {"engine", evaluation.engine},
      {"copies", evaluation.copies},         {"seed", evaluation.seed},
      {"texts", evaluation.classes.texts()}, {"accuracy", evaluation.classes.accuracy()}};
  add_classes(evaluation.classes, json);
  return json.dump();
}

}  // namespace textcrs
