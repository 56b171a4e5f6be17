// Sentences that cast bounded votes (docs/certificates.md, B12): exact answers and certificates, no
// noise, no sampling. The units are sentences (textcrs/text/sentences.h): whole ones may be
// rewritten, inserted, deleted and put in any order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certified/smoothed_classifier.h"
#include "textcrs/certify/votes.h"

namespace TEXTCRS_API textcrs {

class SentenceClassifier : public CertifiedClassifier {
 public:
  // Of the options only the engine's are read. A usage Error for a model whose units are not
  // sentences, for a stop rule, which needs samples, and for the reference engine: there a
  // sentence's votes depend on the sentences beside it, which the proof does not allow.
  explicit SentenceClassifier(std::shared_ptr<const Classifier> classifier,
                              const SmoothedOptions& options = {});
  SentenceClassifier(const SentenceClassifier&) = delete;
  SentenceClassifier& operator=(const SentenceClassifier&) = delete;

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  // The sentences of a text.
  std::vector<std::string> words(std::string_view text) const override;

  // `counts` are the sums of the sentences' votes, in 4096ths, `samples` is 0. Every sentence is
  // read as it is, and not divided further. There is no witness: nobody knows a sentence that all
  // votes go against, so a larger radius may be true.
  Certification certify(const std::vector<std::string>& sentences, uint32_t example,
                        StopToken stop = {}) const override;
  // By the sentences lost and gained, against the worst that as many can do. Sentences of the same
  // words are the same.
  Coverage covers(const std::vector<std::string>& sentences, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  // Most texts have fewer sentences than one thread of the engine takes.
  int texts_at_once() const override { return engine_->texts_at_once_of(1); }

 private:
  std::vector<int32_t> votes_of(const CopyBatch& batch) const;

  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Noise> noise_;  // none
  std::unique_ptr<const Engine> engine_;
  VoteRule rule_;
  Description description_;
};

}  // namespace textcrs
