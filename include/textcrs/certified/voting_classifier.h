// Words that cast bounded votes (docs/certificates.md, B10): exact answers and certificates, no
// noise, no sampling.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certify/votes.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace TEXTCRS_API textcrs {

class VoteTables;  // src/certified/vote_tables.h

// What the votes for a text say, and how much of it is left after edits.
struct VoteLeads {
  int prediction = 0;
  double radius = 0;           // edits of any kind that are certified without a threshold
  std::vector<int64_t> after;  // the least lead that each number of edits leaves
};

class VotingClassifier : public CertifiedClassifier {
 public:
  // For so many threads; 0: all cores. A usage Error for a model that does not cast votes; as
  // VoteTables throws for scores and candidates that have no certificate.
  explicit VotingClassifier(std::shared_ptr<const Classifier> classifier, int threads = 0);
  ~VotingClassifier() override;
  VotingClassifier(const VotingClassifier&) = delete;
  VotingClassifier& operator=(const VotingClassifier&) = delete;

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  std::vector<std::string> words(std::string_view text) const override;

  // `counts` are the sums of the votes, `samples` is 0.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // By the words lost and gained, against the worst that as many can do; words beside candidates,
  // where the model has them; by the edit distance where windows vote.
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  // One per thread: a text takes microseconds of one.
  int texts_at_once() const override { return threads_; }

  // For a text by its ids: the edits of any kind that are certified, beside all candidates where
  // the model has them; none if the answer is another than `label`, or the candidates may change
  // it.
  std::optional<double> harmless_edits(std::span<const WordId> words, int label) const;

  // The same as certify() and covers() where the votes count only if they lead every other class by
  // more than the threshold (docs/certificates.md, B11): else nothing is certified. There is no
  // witness: what lies outside is not the votes' answer. Without a threshold they are the functions
  // above.
  Certification certify_above(std::optional<int64_t> threshold,
                              const std::vector<std::string>& words, StopToken stop = {}) const;
  Coverage covers_above(std::optional<int64_t> threshold, const std::vector<std::string>& words,
                        const std::vector<std::string>& edited) const;

  // The most that one word adds to a class's lead over another; at least 1.
  int64_t strongest_vote() const;
  VoteLeads leads(const std::vector<std::string>& words, std::span<const size_t> edits) const;

 private:
  // What is known of a text's votes; the witness is told by places.
  struct Verdict {
    int prediction = 0;
    std::vector<int64_t> totals;
    CertifiedSet set;
    std::optional<VoteWitness> witness;
    int after_witness = 0;  // the answer for the text that the witness makes
  };

  bool keeps(std::span<const WordId> words, std::optional<int64_t> threshold, size_t lost,
             size_t gained) const;
  Verdict judge(std::span<const WordId> words, std::optional<int64_t> threshold,
                bool with_witness) const;
  Witness in_words(const Verdict& verdict, const std::vector<std::string>& words) const;

  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Noise> noise_;  // none
  std::unique_ptr<const VoteTables> tables_;
  Description description_;
  int threads_;
};

}  // namespace textcrs
