#include "textcrs/certified/plain_classifier.h"

#include <fmt/format.h>

#include "certified/warnings.h"
#include "textcrs/base/error.h"

namespace textcrs {

PlainClassifier::PlainClassifier(std::shared_ptr<const Classifier> classifier,
                                 const SmoothedOptions& options)
    : classifier_(std::move(classifier)), noise_(make_noise(kNoNoise)) {
  const std::string& noise = classifier_->config().noise;
  if (noise != kNoNoise)
    throw usage_error(fmt::format("the model was trained under {}, not without noise", noise));
  if (classifier_->config().units != Units::kWords)
    throw usage_error(fmt::format("the model's units are {}, which vote: it is not plain",
                                  to_string(classifier_->config().units)));
  if (options.certifier.stop.stops())
    throw usage_error("a stop rule needs a certificate; a model without noise has none");
  ChosenEngine chosen = choose_engine(*classifier_, options.engine_choice, options.device,
                                      options.precision, options.engine);
  engine_ = std::move(chosen.engine);
  description_ = {.noise = noise,
                  .engine = engine_->name(),
                  .device = options.device,
                  .precision = std::string(to_string(chosen.precision)),
                  .model = classifier_->fingerprint(),
                  .samples = false};
}

std::vector<std::string> PlainClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

Certification PlainClassifier::certify(const std::vector<std::string>& words, uint32_t,
                                       StopToken stop) const {
  stop.check();
  Certification answer;
  answer.counts.assign(classes().size(), 0);
  OwnWords own;
  CopyBatch batch;
  batch.copies.push_back(classifier_->vocabulary().encode(words, own));
  if (!own.list().empty()) batch.own.push_back(own.list());
  answer.prediction = engine_->classify(batch)[0];
  answer.counts[static_cast<size_t>(answer.prediction)] = 1;
  answer.bounds = {1, 0};
  answer.samples = 1;
  answer.exact = true;
  answer.warnings = warnings_of(*classifier_, *noise_, {batch.copies[0], own.list()}, answer);
  return answer;
}

Coverage PlainClassifier::covers(const std::vector<std::string>&, const Certification&,
                                 const std::vector<std::string>&) const {
  return {false, {}, "nothing is certified: the model was trained without noise"};
}

}  // namespace textcrs
