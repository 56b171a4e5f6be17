// Training for interval bounds, and for an encoder: what they gain, and that they go on where they
// were stopped.
#include <gtest/gtest.h>

#include <atomic>

#include "model/expect_error.h"
#include "model/interval_models.h"
#include "textcrs/base/files.h"
#include "textcrs/train/trainer.h"
#include "train/interval_accuracy.h"

namespace textcrs {
namespace {

// The group of the first word decides: w4 .. w7 and w12 .. w15 are class 0, w8 .. w11 and
// w16 .. w19 class 1; the others say nothing.
std::vector<EncodedText> group_task(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(31, i, 0);
    const int label = static_cast<int>(stream.below(2));
    std::vector<WordId> words;
    for (int k = 0; k < 2; ++k) {
      const auto group = static_cast<WordId>(1 + label + 2 * static_cast<int>(stream.below(2)));
      words.push_back(kFirstWord + 4 * group + static_cast<WordId>(stream.below(4)));
    }
    for (uint32_t rest = stream.below(5); rest > 0; --rest)
      words.push_back(kFirstWord + static_cast<WordId>(stream.below(4)));
    stream.shuffle(std::span(words));
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

class IntervalTraining : public testing::TestWithParam<const char*> {
 protected:
  IntervalTraining() {
    options_.epochs = 8;
    options_.batch_size = 16;
    options_.learning_rate = 2e-2;
    options_.validation_share = 0.2;
    options_.interval_ramp = 0.5;
    options_.threads = 1;
    options_.checkpoint = folder_.path() / "checkpoint";
  }
  std::unique_ptr<Classifier> fresh(bool intervals = true, double spread = 0.4) const {
    ModelConfig config = interval_config(GetParam());
    config.classes = {"zero", "one"};
    config.intervals = intervals;
    config.dropout = 0.1;
    return Classifier::fresh(config, Vocabulary(small_words()), groups_of_four(),
                             grouped_vectors(folder_.path(), spread), 1);
  }

  TemporaryFolder folder_;
  TrainOptions options_;
  std::vector<EncodedText> texts_ = group_task(320);
};

TEST_P(IntervalTraining, CertifiesMoreThanPlainTraining) {
  auto unseen = group_task(520);
  unseen.erase(unseen.begin(), unseen.begin() + 320);
  const auto with = fresh(true, 0.8), without = fresh(false, 0.8);
  const TrainResult result = train(*with, texts_, options_, {});
  train(*without, texts_, options_, {});
  const IntervalAccuracy good = interval_accuracy(*with, unseen, 1);
  const IntervalAccuracy plain = interval_accuracy(*without, unseen, 1);
  EXPECT_GT(good.accuracy, 0.9);
  EXPECT_GT(good.certified, 0.8);
  EXPECT_GT(good.certified, plain.certified + 0.1);
  EXPECT_GT(result.validation_accuracy, 0.85);
}

TEST_P(IntervalTraining, EpochsAreChosenByTheMeanOfBothAccuracies) {
  options_.epochs = 1;
  const auto classifier = fresh();
  const std::vector<EncodedText> held_out = group_task(60);
  const TrainResult result = train(*classifier, texts_, held_out, options_, {});
  const IntervalAccuracy found = interval_accuracy(*classifier, held_out, 1);
  EXPECT_EQ(result.validation_accuracy, (found.accuracy + found.certified) / 2);
}

TEST_P(IntervalTraining, GoesOnWhereItWasStopped) {
  options_.epochs = 2;
  const auto weights = [&](bool resume) {
    options_.resume = resume;
    const auto classifier = fresh();
    train(*classifier, texts_, options_, {});
    return classifier->fingerprint();
  };
  const std::string whole = weights(false);
  std::atomic<bool> stop = false;
  options_.resume = false;
  const auto classifier = fresh();
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *classifier, texts_, options_,
        [&](const auto& p) { stop = stop || (p.epoch == 2 && p.batch == 3); }, StopToken(stop));
  });
  const double before = options_.interval_weight;
  options_.interval_weight = 0.5;
  options_.resume = true;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
  options_.interval_weight = before;
  EXPECT_EQ(weights(true), whole);
}

// The share of the worst case counts: with none of it, training is plain.
TEST_P(IntervalTraining, WithoutAShareOfTheWorstCaseItIsPlainTraining) {
  options_.epochs = 1;
  options_.interval_weight = 0;
  options_.validation_share = 0;
  const auto with = fresh(true), without = fresh(false);
  train(*with, texts_, options_, {});
  train(*without, texts_, options_, {});
  for (const auto& [name, tensor] : with->weights()) {
    const FloatTensor& other = without->weights().at(name);
    for (size_t i = 0; i < tensor.values.size(); ++i)
      ASSERT_NEAR(tensor.values[i], other.values[i], 1e-5) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, IntervalTraining, testing::Values("cnn", "bilstm"));

class EncoderTraining : public testing::Test {
 protected:
  EncoderTraining() {
    options_.epochs = 6;
    options_.batch_size = 16;
    options_.learning_rate = 1e-2;
    options_.threads = 1;
    options_.encoder_weight = 0.3;
    options_.checkpoint = folder_.path() / "checkpoint";
    config_ = small_config("cnn");
    config_.classes = {"zero", "one"};
    config_.noise = "insert:sigma=0.3";
    config_.pool_all_slots = true;
    config_.trained_vectors = true;
  }
  std::unique_ptr<Classifier> fresh(SynonymTable synonyms = groups_of_four()) const {
    return Classifier::fresh(config_, Vocabulary(small_words()), std::move(synonyms),
                             grouped_vectors(folder_.path(), 0.4), 1);
  }

  TemporaryFolder folder_;
  TrainOptions options_;
  ModelConfig config_;
  std::vector<EncodedText> texts_ = group_task(320);
};

TEST_F(EncoderTraining, LearnsTheTaskAndGoesOnWhereItWasStopped) {
  const auto whole = fresh();
  EXPECT_GT(train(*whole, texts_, options_, {}).validation_accuracy, 0.9);
  EXPECT_NE(whole->weights().at("embedding.weight"), fresh()->weights().at("embedding.weight"));
  std::atomic<bool> stop = false;
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *fresh(), texts_, options_,
        [&](const auto& p) { stop = stop || (p.epoch == 3 && p.batch == 2); }, StopToken(stop));
  });
  options_.resume = true;
  const auto resumed = fresh();
  train(*resumed, texts_, options_, {});
  EXPECT_EQ(resumed->fingerprint(), whole->fingerprint());
}

TEST_F(EncoderTraining, NeedsNoiseCandidatesAndVectorsOfItsOwn) {
  expect_error(ErrorKind::kUsage, [&] { train(*fresh({}), texts_, options_, {}); });
  config_.trained_vectors = false;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
  config_.trained_vectors = true;
  config_.noise = "universal:p=0.3";
  config_.pool_all_slots = false;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
}

}  // namespace
}  // namespace textcrs
