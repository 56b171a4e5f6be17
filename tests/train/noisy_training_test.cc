// Several copies, consistency, varying levels, a teacher and averaged weights in a whole training:
// off they change nothing, on they are keyed and can be stopped anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "train/tiny_task.h"
#include "train/weight_average.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// Sure of the right class, more or less.
void teach(std::vector<EncodedText>& texts) {
  for (EncodedText& text : texts) {
    text.teacher = {0.1F * static_cast<float>(text.id % 7), 0.5F};
    text.teacher[static_cast<size_t>(text.label)] += 3;
  }
}

class NoisyTraining : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  NoisyTraining() {
    config_ = GetParam() == "bert" ? TinyBert().config() : small_config(GetParam());
    config_.classes = {"zero", "one"};
    config_.noise = "universal:p=0.3";
    options_.epochs = 2;
    options_.batch_size = 16;
    options_.learning_rate = GetParam() == "bert" ? 3e-3 : 2e-2;
    options_.validation_share = 0.2;
    options_.validation_copies = 4;
    options_.threads = 1;
  }
  static TrainOptions with_all(TrainOptions options) {
    options.copies = 3;
    options.loss = {.consistency = 2, .consistency_entropy = 0.5};
    options.levels = NoiseLevels{0.2, 0.5};
    options.average = 0.9;
    return options;
  }
  std::unique_ptr<Classifier> fresh() const {
    return GetParam() == "bert" ? tiny_classifier(TinyBert(), config_, folder_.path())
                                : small_classifier(folder_.path(), config_);
  }
  Weights trained(const TrainOptions& options, const TrainReporter& report = {}) const {
    const auto classifier = fresh();
    train(*classifier, texts_, options, report);
    return classifier->weights();
  }
  // The tensors of a run's checkpoint after its last step.
  Weights last_state(TrainOptions options) const {
    options.checkpoint = folder_.path() / "state";
    trained(options);
    return load_weights(options.checkpoint / "state.safetensors");
  }
  std::string refusal(const TrainOptions& options) const {
    const auto classifier = fresh();
    return expect_error(ErrorKind::kUsage, [&] { train(*classifier, texts_, options, {}); });
  }

  TemporaryFolder folder_;
  TrainOptions options_;
  ModelConfig config_;
  std::vector<EncodedText> texts_ = tiny_texts(100);
};

