#include "textcrs/certified/plain_classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "certified/warnings.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/synonym_graph.h"

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
    throw usage_error("a stop rule is for samples, and a model without noise draws none");
  ChosenEngine chosen = choose_engine(*classifier_, options.engine_choice, options.device,
                                      options.precision, options.engine);
  engine_ = std::move(chosen.engine);
  description_ = {.noise = noise,
                  .engine = engine_->name(),
                  .device = options.device,
                  .precision = std::string(to_string(chosen.precision)),
                  .model = classifier_->fingerprint(),
                  .architecture = classifier_->config().architecture,
                  .synonyms = classifier_->synonyms_fingerprint(),
                  .samples = false};
  if (!has_clusters()) return;
  spellings_ = classifier_->vocabulary().spellings();
  candidates_ = options.candidates > 0
                    ? keep_mutual(classifier_->spelled_synonyms(), options.candidates)
                    : classifier_->spelled_synonyms();
  description_.noise = kClusters;
  description_.settings = {{"candidates", static_cast<uint64_t>(options.candidates)}};
}

std::vector<Operation> PlainClassifier::operations() const {
  return has_clusters() ? std::vector{Operation::kSubstitution} : std::vector<Operation>();
}

std::vector<std::string> PlainClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

// An unknown word has no candidates.
CertifiedSet PlainClassifier::promise(const std::vector<std::string>& words) const {
  const Vocabulary& vocabulary = classifier_->vocabulary();
  CertifiedSet set;
  set.certified = true;
  set.canonical = classifier_->config().canonical;
  set.candidates = candidates_.source();
  bool inside = candidates_.size() > 0;
  for (const std::string& word : words) {
    const WordId spelling = spellings_.id(word);
    const auto candidates = candidates_.of(spelling);
    if (candidates.empty()) continue;
    ++set.replaceable;
    const WordId read = vocabulary.id_of_spelling(spelling);
    inside = inside && std::all_of(candidates.begin(), candidates.end(), [&](WordId candidate) {
               return vocabulary.id_of_spelling(candidate) == read;
             });
  }
  set.guarantees.push_back({Operation::kSubstitution, kUnitWords, inside ? kUnlimited : 0});
  return set;
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
  if (has_clusters()) answer.sound = promise(words);
  answer.warnings = warnings_of(*classifier_, *noise_, {batch.copies[0], own.list()}, answer);
  return answer;
}

Coverage PlainClassifier::covers(const std::vector<std::string>& words, const Certification&,
                                 const std::vector<std::string>& edited) const {
  if (!has_clusters())
    return {false, {}, "nothing is certified: the model was trained without noise"};
  if (words == edited) return the_same_text(Operation::kSubstitution);
  OwnWords own;
  const std::vector<WordId> before = classifier_->vocabulary().encode(words, own);
  const std::vector<WordId> after = classifier_->vocabulary().encode(edited, own);
  if (before == after)
    return {true, Operation::kSubstitution, "every word is the same, or another of its cluster"};
  if (const auto coverage = compare_lengths(before, after)) return *coverage;
  size_t outside = 0;
  for (size_t i = 0; i < before.size(); ++i) outside += before[i] != after[i];
  return {false, Operation::kSubstitution,
          fmt::format("{} replaced by words outside their clusters; none may be",
                      counted(outside, "word"))};
}

}  // namespace textcrs
