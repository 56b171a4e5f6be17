#include "textcrs/certified/cascade_classifier.h"

#include <fmt/format.h>

#include <cmath>

#include "certified/fallback_reader.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

void check_fallback(const Description& fallback) {
  if (fallback.is_smoothed())
    throw usage_error(
        fmt::format("the fallback answers by noisy copies ({}): expected a model that was trained "
                    "without noise",
                    fallback.noise));
}

const char* unit_of(Operation operation) {
  return operation == Operation::kReordering ? kUnitDisplacement : kUnitWords;
}

}  // namespace

std::optional<int64_t> threshold_in_votes(double threshold, int64_t strongest_vote) {
  if (!(threshold >= 0 && threshold <= kLargestThreshold))
    throw usage_error(fmt::format("the threshold is {}, expected 0 to {} strongest votes",
                                  shortest(threshold), shortest(kLargestThreshold)));
  if (threshold == 0) return std::nullopt;
  return std::llround(threshold * static_cast<double>(strongest_vote));
}

double threshold_of_votes(int64_t votes, int64_t strongest_vote) {
  const double exact = static_cast<double>(votes) / static_cast<double>(strongest_vote);
  for (double scale = 1; scale < 1e15; scale *= 10) {
    const double rounded = std::round(exact * scale) / scale;
    if (rounded > 0 && threshold_in_votes(rounded, strongest_vote) == votes) return rounded;
  }
  return exact;
}

CascadeClassifier::CascadeClassifier(std::unique_ptr<const VotingClassifier> votes,
                                     std::unique_ptr<const CertifiedClassifier> fallback,
                                     double threshold)
    : votes_(std::move(votes)),
      threshold_(threshold),
      votes_above_(threshold_in_votes(threshold, votes_->strongest_vote())) {
  const Description other = fallback->description();
  check_fallback(other);
  fallback_ = std::make_unique<FallbackReader>(std::move(fallback), votes_->classes());
  description_ = votes_->description();
  description_.architecture =
      fmt::format("{}, else {}", description_.architecture, other.architecture);
  description_.fallback = other.model;
  description_.engine = fmt::format("{}, else {}", description_.engine, other.engine);
  description_.device = other.device;
  description_.precision = fmt::format("{}, else {}", description_.precision, other.precision);
  description_.settings.push_back({"threshold", threshold});
  description_.settings.insert(description_.settings.end(), other.settings.begin(),
                               other.settings.end());
}

std::vector<std::string> CascadeClassifier::words(std::string_view text) const {
  return votes_->words(text);
}

Certification CascadeClassifier::certify(const std::vector<std::string>& words, uint32_t example,
                                         StopToken stop) const {
  Certification by_votes = votes_->certify_above(votes_above_, words, stop);
  if (by_votes.sound.certified) return by_votes;
  Certification answer = fallback_->certify(words, example, stop);
  for (const Operation operation : operations())
    answer.sound.guarantees.push_back({operation, unit_of(operation), 0});
  return answer;
}

Explanation CascadeClassifier::explain(const std::vector<std::string>& words, int prediction,
                                       uint32_t example, const ExplainOptions& options,
                                       StopToken stop) const {
  const bool clear = votes_->certify_above(votes_above_, words, stop).sound.certified;
  const CertifiedClassifier& who = clear ? *votes_ : *fallback_;
  return who.explain(words, prediction, example, options, stop);
}

Coverage CascadeClassifier::covers(const std::vector<std::string>& words,
                                   const Certification& certified,
                                   const std::vector<std::string>& edited) const {
  if (certified.by_fallback) return fallback_->covers(words, certified, edited);
  return votes_->covers_above(votes_above_, words, edited);
}

}  // namespace textcrs
