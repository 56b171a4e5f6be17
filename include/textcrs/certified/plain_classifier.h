// A classifier without noise: its answer is the model's own for the text as it is, and nothing is
// certified about it.
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
  // Of the options only the engine's are read. A usage Error for a model that was trained under a
  // noise, for a stop rule, which needs a certificate, and for an engine that is not there.
  explicit PlainClassifier(std::shared_ptr<const Classifier> classifier,
                           const SmoothedOptions& options = {});

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override { return {}; }
  std::vector<std::string> words(std::string_view text) const override;

  // One copy, the text itself, casts the only vote; exact.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // Nothing is covered.
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  int texts_at_once() const override { return engine_->texts_at_once_of(1); }

 private:
  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Noise> noise_;  // none
  std::unique_ptr<const Engine> engine_;
  Description description_;
};

}  // namespace textcrs
