#include "textcrs/certified/attack_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "certified/tiny_models.h"
#include "certified/tiny_votes.h"
#include "model/expect_error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

constexpr uint32_t kCopies = 200;

SmoothedOptions with_noise(const std::string& noise, int threads = 1) {
  SmoothedOptions options;
  options.noise = noise;
  options.engine.threads = threads;
  options.certifier.estimation_samples = 2000;
  return options;
}

Texts random_text(uint32_t seed) {
  Stream stream(51, seed, 0);
  Texts text(stream.below(9));
  for (std::string& word : text) word = "w" + std::to_string(stream.below(22));  // two unknown
  return text;
}

// The scores of one text.
std::vector<double> scores_of(const AttackTarget& target, const Texts& words, uint32_t example) {
  return target.scores(std::span(&words, 1), example);
}

int answer_of(const std::vector<double>& scores) {
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

class AttackTargetTest : public testing::Test {
 protected:
  std::filesystem::path folder() const { return work_.path() / "model"; }
  std::unique_ptr<AttackTarget> save_and_load(const Classifier& model,
                                              const SmoothedOptions& options) const {
    std::filesystem::remove_all(folder());
    model.save(folder());
    return load_attack_target(folder(), options, kCopies);
  }

 private:
  TemporaryFolder work_;
};

TEST_F(AttackTargetTest, WithoutNoiseItsAnswersAreThoseOfTheModel) {
  const auto target = save_and_load(*tiny_cnn("none"), with_noise(""));
  EXPECT_EQ(target->classes(), (Texts{"no", "yes", "maybe"}));
  EXPECT_EQ(target->words("W1, w2!"), load_certified(folder())->words("W1, w2!"));
  const auto plain = load_certified(folder(), with_noise(""));
  std::set<int> answers;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const std::vector<double> scores = scores_of(*target, random_text(seed), seed);
    EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(answer_of(scores), plain->certify(random_text(seed), seed).prediction) << seed;
    answers.insert(answer_of(scores));
  }
  EXPECT_GT(answers.size(), 1u);
}

TEST_F(AttackTargetTest, UnderNoiseItsScoresAreSharesOfVotes) {
  for (const char* noise : {"", "universal:p=0.5"}) {  // asked for, and trained with
    const auto target =
        save_and_load(*tiny_cnn(*noise ? "none" : "universal:p=0.5"), with_noise(noise));
    std::set<double> seen;
    for (uint32_t seed = 0; seed < 20; ++seed)
      for (const double share : scores_of(*target, random_text(seed), seed)) {
        EXPECT_NEAR(share * kCopies, std::round(share * kCopies), 1e-9);
        seen.insert(share);
      }
    EXPECT_GT(seen.size(), 10u);
  }
}

TEST_F(AttackTargetTest, TheSeedDecidesWhatIsDrawn) {
  SmoothedOptions options = with_noise("universal:p=0.5");
  const auto first = save_and_load(*tiny_cnn("none"), options);
  const auto same = load_attack_target(folder(), options, kCopies);
  options.seed = 2;
  const auto other = load_attack_target(folder(), options, kCopies);
  const Texts text = {"w1", "w2", "w3", "w4", "w5", "w6"};
  int differ = 0;
  for (uint32_t example = 0; example < 10; ++example) {
    EXPECT_EQ(scores_of(*first, text, example), scores_of(*same, text, example));
    differ += scores_of(*first, text, example) != scores_of(*other, text, example);
  }
  EXPECT_GT(differ, 5);
}

