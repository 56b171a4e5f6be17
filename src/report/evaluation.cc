#include "textcrs/report/evaluation.h"

#include "report/each_text.h"
#include "report/json_parts.h"
#include "report/stopwatch.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/smoothed_accuracy.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

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
    throw interrupted_after(done, texts.size());
  }
  ClassReport counts(classes, ClassReport::Abstentions::kNever);
  for (size_t t = 0; t < texts.size(); ++t)
    counts.add(static_cast<size_t>(texts[t].label), static_cast<size_t>(answers[t]));
  return {classifier.fingerprint(), dataset.name, noise.spec(), engine.name(), copies, options.seed,
          std::move(counts),        std::nullopt};
}

Evaluation evaluate(const CascadeClassifier& cascade, const Dataset& dataset,
                    const EvaluationReporter& report, StopToken stop) {
  check_labels(dataset, cascade.classes());
  const Description& description = cascade.description();
  Evaluation evaluation{
      .model = description.model,
      .data = dataset.name,
      .noise = description.noise,
      .engine = description.engine,
      .copies = 1,
      .seed = 0,
      .classes = ClassReport(cascade.classes(), ClassReport::Abstentions::kNever),
      .fallback = Evaluation::Fallback{description.fallback, cascade.threshold(), 0}};
  const auto ask = [&](const Example& example) {
    return cascade.certify(cascade.words(example.text), example.id, stop);
  };
  const auto count = [&](const Example& example, const Certification& answer) {
    evaluation.fallback->texts += answer.by_fallback;
    evaluation.classes.add(static_cast<size_t>(example.label),
                           static_cast<size_t>(answer.prediction));
  };
  for_each_text(dataset, cascade.texts_at_once(), report, stop, ask, count);
  return evaluation;
}

std::string to_json(const Evaluation& evaluation) {
  ordered_json json = {
      {"model", evaluation.model},           {"data", evaluation.data},
      {"noise", evaluation.noise},           {"engine", evaluation.engine},
      {"copies", evaluation.copies},         {"seed", evaluation.seed},
      {"texts", evaluation.classes.texts()}, {"accuracy", evaluation.classes.accuracy()}};
  if (const auto& fallback = evaluation.fallback) {
    json["fallback"] = fallback->model;
    json["threshold"] = fallback->threshold;
    json["by_fallback"] = fallback->texts;
  }
  add_classes(evaluation.classes, json);
  return json.dump();
}

}  // namespace textcrs
