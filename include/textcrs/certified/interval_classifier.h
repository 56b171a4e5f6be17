// Interval bounds over the candidates of all words at once (docs/certificates.md, B15):
// deterministic answers and certificates, no noise, no sampling.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace TEXTCRS_API textcrs {

class IntervalModel;  // src/engine/interval_model.h

// Answers in double precision, by the same evaluation that the bounds are about.
class IntervalClassifier : public CertifiedClassifier {
 public:
  // For so many threads; 0: all cores. A usage Error for a model without interval bounds; a
  // bad_input Error for weights that are too large for them.
  explicit IntervalClassifier(std::shared_ptr<const Classifier> classifier, int threads = 0);
  ~IntervalClassifier() override;
  IntervalClassifier(const IntervalClassifier&) = delete;
  IntervalClassifier& operator=(const IntervalClassifier&) = delete;

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override { return {Operation::kSubstitution}; }
  std::vector<std::string> words(std::string_view text) const override;

  // The radius is unlimited, where all words may at once be replaced by any of their candidates, or
  // 0: intervals do not tell how many may. The answer for the text itself is always certified.
  // `counts` has a 1 for the answer.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // Words that are replaced in place, each by one of its candidates.
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  // One per thread.
  int texts_at_once() const override { return threads_; }

 private:
  int replaceable(std::span<const WordId> words) const;

  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Noise> noise_;  // none
  std::unique_ptr<const IntervalModel> model_;
  Description description_;
  int threads_;
};

}  // namespace textcrs
