// A cascade (docs/certificates.md, B11): where the votes of the words are clear they answer, with
// their certificate; elsewhere any other classifier does, and nothing is certified.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certified/voting_classifier.h"

namespace TEXTCRS_API textcrs {

// What is said of a text that the fallback answers.
constexpr const char* kAnsweredByFallback =
    "the votes were not clear: answered by the fallback, nothing is certified";

// Thresholds are given in strongest votes (VotingClassifier::strongest_vote()): the votes are clear
// if they lead every other class by more than T strongest votes, rounded to a whole number of
// votes. T = 0 is no threshold: the votes are always clear, ties included. A usage Error unless
// 0 <= T <= kLargestThreshold.
constexpr double kLargestThreshold = 1e6;
std::optional<int64_t> threshold_in_votes(double threshold, int64_t strongest_vote);
// The shortest decimal number T that gives this threshold, which is at least 1 and at most
// kLargestThreshold strongest votes.
double threshold_of_votes(int64_t votes, int64_t strongest_vote);

// Its words are those of the votes. The fallback is a function of them, too: it reads them again,
// joined by spaces, in its own way.
class CascadeClassifier : public CertifiedClassifier {
 public:
  // A usage Error for a bad threshold, for a fallback that samples, and unless both have the same
  // classes, in any order.
  CascadeClassifier(std::unique_ptr<const VotingClassifier> votes,
                    std::unique_ptr<const CertifiedClassifier> fallback, double threshold);

  const std::vector<std::string>& classes() const override { return votes_->classes(); }
  // That of the votes; `fallback` is the other model's fingerprint, `engine` names both, and the
  // settings have the threshold.
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override { return votes_->operations(); }
  std::vector<std::string> words(std::string_view text) const override;

  // By the votes or, with `by_fallback`, by the fallback, which is run for no other text. It never
  // abstains: a fallback's answer counts, certain or not.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // By whoever answers for the whole text.
  Explanation explain(const std::vector<std::string>& words, int prediction, uint32_t example,
                      const ExplainOptions& options = {}, StopToken stop = {}) const override;
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  // The fallback's: the votes take next to no time.
  int texts_at_once() const override { return fallback_->texts_at_once(); }

  const VotingClassifier& votes() const { return *votes_; }
  // Asked about the words of the votes; its classes are those of the cascade.
  const CertifiedClassifier& fallback() const { return *fallback_; }
  double threshold() const { return threshold_; }

 private:
  std::unique_ptr<const VotingClassifier> votes_;
  std::unique_ptr<const CertifiedClassifier> fallback_;
  double threshold_;
  std::optional<int64_t> votes_above_;
  Description description_;
};

}  // namespace textcrs
