// A certified classifier without a model: the first word is the answer.
#pragma once

#include <atomic>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/certified/certified_classifier.h"

namespace textcrs {

class FakeClassifier : public CertifiedClassifier {
 public:
  FakeClassifier() {
    description_.noise = "universal:p=0.9";
    description_.engine = "fake";
    description_.device = "cpu";
    description_.model = "0123456789abcdef";
    description_.certifier.selection_samples = 10;
    description_.certifier.estimation_samples = 90;
    description_.certifier.bounds = BoundsMethod::kComplement;
    description_.settings = {{"seed", uint64_t{1}}};
  }

  // After so many texts a stop is requested, as by Ctrl-C.
  void stop_after(int texts) {
    left_ = texts;
    stop_ = false;
  }
  StopToken stop() const { return StopToken(stop_); }
  Description& description_of() { return description_; }
  // Before a text is answered, in the thread that asks.
  void before_each(std::function<void(uint32_t example)> what) { before_ = std::move(what); }
  void set_texts_at_once(int texts) { texts_at_once_ = texts; }
  int calls() const { return calls_; }

  const std::vector<std::string>& classes() const override { return classes_; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override { return {Operation::kDeletion}; }

  std::vector<std::string> words(std::string_view text) const override {
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), {}};
  }

  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop) const override {
    if (before_) before_(example);
    if (left_-- == 0) stop_ = true;
    stop.check();
    ++calls_;
    Certification c;
    c.counts = {0, 0};
    if (words.empty()) {
      c.abstained = true;
      c.warnings = {Warning::kNoWords};
      return c;
    }
    c.prediction = words[0] == "good" ? 1 : 0;
    c.counts[static_cast<size_t>(c.prediction)] = 90;
    c.samples = 100;
    c.bounds = {0.9 + example / 1000.0, 0.1 - example / 1000.0};
    c.sound.certified = true;
    c.sound.guarantees = {
        {Operation::kDeletion, kUnitWords, static_cast<double>(words.size() - 1)}};
    return c;
  }

  Coverage covers(const std::vector<std::string>&, const Certification&,
                  const std::vector<std::string>&) const override {
    return {};
  }

  int texts_at_once() const override { return texts_at_once_; }

 private:
  std::vector<std::string> classes_ = {"neg", "pos"};
  Description description_;
  std::function<void(uint32_t)> before_;
  int texts_at_once_ = 1;
  mutable std::atomic<int> left_{-1}, calls_{0};  // below 0: never
  mutable std::atomic<bool> stop_{false};
};

}  // namespace textcrs
