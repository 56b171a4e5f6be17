#include "certified/counted_target.h"

#include <numeric>

#include "certified/vote_counter.h"

namespace textcrs {
namespace {

class CountedTarget final : public AttackTarget {
 public:
  CountedTarget(std::shared_ptr<const Classifier> classifier, std::unique_ptr<const Engine> engine,
                std::unique_ptr<const Noise> noise, int examples_at_once)
      : classifier_(std::move(classifier)),
        engine_(std::move(engine)),
        noise_(std::move(noise)),
        examples_at_once_(examples_at_once) {}

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  std::vector<std::string> words(std::string_view text) const override {
    return classifier_->words(text);
  }
  int examples_at_once() const override { return examples_at_once_; }

  std::vector<double> scores(std::span<const std::vector<std::string>> texts,
                             uint32_t) const override {
    std::vector<double> scores;
    for (const std::vector<std::string>& words : texts) add_shares(words, scores);
    return scores;
  }

 private:
  void add_shares(const std::vector<std::string>& words, std::vector<double>& scores) const {
    OwnWords own;
    const std::vector<WordId> ids = classifier_->vocabulary().encode(words, own);
    const Text text(ids, own.list());
    const uint64_t outcomes = noise_->outcomes(text).value();
    const Votes votes =
        VoteCounter(*engine_, *noise_, text, classes().size(), {}).outcomes(outcomes);
    const auto all = static_cast<double>(outcomes);
    const auto cast = static_cast<double>(std::accumulate(votes.begin(), votes.end(), int64_t{0}));
    const double of_silent = (all - cast) / static_cast<double>(votes.size());
    for (const int64_t count : votes)
      scores.push_back((static_cast<double>(count) + of_silent) / all);
  }

  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Engine> engine_;
  std::unique_ptr<const Noise> noise_;
  int examples_at_once_;
};

}  // namespace

std::unique_ptr<AttackTarget> make_counted_target(std::shared_ptr<const Classifier> classifier,
                                                  std::unique_ptr<const Engine> engine,
                                                  std::unique_ptr<const Noise> noise,
                                                  int examples_at_once) {
  return std::make_unique<CountedTarget>(std::move(classifier), std::move(engine), std::move(noise),
                                         examples_at_once);
}

}  // namespace textcrs
