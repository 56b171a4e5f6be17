// How many texts each kind of classifier wants at a time.
#include <gtest/gtest.h>

#include "certified/expect_same.h"
#include "certified/fake_fallback.h"
#include "certified/named_votes.h"
#include "certified/tiny_models.h"
#include "textcrs/base/parallel.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/plain_classifier.h"

namespace textcrs {
namespace {

constexpr int kThreads = 6;

std::unique_ptr<Classifier> votes() {
  return named_votes({"no", "yes", "maybe"}, {{"w1", {-2, 2, 0}}, {"w2", {3, -3, 1}}}, {});
}

CertifiedOptions with_threads() {
  CertifiedOptions options;
  options.engine.threads = kThreads;
  options.certifier.estimation_samples = 100000;
  return options;
}

class TextsAtOnce : public testing::Test {
 protected:
  std::filesystem::path folder(const Classifier& model) const {
    const auto path = work_.path() / "model";
    std::filesystem::remove_all(path);
    model.save(path);
    return path;
  }
  int of(const Classifier& model) const {
    return load_certified(folder(model), with_threads())->texts_at_once();
  }

  TemporaryFolder work_;
};

TEST_F(TextsAtOnce, OneWhereItsCopiesUseAllThreads) {
  EXPECT_EQ(of(*tiny_cnn("universal:p=0.7")), 1);
  EXPECT_EQ(of(*tiny_cnn("hash:buckets=3,functions=2000")), 1);
}

TEST_F(TextsAtOnce, OnePerThreadWhereATextIsFewCopies) {
  EXPECT_EQ(of(*tiny_cnn("none")), kThreads);
  EXPECT_EQ(of(*votes()), kThreads);
  EXPECT_EQ(of(*tiny_cnn("hash:buckets=3,functions=10")), kThreads);
  EXPECT_EQ(of(*tiny_cnn("hash:buckets=3,functions=20")), kThreads / 2);
  EXPECT_EQ(VotingClassifier(votes()).texts_at_once(), available_cores());
}

TEST_F(TextsAtOnce, SentencesArePlainCopies) {
  const auto path = folder(*tiny_cnn("none"));
  ModelConfig config = Classifier::load(path)->config();
  config.units = Units::kSentences;
  config.save(path / "config.json");
  EXPECT_EQ(load_certified(path, with_threads())->texts_at_once(), kThreads);
}

TEST_F(TextsAtOnce, ACascadeAsksAsItsFallbackDoes) {
  const auto with = [](std::unique_ptr<CertifiedClassifier> fallback) {
    return CascadeClassifier(std::make_unique<VotingClassifier>(votes(), 2), std::move(fallback), 1)
        .texts_at_once();
  };
  const std::vector<std::string> classes = votes()->config().classes;
  EXPECT_EQ(with(std::make_unique<FakeFallback>(classes, [](const auto&) { return 0; })), 1);
  EXPECT_EQ(with(std::make_unique<PlainClassifier>(tiny_cnn("none"), with_threads())), kThreads);
}

TEST_F(TextsAtOnce, TheAnswersAreThoseOfOneAtATime) {
  const CascadeClassifier cascade(
      std::make_unique<VotingClassifier>(votes()),
      std::make_unique<PlainClassifier>(tiny_cnn("none"), with_threads()), 0.3);
  std::vector<std::vector<std::string>> texts;
  for (uint32_t i = 0; i < 100; ++i) {
    Stream stream(6, i, 0);
    auto& words = texts.emplace_back(stream.below(9));
    for (std::string& word : words) word = "w" + std::to_string(stream.below(5));
  }
  std::vector<Certification> answers(texts.size());
  parallel_for(texts.size(), cascade.texts_at_once(),
               [&](size_t i) { answers[i] = cascade.certify(texts[i], 0); });
  size_t by_fallback = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    expect_same(answers[i], cascade.certify(texts[i], 0));
    by_fallback += answers[i].by_fallback;
  }
  EXPECT_GT(by_fallback, 0u);
  EXPECT_LT(by_fallback, texts.size());
}

}  // namespace
}  // namespace textcrs
