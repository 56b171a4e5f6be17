#include "textcrs/certified/interval_classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "certified/warnings.h"
#include "engine/interval_model.h"
#include "model/intervals_complaint.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"

namespace textcrs {

IntervalClassifier::IntervalClassifier(std::shared_ptr<const Classifier> classifier, int threads)
    : classifier_(std::move(classifier)),
      noise_(make_noise(kNoNoise)),
      threads_(threads > 0 ? threads : available_cores()) {
  if (!classifier_->config().intervals)
    throw usage_error("the model was not trained with interval bounds");
  if (const auto complaint = intervals_complaint(classifier_->config()))
    throw usage_error(*complaint);
  model_ = std::make_unique<const IntervalModel>(*classifier_);
  description_ = {.noise = std::string(kIntervalBounds),
                  .engine = "intervals",
                  .device = "cpu",
                  .precision = "fp64",
                  .model = classifier_->fingerprint(),
                  .architecture = classifier_->config().architecture,
                  .synonyms = classifier_->synonyms_fingerprint(),
                  .samples = false};
}

IntervalClassifier::~IntervalClassifier() = default;

std::vector<std::string> IntervalClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

int IntervalClassifier::replaceable(std::span<const WordId> words) const {
  return static_cast<int>(std::count_if(words.begin(), words.end(), [&](WordId word) {
    return !classifier_->synonyms().of(word).empty();
  }));
}

Certification IntervalClassifier::certify(const std::vector<std::string>& words, uint32_t,
                                          StopToken stop) const {
  stop.check();
  const std::vector<WordId> ids = classifier_->vocabulary().encode(words);
  Certification answer;
  answer.prediction = model_->prediction(ids);
  answer.counts.assign(classes().size(), 0);
  answer.counts[static_cast<size_t>(answer.prediction)] = 1;
  answer.bounds = {1, 0};
  answer.exact = true;
  answer.sound.certified = true;
  answer.sound.candidates = classifier_->synonyms().source();
  answer.sound.replaceable = replaceable(ids);
  // Where no word can be replaced there is nothing to bound, not even near a tie.
  const bool is_certain =
      answer.sound.replaceable == 0 || model_->is_certain(ids, answer.prediction);
  answer.sound.guarantees.push_back(
      {Operation::kSubstitution, kUnitWords, is_certain ? kUnlimited : 0});
  answer.warnings = warnings_of(*classifier_, *noise_, {ids, {}}, answer);
  return answer;
}

Coverage IntervalClassifier::covers(const std::vector<std::string>& words,
                                    const Certification& certified,
                                    const std::vector<std::string>& edited) const {
  if (words.size() != edited.size())
    return {false, Operation::kSubstitution,
            fmt::format("the text has {}, the edited one {}; interval bounds only cover words "
                        "replaced in place",
                        counted(words.size(), "word"), edited.size())};
  const std::vector<WordId> before = classifier_->vocabulary().encode(words);
  const std::vector<WordId> after = classifier_->vocabulary().encode(edited);
  size_t replaced = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    ++replaced;
    const auto candidates = classifier_->synonyms().of(before[i]);
    if (std::find(candidates.begin(), candidates.end(), after[i]) == candidates.end())
      return {false, Operation::kSubstitution,
              fmt::format("'{}' is no candidate of '{}' ({})", edited[i], words[i],
                          classifier_->synonyms().source())};
  }
  if (replaced == 0) return {true, Operation::kSubstitution, "no word is replaced"};
  const bool covered = certified.sound.radius(Operation::kSubstitution) == kUnlimited;
  return {covered, Operation::kSubstitution,
          fmt::format("{} replaced by candidates; the bounds say that these {}",
                      counted(replaced, "word"),
                      covered ? "can not change the answer" : "may change the answer")};
}

}  // namespace textcrs
