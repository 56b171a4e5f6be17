// What the tests of black boxes share.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/blackbox/black_box.h"

namespace textcrs {

// A rule in this process that writes down what it is asked.
class RuleBox : public BlackBox {
 public:
  using Rule = std::function<int(const std::string& text)>;
  explicit RuleBox(Rule rule, size_t batch = 4, int at_once = 1,
                   std::vector<std::string> classes = {"no", "yes"})
      : rule_(std::move(rule)), batch_(batch), at_once_(at_once), classes_(std::move(classes)) {}

  const std::vector<std::string>& classes() const override { return classes_; }
  std::string kind() const override { return "program"; }
  const Facts& facts() const override { return facts_; }
  std::string fingerprint() const override { return std::string(31, '0') + version_; }
  size_t batch() const override { return batch_; }
  int at_once() const override { return at_once_; }
  std::vector<int> ask(std::span<const std::string> texts, StopToken stop) override {
    stop.check();
    const std::lock_guard lock(mutex_);
    batches_.emplace_back(texts.begin(), texts.end());
    std::vector<int> answers;
    for (const std::string& text : texts) answers.push_back(rule_(text));
    return answers;
  }

  // Of a rule that was changed: "1", "2".
  void set_version(std::string version) { version_ = std::move(version); }
  const std::vector<std::vector<std::string>>& batches() const { return batches_; }
  // One after the other.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const auto& batch : batches_) all.insert(all.end(), batch.begin(), batch.end());
    return all;
  }

 private:
  Rule rule_;
  size_t batch_;
  int at_once_;
  std::vector<std::string> classes_;
  Facts facts_ = {{"classifier_command", "a rule"}};
  std::string version_ = "0";
  std::mutex mutex_;
  std::vector<std::vector<std::string>> batches_;
};

}  // namespace textcrs
