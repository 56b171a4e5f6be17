// Training of models with a map of the slots: that they learn, go on where they were stopped, start
// from others, and that other settings are another run.
#include <gtest/gtest.h>

#include <atomic>

#include "model/expect_error.h"
#include "model/slot_map.h"
#include "model/small_model.h"
#include "text/scratch_home.h"
#include "text/temporary_folder.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/trainer.h"
#include "train/two_word_task.h"

namespace textcrs {
namespace {

class SlotMapTraining : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  SlotMapTraining() {
    config_ = small_config(GetParam());
    config_.classes = {"zero", "one"};
    config_.noise = "insert:sigma=0.3";
    config_.pool_all_slots = true;
    config_.noise_mean = true;
    config_.reconstruction = 14;
    options_.epochs = 3;
    options_.batch_size = 16;
    options_.learning_rate = 2e-2;
    options_.validation_share = 0.2;
    options_.validation_copies = 8;
    options_.threads = 1;
    options_.checkpoint = folder_.path() / "checkpoint";
  }
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), config_, seed);
  }

  TemporaryFolder folder_;
  TrainOptions options_;
  ModelConfig config_;
  std::vector<EncodedText> texts_ = two_word_task(320, 6);
};

TEST_P(SlotMapTraining, LearnsTheTask) {
  texts_ = two_word_task(800, 6);
  options_.epochs = 6;
  for (const int units : {0, 5, 14}) {
    config_.reconstruction = units;
    const auto classifier = fresh();
    EXPECT_GT(train(*classifier, texts_, options_, {}).validation_accuracy, 0.9) << units;
  }
}

TEST_P(SlotMapTraining, StoppedAndResumedIsTheUninterruptedRun) {
  const auto whole = fresh();
  train(*whole, texts_, options_, {});
  std::filesystem::remove_all(options_.checkpoint);
  std::atomic<bool> stop = false;
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *fresh(), texts_, options_,
        [&](const TrainProgress& p) { stop = stop || (p.epoch == 2 && p.batch == 5); },
        StopToken(stop));
  });
  options_.resume = true;
  const auto resumed = fresh();
  train(*resumed, texts_, options_, {});
  EXPECT_TRUE(resumed->weights() == whole->weights());
}

TEST_P(SlotMapTraining, OtherSettingsAreAnotherRun) {
  std::atomic<bool> stop = false;
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *fresh(), texts_, options_, [&](const TrainProgress& p) { stop = stop || p.batch == 5; },
        StopToken(stop));
  });
  options_.resume = true;
  options_.reconstruction_weight = 2;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
  options_.reconstruction_weight = 1;
  config_.reconstruction = 15;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
  config_.reconstruction = 14;
  config_.noise_mean = false;
  expect_error(ErrorKind::kUsage, [&] { train(*fresh(), texts_, options_, {}); });
  config_.noise_mean = true;
  EXPECT_NO_THROW(train(*fresh(), texts_, options_, {}));
}

// What a small sigma taught is where a larger one begins.
TEST_P(SlotMapTraining, BeginsWhereAnotherEnded) {
  const auto small = fresh();
  train(*small, texts_, options_, {});
  config_.noise = "insert:sigma=0.6";
  const auto large = fresh(2);
  large->start_from(*small);
  EXPECT_TRUE(large->weights() == small->weights());
  options_.epochs = 1;
  std::filesystem::remove_all(options_.checkpoint);
  EXPECT_GT(train(*large, texts_, options_, {}).validation_accuracy, 0.8);
}

INSTANTIATE_TEST_SUITE_P(WordModels, SlotMapTraining, testing::Values("bilstm", "cnn"));

TEST(PrepareASlotMap, NeedsAGaussian) {
  const ScratchHome home;
  const Dataset dataset = {"reviews", {"no", "yes"}, {{0, "good film", 1}, {1, "bad film", 0}}};
  PrepareOptions options;
  options.vectors = home.write("vectors.txt", "good 1 0 0\nfilm 0 1 0\nbad 0 0 1\n");
  options.model.noise_mean = true;
  options.model.reconstruction = 4;
  options.model.noise = "insert:sigma=0.1";
  const auto prepared = prepare_classifier(dataset, options);
  EXPECT_TRUE(prepared.classifier->weights().contains(kNoiseMean));
  EXPECT_TRUE(prepared.classifier->weights().contains(kEncoderWeight));
  for (const std::string noise : {"none", "delete:p=0.3"}) {
    options.model.noise = noise;
    const std::string message =
        expect_error(ErrorKind::kUsage, [&] { prepare_classifier(dataset, options); });
    EXPECT_NE(message.find(noise), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace textcrs