TEST_P(NoisyTraining, EveryOptionChangesTheWeightsAndItsDefaultDoesNot) {
  const Weights plain = trained(options_);
  TrainOptions off = options_;
  off.loss = {.teacher_share = 0.9, .teacher_temperature = 5};  // of no teacher
  EXPECT_TRUE(trained(off) == plain);
  const std::vector<std::function<void(TrainOptions&)>> changes = {
      [](auto& o) { o.copies = 2; }, [](auto& o) { o.copies = 2, o.loss.consistency = 5; },
      [](auto& o) { o.copies = 2, o.loss.consistency_entropy = 1; },
      [](auto& o) {
        o.levels = NoiseLevels{0.2, 0.4};
      },
      [](auto& o) { o.average = 0.9; }};
  std::vector<Weights> seen = {plain};
  for (const auto& change : changes) {
    TrainOptions options = options_;
    change(options);
    seen.push_back(trained(options));
    for (size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_FALSE(seen[i] == seen.back());
  }
  // A level that can not vary is that of the noise.
  TrainOptions one_level = options_;
  one_level.levels = NoiseLevels{0.3, 0.3};
  EXPECT_TRUE(trained(one_level) == plain);
  // A teacher without a share changes the bits of the loss at most.
  teach(texts_);
  EXPECT_FALSE(trained(options_) == plain);
  options_.loss.teacher_share = 0;
  options_.epochs = 1;
  std::vector<double> taught, alone;
  trained(options_, [&](const auto& p) { taught.push_back(p.loss); });
  for (EncodedText& text : texts_) text.teacher.clear();
  trained(options_, [&](const auto& p) { alone.push_back(p.loss); });
  ASSERT_EQ(taught.size(), alone.size());
  EXPECT_NEAR(taught[0], alone[0], 1e-6);
}

TEST_P(NoisyTraining, ThreadsDoNotDecideTheWeights) {
  teach(texts_);
  const TrainOptions options = with_all(options_);
  const Weights expected = trained(options);
  TrainOptions other = options;
  other.loader_threads = 3;
  EXPECT_TRUE(trained(other) == expected);
  other.seed = 2;
  EXPECT_FALSE(trained(other) == expected);
}

TEST_P(NoisyTraining, StoppedAndResumedIsTheUninterruptedRun) {
  teach(texts_);
  TrainOptions options = with_all(options_);
  std::vector<double> losses;
  const Weights expected = trained(options, [&](const auto& p) { losses.push_back(p.loss); });
  options.checkpoint = folder_.path() / "checkpoint";
  // 5 batches and the end of the epoch, twice.
  ASSERT_EQ(losses.size(), 12u);
  for (const size_t last : {0, 3, 5, 6, 9}) {
    SCOPED_TRACE(last);
    options.resume = false;
    size_t seen = 0;
    std::atomic<bool> stop = false;
    const auto stopped = fresh();
    expect_error(ErrorKind::kInterrupted, [&] {
      train(
          *stopped, texts_, options, [&](const auto&) { stop = seen++ == last || stop; },
          StopToken(stop));
    });
    options.resume = true;
    options.loader_threads = 1 + static_cast<int>(last % 3);
    EXPECT_TRUE(trained(options, [&](const auto& p) { EXPECT_EQ(p.loss, losses[seen++]); }) ==
                expected);
    EXPECT_EQ(seen, losses.size());
  }
  // What is left is a finished run.
  EXPECT_TRUE(trained(options) == expected);
}

TEST_P(NoisyTraining, AStepInPartsIsTheSameStep) {
  teach(texts_);
  config_.dropout = config_.input_dropout = 0;
  TrainOptions options = with_all(options_);
  options.epochs = 1;
  options.batch_size = 1000;
  options.validation_share = 0;
  options.average = 0;
  const Weights whole = last_state(options);
  options.accumulate = 7;
  const Weights parts = last_state(options);
  for (const auto& [name, expected] : whole) {
    if (!name.starts_with("m.")) continue;  // a tenth of the gradient
    for (size_t i = 0; i < expected.values.size(); ++i)
      EXPECT_NEAR(parts.at(name).values[i], expected.values[i], 1e-6) << name;
  }
}

// The parameters themselves are those of the run that averages nothing.
TEST_P(NoisyTraining, TheAverageIsKeptAndTheParametersGoOn) {
  options_.validation_share = 0;
  std::vector<Weights> by_step;
  for (int epochs = 1; epochs <= 4; ++epochs) {
    // The schedule depends on the number of epochs, so the rate does not.
    TrainOptions options = options_;
    options.batch_size = 1000;
    options.epochs = 4;
    options.checkpoint = folder_.path() / "steps";
    std::atomic<bool> stop = false;
    const auto stopped = fresh();
    if (epochs < 4)
      expect_error(ErrorKind::kInterrupted, [&] {
        train(
            *stopped, texts_, options, [&](const auto& p) { stop = p.epoch == epochs; },
            StopToken(stop));
      });
    else
      train(*stopped, texts_, options, {});
    Weights now;
    for (const auto& [name, tensor] : load_weights(options.checkpoint / "state.safetensors"))
      if (name.starts_with("p.")) now[name.substr(2)] = tensor;
    by_step.push_back(std::move(now));
  }
  options_.batch_size = 1000;
  options_.epochs = 4;
  options_.average = 0.3;
  const Weights state = last_state(options_);
  WeightAverage average(0.3);
  for (size_t i = 0; i < by_step.size(); ++i) average.add(by_step[i], static_cast<int64_t>(i) + 1);
  const Weights kept = trained(options_);
  for (const auto& [name, tensor] : average.values()) {
    EXPECT_EQ(state.at("p." + name), by_step.back().at(name)) << name;
    EXPECT_EQ(state.at("average." + name), tensor) << name;
    EXPECT_EQ(kept.at(name), tensor) << name;
  }
}

TEST_P(NoisyTraining, LearnsTheTaskWithAllOfIt) {
  texts_ = tiny_texts(400);
  teach(texts_);
  TrainOptions options = with_all(options_);
  options.epochs = 5;
  const auto classifier = fresh();
  const TrainResult result = train(*classifier, texts_, options, {});
  EXPECT_GT(result.validation_accuracy, 0.9);
}

TEST_P(NoisyTraining, ATeacherIsFollowed) {
  texts_ = tiny_texts(500);
  teach(texts_);
  std::vector<EncodedText> others(texts_.begin() + 400, texts_.end());
  texts_.resize(400);
  for (EncodedText& text : texts_) std::swap(text.teacher[0], text.teacher[1]);
  for (EncodedText& text : others) text.label = 1 - text.label;
  options_.epochs = 5;
  options_.loss.teacher_share = 1;
  EXPECT_GT(train(*fresh(), texts_, others, options_, {}).validation_accuracy, 0.9);
}

TEST_P(NoisyTraining, RefusesWhatCanNotBe) {
  const auto refused = [&](const std::function<void(TrainOptions&)>& change) {
    TrainOptions options = options_;
    change(options);
    return refusal(options);
  };
  EXPECT_THAT(refused([](auto& o) { o.loss.consistency = 1; }), HasSubstr("2 noisy copies"));
  EXPECT_THAT(refused([](auto& o) { o.loss.consistency_entropy = 1; }),
              HasSubstr("2 noisy copies"));
  EXPECT_THAT(refused([](auto& o) { o.copies = 0; }), HasSubstr("expected 1 to"));
  EXPECT_THAT(refused([](auto& o) { o.copies = kMostCopies + 1; }), HasSubstr("expected 1 to"));
  EXPECT_THAT(refused([](auto& o) { o.average = 1; }), HasSubstr("average"));
  EXPECT_THAT(refused([](auto& o) { o.loss.teacher_share = 1.5; }), HasSubstr("share"));
  EXPECT_THAT(refused([](auto& o) { o.levels = NoiseLevels{0.5, 1.5}; }), HasSubstr("p=1.5"));
  config_.noise = "reorder:full";
  EXPECT_THAT(refused([](auto& o) { o.levels = NoiseLevels{0.5, 0.6}; }), HasSubstr("no level"));
  config_.noise = "universal:p=0.3";
  texts_[3].teacher = {0, 1};
  EXPECT_THROW(trained(options_), std::logic_error);
}

TEST_P(NoisyTraining, RefusesACheckpointWithoutItsAverage) {
  TrainOptions options = options_;
  options.average = 0.9;
  options.checkpoint = folder_.path() / "checkpoint";
  trained(options);
  const auto file = options.checkpoint / "state.safetensors";
  Weights tensors = load_weights(file);
  std::erase_if(tensors, [](const auto& named) { return named.first == "average.head.bias"; });
  save_weights(file, tensors);
  options.resume = true;
  const auto classifier = fresh();
  EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { train(*classifier, texts_, options, {}); }),
              HasSubstr("average.head.bias"));
}