// All outcomes of a finite noise: what the certificate counts.
TEST_F(AttackTargetTest, UnderAFiniteNoiseItsSharesAreExact) {
  for (const char* noise : {"hash:buckets=3,functions=7", "reorder:block=4,order=sorted"}) {
    SCOPED_TRACE(noise);
    const SmoothedOptions options = with_noise(noise);
    const auto target = save_and_load(*tiny_cnn("none"), options);
    const auto classifier = load_certified(folder(), options);
    ASSERT_FALSE(classifier->description().samples);
    size_t silent_texts = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
      const Texts text = random_text(seed);
      const Certification counted = classifier->certify(text, seed);
      const std::vector<double> scores = scores_of(*target, text, seed);
      EXPECT_EQ(scores, scores_of(*target, text, seed + 1));  // nothing is drawn
      EXPECT_EQ(answer_of(scores), counted.prediction);
      EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 1, 1e-12);
      // Differences are those of the votes, as shares of all outcomes.
      const double all = std::string(noise).starts_with("hash") ? 21 : 4;
      for (size_t c = 0; c < scores.size(); ++c)
        EXPECT_NEAR(scores[c] - scores[0],
                    static_cast<double>(counted.counts[c] - counted.counts[0]) / all, 1e-12);
      silent_texts += std::accumulate(counted.counts.begin(), counted.counts.end(), int64_t{0}) <
                      static_cast<int64_t>(all);
    }
    if (std::string(noise).starts_with("hash")) {
      EXPECT_GT(silent_texts, 5u);
    }
    const Texts texts[] = {{"w1", "w2"}, {}, {"w3"}};
    std::vector<double> one_by_one;
    for (const Texts& text : texts)
      for (const double score : scores_of(*target, text, 0)) one_by_one.push_back(score);
    EXPECT_EQ(target->scores(texts, 0), one_by_one);
  }
}

TEST_F(AttackTargetTest, OneTextPerThread) {
  const auto model = tiny_cnn("none");
  for (const char* noise : {"", "universal:p=0.5", "hash:buckets=3,functions=7"}) {
    EXPECT_EQ(save_and_load(*model, with_noise(noise, 3))->examples_at_once(), 3);
    EXPECT_EQ(save_and_load(*model, with_noise(noise, 0))->examples_at_once(), available_cores());
  }
}

TEST_F(AttackTargetTest, RefusesWhatItCanNotAttack) {
  EXPECT_THAT(
      expect_error(
          ErrorKind::kUsage,
          [&] {
            save_and_load(*tiny_votes({{"good", {0, 1}}}, {0, 0}), with_noise("insert:sigma=1"));
          }),
      HasSubstr("does not fit the model"));
  EXPECT_THAT(expect_error(ErrorKind::kUsage,
                           [&] { save_and_load(*tiny_cnn("none"), with_noise("blur")); }),
              HasSubstr("blur"));
  EXPECT_THAT(error_of([&] { load_attack_target(folder().parent_path() / "none", {}, kCopies); }),
              HasSubstr("none"));
}

class CertifiedBudgets : public AttackTargetTest {};

TEST_F(CertifiedBudgets, AreTheEndsOfTheFrontier) {
  const VotingClassifier votes(
      tiny_votes({{"good", {0, 3}}, {"fine", {0, 1}}, {"bad", {2, 0}}}, {0, 0}));
  const EditBudgets budgets = certified_budgets(votes);
  const Texts text = {"good", "good", "fine", "good"};
  const auto frontier = votes.certify(text, 0).sound.frontier;
  const std::vector<EditBudget> found = budgets(text, 0);
  ASSERT_GT(found.size(), 1u);
  ASSERT_EQ(found.size(), frontier.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].lost, static_cast<size_t>(frontier[i].first));
    EXPECT_EQ(found[i].gained, static_cast<size_t>(frontier[i].second));
  }
}

// No machine has room for all the words that the votes of one could make up for.
TEST_F(CertifiedBudgets, DoNotGainMoreWordsThanATextCanHold) {
  const VotingClassifier votes(tiny_votes({{"good", {0, kLargestScore}}, {"bad", {1, 0}}}, {0, 0}));
  const Texts text(10, "good");
  size_t most = 0;
  for (const EditBudget& budget : certified_budgets(votes)(text, 0)) {
    EXPECT_LE(budget.gained, 10 + kMostGainedBeside);
    most = std::max(most, budget.gained);
  }
  EXPECT_EQ(most, 10 + kMostGainedBeside);
}

// Two neighbouring words vote, too.
std::unique_ptr<Classifier> window_votes() {
  ModelConfig config;
  config.architecture = "votes";
  config.classes = {"neg", "pos"};
  config.votes.windows = 2;
  config.votes.window_rows = 8;
  auto model = Classifier::fresh(config, Vocabulary({"good", "bad"}));
  Weights weights = model->weights();
  for (auto& [name, tensor] : weights)
    for (size_t i = 0; i < tensor.values.size(); ++i)
      tensor.values[i] = static_cast<float>(i % 3) - 1;
  model->assign(weights);
  return model;
}

