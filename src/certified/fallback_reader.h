// A classifier that is asked about the words of another model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "textcrs/certified/certified_classifier.h"

namespace textcrs {

// Its words are those that it is given; the classifier behind it reads them again, joined by
// spaces, in its own way. Its classes are the given ones, in their order. It answers and never
// certifies.
class FallbackReader : public CertifiedClassifier {
 public:
  // A usage Error unless the classifier has these classes, in any order.
  FallbackReader(std::unique_ptr<const CertifiedClassifier> classifier,
                 std::vector<std::string> classes);

  const std::vector<std::string>& classes() const override { return classes_; }
  const Description& description() const override { return classifier_->description(); }
  std::vector<Operation> operations() const override { return {}; }
  std::vector<std::string> words(std::string_view text) const override {
    return classifier_->words(text);
  }

  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  int texts_at_once() const override { return classifier_->texts_at_once(); }

 private:
  std::unique_ptr<const CertifiedClassifier> classifier_;
  std::vector<std::string> classes_;
  std::vector<size_t> place_of_;  // of the classifier's classes among these
};

}  // namespace textcrs
