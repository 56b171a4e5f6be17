// A classifier without noise: its answer is the model's own for the text as it is. What is
// certified is that words of a cluster are read as one (docs/certificates.md, B16), and nothing
// without clusters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace TEXTCRS_API textcrs {

class PlainClassifier : public CertifiedClassifier {
 public:
  // Of the options only the engine's are read, and with clusters `candidates`. A usage Error for a
  // model that was trained under a noise, for a stop rule, which needs a certificate, and for an
  // engine that is not there.
  explicit PlainClassifier(std::shared_ptr<const Classifier> classifier,
                           const SmoothedOptions& options = {});

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  std::vector<std::string> words(std::string_view text) const override;

  // One copy, the text itself, casts the only vote; exact. With clusters, substitution by
  // candidates is unlimited if the candidates of every word of the text are in its cluster, and 0
  // otherwise.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // A text whose words are those of the text, or of their clusters; without clusters nothing.
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  int texts_at_once() const override { return engine_->texts_at_once_of(1); }

 private:
  bool has_clusters() const { return !classifier_->config().canonical.empty(); }
  CertifiedSet promise(const std::vector<std::string>& words) const;

  std::shared_ptr<const Classifier> classifier_;
  Vocabulary spellings_;                // that of the candidates
  SynonymTable candidates_;             // the adversary's, of every spelling; with clusters only
  std::unique_ptr<const Noise> noise_;  // none
  std::unique_ptr<const Engine> engine_;
  Description description_;
};

}  // namespace textcrs
