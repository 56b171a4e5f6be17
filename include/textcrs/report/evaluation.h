// How well a model answers for labelled texts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/data/dataset.h"
#include "textcrs/engine/engine.h"
#include "textcrs/report/class_report.h"

namespace TEXTCRS_API textcrs {

struct Evaluation {
  std::string model;  // Classifier::fingerprint()
  std::string data;   // Dataset::name
  std::string noise;  // the spec
  std::string engine;
  int copies = 0;     // per text; one without noise
  uint64_t seed = 0;  // of the noise
  ClassReport classes;

  struct Fallback {        // of a cascade
    std::string model;     // Classifier::fingerprint()
    double threshold = 0;  // in strongest votes
    size_t texts = 0;      // that it answered
  };
  std::optional<Fallback> fallback = {};
};

struct EvaluationOptions {
  int copies = 100;  // noisy copies that vote on a text
  uint64_t seed = 1;
};

struct EvaluationProgress {
  size_t done = 0, texts = 0;
  double texts_per_second = 0;
  std::optional<double> seconds_left;  // as soon as a text is done
};

// Called now and then; may be empty.
using EvaluationReporter = std::function<void(const EvaluationProgress&)>;

// A majority of noisy copies answers for each text; nothing is abstained on. When `stop` asks for
// it, an Error of kind kInterrupted says how far it came. A std::logic_error unless every text has
// a label and labels are indices into the model's classes.
Evaluation evaluate(const Classifier& classifier, const Engine& engine, const Noise& noise,
                    const Dataset& dataset, const EvaluationOptions& options,
                    const EvaluationReporter& report = {}, StopToken stop = {});

// The cascade's answers, each text on its own. Throws the same.
Evaluation evaluate(const CascadeClassifier& cascade, const Dataset& dataset,
                    const EvaluationReporter& report = {}, StopToken stop = {});

// {"model", "data", "noise", "engine", "copies", "seed", "texts", "accuracy", of a cascade
// "fallback", "threshold" and "by_fallback" (texts), "classes": [{"class":
// "pos", "texts", "answered", "right", "precision", "recall", "f1"}, ..], "confusion": {label:
// {answer: texts, ..}, ..}}, in one line without its end.
std::string to_json(const Evaluation& evaluation);

}  // namespace textcrs
