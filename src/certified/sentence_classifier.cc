#include "textcrs/certified/sentence_classifier.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "certified/warnings.h"
#include "certify/text_difference.h"
#include "engine/sentence_votes.h"
#include "textcrs/base/error.h"
#include "textcrs/text/sentences.h"

namespace textcrs {
namespace {

constexpr const char* kSentencesAreCut =
    "sentences are counted as they are cut: one that is rewritten without its full stop is joined "
    "with the next and counts as two";

// The sentences of a text as the model reads them: one copy each.
struct EncodedSentences {
  OwnWords own;
  CopyBatch batch;

  EncodedSentences(const Classifier& classifier, const std::vector<std::string>& sentences) {
    add(classifier, sentences);
  }
  EncodedSentences(const EncodedSentences&) = delete;
  EncodedSentences& operator=(const EncodedSentences&) = delete;

  // Behind those that are there.
  void add(const Classifier& classifier, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences)
      batch.copies.push_back(classifier.vocabulary().encode(classifier.words(sentence), own));
    batch.own.assign(batch.copies.size(), own.list());
  }
};

// A sentence that nobody has seen may give everything to one class.
VoteRule rule_for(size_t classes) {
  return {std::vector<int64_t>(classes),
          std::vector<VoteRule::Gain>(classes * classes, {kWholeVote, -1})};
}

CertifiedSet counted_in_sentences(CertifiedSet set) {
  for (Guarantee& guarantee : set.guarantees)
    if (guarantee.unit == kUnitWords) guarantee.unit = kUnitSentences;
  return set;
}

std::vector<WordId> all_words(const CopyBatch& batch) {
  std::vector<WordId> words;
  for (const std::vector<WordId>& copy : batch.copies)
    words.insert(words.end(), copy.begin(), copy.end());
  return words;
}

// The first `count` sentences are those of the text, the others those of the edited one.
Difference difference_of(const CopyBatch& batch, size_t count) {
  std::map<std::vector<WordId>, int> surplus;
  for (size_t i = 0; i < batch.copies.size(); ++i) surplus[batch.copies[i]] += i < count ? 1 : -1;
  Difference difference;
  for (const auto& [sentence, more] : surplus)
    (more > 0 ? difference.lost : difference.gained) += std::abs(more);
  return difference;
}

}  // namespace

SentenceClassifier::SentenceClassifier(std::shared_ptr<const Classifier> classifier,
                                       const SmoothedOptions& options)
    : classifier_(std::move(classifier)),
      noise_(make_noise(kNoNoise)),
      rule_(rule_for(classifier_->config().classes.size())) {
  const ModelConfig& config = classifier_->config();
  if (config.units != Units::kSentences)
    throw usage_error(
        fmt::format("the model's units are {}, expected sentences", to_string(config.units)));
  if (options.certifier.stop.stops())
    throw usage_error("a stop rule needs samples; votes of sentences are counted");
  if (options.engine_choice == EngineChoice::kReference)
    throw usage_error(
        "votes of sentences are certified by the cpu and cuda engines only: in the reference "
        "engine a sentence's votes depend on the sentences beside it");
  const EngineChoice own = options.device == "cpu" ? EngineChoice::kCpu : EngineChoice::kCuda;
  ChosenEngine chosen =
      choose_engine(*classifier_, own, options.device, options.precision, options.engine);
  engine_ = std::move(chosen.engine);
  description_ = {.noise = "sentence votes",
                  .engine = engine_->name(),
                  .device = options.device,
                  .precision = std::string(to_string(chosen.precision)),
                  .model = classifier_->fingerprint(),
                  .architecture = classifier_->config().architecture,
                  .unit = "sentence",
                  .samples = false,
                  .caveats = {kSentencesAreCut}};
}

std::vector<Operation> SentenceClassifier::operations() const {
  return {Operation::kSubstitution, Operation::kReordering, Operation::kInsertion,
          Operation::kDeletion, Operation::kEdit};
}

std::vector<std::string> SentenceClassifier::words(std::string_view text) const {
  const std::vector<std::string_view> found = sentences(text);
  return {found.begin(), found.end()};
}

std::vector<int32_t> SentenceClassifier::votes_of(const CopyBatch& batch) const {
  if (batch.copies.empty()) return {};
  return sentence_votes(engine_->scores(batch), rule_.classes());
}

Certification SentenceClassifier::certify(const std::vector<std::string>& sentences, uint32_t,
                                          StopToken stop) const {
  stop.check();
  const EncodedSentences read(*classifier_, sentences);
  const std::vector<int32_t> scores = votes_of(read.batch);
  const TextVotes votes(rule_, scores);
  Certification answer;
  answer.prediction = votes.prediction();
  answer.counts = votes.totals();
  answer.bounds = {1, 0};
  answer.exact = true;
  answer.sound = counted_in_sentences(votes.certified());
  const std::vector<WordId> words = all_words(read.batch);
  answer.warnings = warnings_of(*classifier_, *noise_, {words, read.own.list()}, answer);
  return answer;
}

Coverage SentenceClassifier::covers(const std::vector<std::string>& sentences, const Certification&,
                                    const std::vector<std::string>& edited) const {
  EncodedSentences read(*classifier_, sentences);
  const std::vector<int32_t> scores = votes_of(read.batch);
  const TextVotes votes(rule_, scores);
  read.add(*classifier_, edited);
  const Difference difference = difference_of(read.batch, sentences.size());
  const bool kept =
      votes.keeps(static_cast<size_t>(difference.lost), static_cast<size_t>(difference.gained));
  if (difference.none()) return {kept, Operation::kReordering, "the same sentences, in any order"};
  return {kept, Operation::kEdit,
          fmt::format("{}; as many {} change the answer", in_words(difference, "sentence"),
                      kept ? "can not" : "may")};
}

}  // namespace textcrs
