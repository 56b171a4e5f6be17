// A model without noise: one copy of a text is the text itself.
#include <algorithm>
#include <cmath>

#include "attack/word_copies.h"
#include "textcrs/attack/target.h"

namespace textcrs {
namespace {

// The votes of words are whole numbers, far apart: one strongest vote is one unit.
double unit_of(const Classifier& classifier) {
  double strongest = 0;
  if (classifier.config().kind().casts_votes)
    for (const float score : classifier.weights().at(classifier.config().kind().embedding).values)
      strongest = std::max(strongest, std::abs(static_cast<double>(score)));
  return strongest > 0 ? strongest : 1;
}

void softmax(std::span<double> row, double unit) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& score : row) sum += score = std::exp((score - largest) / unit);
  for (double& score : row) score /= sum;
}

class PlainTarget final : public AttackTarget {
 public:
  PlainTarget(std::shared_ptr<const Classifier> classifier, std::unique_ptr<const Engine> engine,
              int examples_at_once)
      : classifier_(std::move(classifier)),
        engine_(std::move(engine)),
        examples_at_once_(examples_at_once),
        unit_(unit_of(*classifier_)) {
    check_words_are_units(*classifier_);
  }

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  std::vector<std::string> words(std::string_view text) const override {
    return classifier_->words(text);
  }
  int examples_at_once() const override { return examples_at_once_; }

  std::vector<double> scores(std::span<const std::vector<std::string>> texts,
                             uint32_t) const override {
    if (texts.empty()) return {};
    const WordCopies copies(classifier_->vocabulary(), texts);
    std::vector<double> scores = engine_->scores(copies.batch());
    const size_t classes = this->classes().size();
    for (size_t i = 0; i < texts.size(); ++i)
      softmax(std::span(scores).subspan(i * classes, classes), unit_);
    return scores;
  }

 private:
  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Engine> engine_;
  int examples_at_once_;
  double unit_;
};

}  // namespace

std::unique_ptr<AttackTarget> make_plain_target(std::shared_ptr<const Classifier> classifier,
                                                std::unique_ptr<const Engine> engine,
                                                int examples_at_once) {
  return std::make_unique<PlainTarget>(std::move(classifier), std::move(engine), examples_at_once);
}

}  // namespace textcrs
