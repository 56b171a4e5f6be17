// A target whose answers can be worked out by hand: words have weights, which are added up.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/attack/target.h"

namespace textcrs {

using WordList = std::vector<std::string>;

inline WordList words_in(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

inline std::string join(const WordList& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A word's weight for each class is multiplied by 1 + order * (its place); the shares are the
// softmax of the sums. Words are split at spaces and hyphens, and "in" "to" is read as "into".
class WordCountTarget final : public AttackTarget {
 public:
  using Weights = std::map<std::string, std::vector<double>>;

  WordCountTarget(size_t classes, Weights weights, double order = 0)
      : weights_(std::move(weights)), order_(order) {
    for (size_t c = 0; c < classes; ++c) classes_.push_back("c" + std::to_string(c));
  }
  // Of two classes: weights for the second one.
  explicit WordCountTarget(const std::map<std::string, double>& weights, double order = 0)
      : WordCountTarget(2, {}, order) {
    for (const auto& [word, weight] : weights) weights_[word] = {0, weight};
  }

  const WordList& classes() const override { return classes_; }

  WordList words(std::string_view text) const override {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '-', ' ');
    WordList list;
    for (std::string& word : words_in(spaced))
      if (word == "to" && !list.empty() && list.back() == "in")
        list.back() = "into";
      else
        list.push_back(std::move(word));
    return list;
  }

  std::vector<double> shares(const WordList& words) const {
    std::vector<double> row(classes_.size());
    for (size_t place = 0; place < words.size(); ++place)
      if (const auto found = weights_.find(words[place]); found != weights_.end())
        for (size_t c = 0; c < row.size(); ++c)
          row[c] += found->second[c] * (1 + order_ * static_cast<double>(place));
    double sum = 0;
    for (double& score : row) sum += score = std::exp(score);
    for (double& score : row) score /= sum;
    return row;
  }
  int answer(const WordList& words) const {
    const std::vector<double> row = shares(words);
    return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }

  std::vector<double> scores(std::span<const WordList> texts, uint32_t example) const override {
    if (on_question) on_question();
    const std::lock_guard lock(mutex_);
    std::vector<double> scores;
    for (const WordList& words : texts) {
      ++asked_;
      if (!seen_[example].insert(words).second) ++repeated_;
      const std::vector<double> row = shares(words);
      scores.insert(scores.end(), row.begin(), row.end());
    }
    return scores;
  }

  int examples_at_once() const override { return at_once; }

  uint64_t asked() const { return asked_; }        // texts
  uint64_t repeated() const { return repeated_; }  // those that an example had asked about before
  const std::set<WordList>& seen(uint32_t example) const { return seen_[example]; }

  int at_once = 1;
  std::function<void()> on_question;  // before each

 private:
  WordList classes_;
  Weights weights_;
  double order_;
  mutable std::mutex mutex_;
  mutable std::map<uint32_t, std::set<WordList>> seen_;
  mutable uint64_t asked_ = 0, repeated_ = 0;
};

}  // namespace textcrs
