// A model under noise: the shares of the votes of a few hundred copies, the same for all texts of
// an example.
#include "attack/word_copies.h"
#include "textcrs/attack/target.h"

namespace textcrs {
namespace {

class SmoothedTarget final : public AttackTarget {
 public:
  SmoothedTarget(std::shared_ptr<const Classifier> classifier, std::unique_ptr<const Engine> engine,
                 std::unique_ptr<const Noise> noise, const SmoothedTargetOptions& options,
                 int examples_at_once)
      : classifier_(std::move(classifier)),
        engine_(std::move(engine)),
        noise_(std::move(noise)),
        options_(options),
        examples_at_once_(examples_at_once) {
    check_words_are_units(*classifier_);
    if (options_.copies < 1) throw usage_error("copies is 0, expected at least 1");
    if (noise_->outcomes({}))
      throw usage_error("noise " + noise_->spec() +
                        " is counted, not sampled: there are no copies to draw");
  }

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  std::vector<std::string> words(std::string_view text) const override {
    return classifier_->words(text);
  }
  int examples_at_once() const override { return examples_at_once_; }

  std::vector<double> scores(std::span<const std::vector<std::string>> texts,
                             uint32_t example) const override {
    if (texts.empty()) return {};
    const WordCopies copies(classifier_->vocabulary(), texts);
    const SampleRange range = {.seed = options_.seed,
                               .example = example,
                               .begin = 0,
                               .end = options_.copies,
                               .words_lane = lane::kAttackWords,
                               .gaussian_lane = lane::kAttackGaussian};
    std::vector<TextSamples> samples;
    for (size_t i = 0; i < texts.size(); ++i) samples.push_back({copies.text(i), range});
    std::vector<double> shares;
    for (const std::vector<int64_t>& votes : engine_->votes(samples, *noise_))
      for (const int64_t count : votes)
        shares.push_back(static_cast<double>(count) / static_cast<double>(options_.copies));
    return shares;
  }

 private:
  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Engine> engine_;
  std::unique_ptr<const Noise> noise_;
  SmoothedTargetOptions options_;
  int examples_at_once_;
};

}  // namespace

std::unique_ptr<AttackTarget> make_smoothed_target(std::shared_ptr<const Classifier> classifier,
                                                   std::unique_ptr<const Engine> engine,
                                                   std::unique_ptr<const Noise> noise,
                                                   const SmoothedTargetOptions& options,
                                                   int examples_at_once) {
  return std::make_unique<SmoothedTarget>(std::move(classifier), std::move(engine),
                                          std::move(noise), options, examples_at_once);
}

}  // namespace textcrs