INSTANTIATE_TEST_SUITE_P(Models, NoisyTraining, testing::Values("bilstm", "cnn", "bert"));

// Models with a loss of their own: levels and averages are theirs, copies and teachers are not.
TEST(NoisyVotes, TakeLevelsAndAveragesAlone) {
  TemporaryFolder folder;
  ModelConfig config = small_config("linear");
  config.classes = {"zero", "one"};
  config.noise = "universal:p=0.3";
  auto texts = tiny_texts(200);
  TrainOptions options = TrainOptions::recommended(find_architecture("linear"), 200);
  options.epochs = 3;
  options.batch_size = 16;
  options.votes.hidden = 0;
  options.validation_share = 0;
  const auto trained = [&](const TrainOptions& with) {
    const auto classifier = Classifier::fresh(config, Vocabulary(small_words()));
    train(*classifier, texts, with, {});
    return classifier->weights();
  };
  const auto refusal = [&](const TrainOptions& with) {
    return expect_error(ErrorKind::kUsage, [&] { trained(with); });
  };
  const Weights plain = trained(options);
  TrainOptions levels = options, average = options, copies = options;
  levels.levels = NoiseLevels{0.2, 0.6};
  average.average = 0.9;
  copies.copies = 2;
  EXPECT_FALSE(trained(levels) == plain);
  EXPECT_FALSE(trained(average) == plain);
  EXPECT_THAT(refusal(copies), HasSubstr("a linear model can not be trained with several"));
  config.architecture = "votes";
  config.noise = "none";
  EXPECT_THAT(refusal(levels), HasSubstr("no level"));
  teach(texts);
  EXPECT_THAT(refusal(options), HasSubstr("a votes model can not be trained with a teacher"));
}

TEST(NoisySentences, TakeAveragesAlone) {
  TemporaryFolder folder;
  ModelConfig config = small_config("cnn");
  config.classes = {"zero", "one"};
  config.units = Units::kSentences;
  auto texts = tiny_texts(60);
  for (EncodedText& text : texts)
    text.sentence_ends = {1, static_cast<uint32_t>(text.words.size())};
  TrainOptions options;
  options.votes = VoteOptions::for_sentences();
  options.epochs = 2;
  options.batch_size = 16;
  const auto trained = [&](const TrainOptions& with) {
    const auto classifier = small_classifier(folder.path(), config);
    train(*classifier, texts, with, {});
    return classifier->weights();
  };
  const auto refusal = [&](const TrainOptions& with) {
    return expect_error(ErrorKind::kUsage, [&] { trained(with); });
  };
  TrainOptions average = options, copies = options;
  average.average = 0.9;
  copies.copies = 2;
  EXPECT_FALSE(trained(average) == trained(options));
  EXPECT_THAT(refusal(copies), HasSubstr("sentences that vote"));
  teach(texts);
  EXPECT_THAT(refusal(options), HasSubstr("sentences that vote"));
}

}  // namespace
}  // namespace textcrs