TEST_F(CertifiedBudgets, WithoutAFrontierAreTheRadius) {
  const VotingClassifier votes(window_votes());
  const EditBudgets budgets = certified_budgets(votes);
  std::set<size_t> radii;
  for (size_t length = 0; length < 40; ++length) {
    const Texts text(length, "good");
    const CertifiedSet set = votes.certify(text, 0).sound;
    ASSERT_TRUE(set.frontier.empty());
    const std::vector<EditBudget> found = budgets(text, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(static_cast<double>(found[0].lost), set.radius(Operation::kEdit));
    EXPECT_EQ(found[0].gained, found[0].lost);
    radii.insert(found[0].lost);
  }
  EXPECT_GT(radii.size(), 2u);
}

TEST_F(CertifiedBudgets, OfATextThatNothingIsCertifiedAboutAreNone) {
  tiny_votes({{"good", {0, 3}}, {"bad", {2, 0}}}, {0, 0}, "linear")->save(folder());
  const auto classifier = load_certified(folder(), with_noise("hash:buckets=5,functions=9"));
  const EditBudgets budgets = certified_budgets(*classifier);
  EXPECT_FALSE(budgets({"good", "good"}, 0).empty());
  EXPECT_TRUE(budgets({}, 0).empty());
}

TEST_F(CertifiedBudgets, AreRefusedWhereNoEditsOfWordsAreCertified) {
  const auto refusal = [&](const CertifiedClassifier& classifier) {
    return expect_error(ErrorKind::kUsage, [&] { certified_budgets(classifier); });
  };
  tiny_cnn("none")->save(folder());
  EXPECT_EQ(refusal(*load_certified(folder())),
            "noise none certifies no words deleted and inserted: there is no frontier to attack");
  EXPECT_THAT(refusal(*load_certified(folder(), with_noise("mask:p=0.5"))),
              HasSubstr("noise mask:p=0.5 certifies no words"));
  EXPECT_THAT(refusal(*load_certified(folder(), with_noise("reorder:block=3"))),
              HasSubstr("noise reorder:block=3"));
}

TEST(WitnessTexts, AreTheVotesWorstCase) {
  const VotingClassifier votes(tiny_votes({{"good", {0, 3}}, {"bad", {2, 0}}}, {0, 0}));
  const TextProposal worst = witness_texts(votes);
  const Texts text = {"good", "good", "film"};
  const Texts edited = worst(text, 0);
  EXPECT_NE(edited, text);
  EXPECT_EQ(votes.certify(edited, 0).prediction, 0);
  EXPECT_EQ(edited, votes.certify(text, 0).witness->applied_to(text));
}

TEST(WitnessTexts, AModelOfOneAnswerHasNoneAndTheTextStays) {
  const VotingClassifier votes(tiny_votes({{"good", {0, 3}}}, {0, 9}));
  ASSERT_EQ(votes.certify({}, 0).sound.radius(Operation::kEdit), kUnlimited);
  const Texts text = {"good", "film"};
  EXPECT_EQ(witness_texts(votes)(text, 0), text);
}

TEST(WitnessTexts, AreRefusedWhereNothingIsKnownOfThem) {
  const TemporaryFolder work;
  const auto folder = work.path() / "model";
  const auto refusal = [&](const CertifiedClassifier& classifier) {
    return expect_error(ErrorKind::kUsage, [&] { witness_texts(classifier); });
  };
  tiny_cnn("none")->save(folder);
  EXPECT_EQ(refusal(*load_certified(folder)),
            "noise none: nothing is known of edits that are enough, expected a model whose single "
            "words vote");
  EXPECT_THAT(refusal(*load_certified(folder, with_noise("universal:p=0.5"))),
              HasSubstr("noise universal:p=0.5: nothing is known"));
  EXPECT_THAT(refusal(VotingClassifier(window_votes())),
              HasSubstr("votes: nothing is known of edits"));
}

}  // namespace
}  // namespace textcrs
