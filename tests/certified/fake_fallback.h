// A fallback without a model: any function of the text that it reads.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/certified/certified_classifier.h"

namespace textcrs {

class FakeFallback : public CertifiedClassifier {
 public:
  using Answer = std::function<int(const std::string& text)>;

  FakeFallback(std::vector<std::string> classes, Answer answer, int* calls = nullptr)
      : classes_(std::move(classes)), answer_(std::move(answer)), calls_(calls) {
    description_.noise = "none";
    description_.engine = "fake";
    description_.device = "cpu";
    description_.model = "fedcba9876543210";
    description_.samples = false;
  }

  Description& description_of() { return description_; }
  void set_texts_at_once(int texts) { texts_at_once_ = texts; }

  const std::vector<std::string>& classes() const override { return classes_; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override { return {}; }

  // The text is one word: nobody else reads it so.
  std::vector<std::string> words(std::string_view text) const override {
    return {std::string(text)};
  }

  Certification certify(const std::vector<std::string>& words, uint32_t, StopToken) const override {
    if (calls_ != nullptr) ++*calls_;
    Certification answer;
    answer.prediction = answer_(words.at(0));
    answer.counts.resize(classes_.size());
    answer.counts[static_cast<size_t>(answer.prediction)] = 1;
    answer.bounds = {1, 0};
    answer.samples = 1;
    answer.exact = true;
    return answer;
  }

  Coverage covers(const std::vector<std::string>&, const Certification&,
                  const std::vector<std::string>&) const override {
    return {};
  }

  int texts_at_once() const override { return texts_at_once_; }

 private:
  std::vector<std::string> classes_;
  Answer answer_;
  int* calls_;
  int texts_at_once_ = 1;
  Description description_;
};

}  // namespace textcrs
