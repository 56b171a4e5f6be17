// Training a BERT: that it learns, what it leaves as it was, and that it can be stopped.
#include <gtest/gtest.h>

#include <set>

#include "model/expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/wordpiece.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/tiny_task.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

class BertTraining : public testing::Test {
 protected:
  BertTraining() {
    config_ = bert_.config();
    config_.noise = "universal:p=0.3";
    options_ = TrainOptions::recommended(find_architecture("bert"), 100000);
    options_.epochs = 2;
    options_.batch_size = 16;
    options_.learning_rate = 3e-3;
    options_.validation_share = 0.2;
    options_.validation_copies = 4;
    options_.threads = 1;
  }
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return tiny_classifier(bert_, config_, folder_.path(), seed);
  }
  std::string weights(const Classifier& classifier) const {
    classifier.save(folder_.path() / "model");
    return read_file(folder_.path() / "model" / "model.safetensors");
  }
  TrainOptions with_checkpoint(bool resume) const {
    TrainOptions options = options_;
    options.checkpoint = folder_.path() / "checkpoint";
    options.resume = resume;
    return options;
  }
  // Whose tensors changed by as much as one bit when it was trained.
  std::set<std::string> changed(Classifier& classifier) const {
    const Weights before = classifier.weights();
    train(classifier, texts_, options_, {});
    std::set<std::string> names;
    for (const auto& [name, tensor] : classifier.weights())
      if (tensor != before.at(name)) names.insert(name);
    return names;
  }
  double accuracy(const Classifier& classifier, const Noise& noise,
                  const std::vector<EncodedText>& texts) const {
    const auto engine =
        make_cpu_engine(classifier, {.threads = 1, .precision = classifier.config().precision});
    return smoothed_accuracy(*engine, noise, texts, 8, 5);
  }
  double first_loss(Classifier& classifier) const {
    double loss = 0;
    TrainOptions options = options_;
    options.epochs = 1;
    train(classifier, texts_, options, [&](const TrainProgress& p) {
      if (p.batch == 1 && !p.epoch_done) loss = p.loss;
    });
    return loss;
  }

  TemporaryFolder folder_;
  TinyBert bert_;
  TrainOptions options_;
  ModelConfig config_;
  std::vector<EncodedText> texts_ = tiny_texts(160);
};

TEST_F(BertTraining, LearnsATaskUnderNoise) {
  texts_ = tiny_texts(500);
  options_.epochs = 5;
  auto unseen = tiny_texts(700);
  unseen.erase(unseen.begin(), unseen.begin() + 500);
  for (const auto& [spec, by_slots] :
       {std::pair{"universal:p=0.3", false}, {"insert:sigma=0.2", true}}) {
    SCOPED_TRACE(spec);
    config_.noise = spec;
    config_.pool_all_slots = by_slots;
    const auto classifier = fresh();
    std::vector<double> losses;
    const TrainResult result = train(*classifier, texts_, options_, [&](const auto& p) {
      if (p.epoch_done) losses.push_back(p.loss);
    });
    EXPECT_LT(losses.back(), 0.5 * losses.front());
    EXPECT_GT(result.validation_accuracy, 0.95);
    const auto noise = make_noise(spec, {nullptr, nullptr, config_.slots});
    EXPECT_GT(accuracy(*classifier, *noise, unseen), 0.95);
    EXPECT_LT(accuracy(*fresh(), *noise, unseen), 0.8);
  }
}

TEST_F(BertTraining, EmbeddingsAndFrozenLayersStayToTheLastBit) {
  bert_.layers = 3;
  config_ = bert_.config();
  config_.noise = "universal:p=0.3";
  options_.epochs = 1;
  for (const int frozen : {0, 1, 2, 3}) {
    options_.freeze_layers = frozen;
    const auto classifier = fresh();
    std::set<std::string> expected;
    for (const TensorSpec& spec : config_.kind().tensors(config_)) {
      int layer = -1;
      sscanf(spec.name.c_str(), "encoder.layer.%d.", &layer);
      if (spec.is_trained && (layer == -1 || layer >= frozen)) expected.insert(spec.name);
    }
    EXPECT_EQ(changed(*classifier), expected) << frozen;
  }
  options_.freeze_layers = 4;
  EXPECT_THROW(train(*fresh(), texts_, options_, {}), Error);
}

TEST_F(BertTraining, StoppedAndResumedIsTheUninterruptedRun) {
  options_.freeze_layers = 1;
  options_.accumulate = 3;
  std::vector<double> losses;
  const auto whole = fresh();
  train(*whole, texts_, options_, [&](const auto& p) { losses.push_back(p.loss); });
  const std::string expected = weights(*whole);
  ASSERT_EQ(losses.size(), 2 * (8 + 1));  // 128 texts in batches of 16, twice
  for (const size_t last : {0, 5, 7, 8, 12}) {
    std::atomic<bool> stop = false;
    size_t seen = 0;
    const auto stopped = fresh();
    expect_error(ErrorKind::kInterrupted, [&] {
      train(
          *stopped, texts_, with_checkpoint(false),
          [&](const auto&) { stop = seen++ == last || stop; }, StopToken(stop));
    });
    const auto resumed = fresh();
    train(*resumed, texts_, with_checkpoint(true),
          [&](const auto& p) { EXPECT_EQ(p.loss, losses.at(seen++)); });
    EXPECT_EQ(seen, losses.size());
    EXPECT_TRUE(weights(*resumed) == expected) << last;
  }
}

TEST_F(BertTraining, RefusesToResumeWithOtherOptionsOrAnotherBeginning) {
  std::atomic<bool> stop = false;
  const auto stopped = fresh();
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *stopped, texts_, with_checkpoint(false), [&](const auto& p) { stop = p.batch == 3; },
        StopToken(stop));
  });
  const auto refused = [&](const TrainOptions& options) {
    const auto classifier = fresh();
    expect_error(ErrorKind::kUsage, [&] { train(*classifier, texts_, options, {}); });
  };
  const std::vector<std::function<void(TrainOptions&)>> changes = {
      [](auto& o) { o.accumulate = 2; }, [](auto& o) { o.freeze_layers = 1; },
      [](auto& o) { o.warm_up = 0.2; }, [](auto& o) { o.weight_decay = 0.02; }};
  for (const auto& change : changes) {
    TrainOptions other = with_checkpoint(true);
    change(other);
    refused(other);
  }
  bert_.seed = 2;  // another pretrained model, of the same shape
  refused(with_checkpoint(true));
  bert_.seed = 1;
  Weights moved = fresh()->weights();  // other embeddings, which are no parameters
  for (float& x : moved.at("embeddings.position_embeddings.weight").values) x += 1;
  Classifier elsewhere(fresh()->config(), fresh()->vocabulary(), {}, std::move(moved),
                       std::make_shared<WordPiece>(bert_.pieces));
  expect_error(ErrorKind::kUsage, [&] { train(elsewhere, texts_, with_checkpoint(true), {}); });
  config_.precision = Precision::kFp32;  // what chooses the best epoch
  refused(with_checkpoint(true));
  config_.precision = Precision::kBf16;
  EXPECT_NO_THROW(train(*fresh(), texts_, with_checkpoint(true), {}));
}

// Progressively larger noise: a model begins where one of less noise ended.
TEST_F(BertTraining, StartsFromAnotherModel) {
  config_.noise = "insert:sigma=0.1";
  config_.pool_all_slots = true;
  texts_ = tiny_texts(400);
  options_.epochs = 4;
  const auto first = fresh();
  train(*first, texts_, options_, {});
  config_.noise = "insert:sigma=0.3";
  const auto second = fresh(2);
  second->start_from(*first);
  const Weights expected = first->weights();
  EXPECT_TRUE(second->weights() == expected);
  EXPECT_EQ(second->config().noise, "insert:sigma=0.3");
  EXPECT_LT(first_loss(*second), 0.75 * first_loss(*fresh(2)));
  // The first is left alone.
  EXPECT_TRUE(first->weights() == expected);
}

// Words beyond the vocabulary are read, learnt from, and part of the run.
TEST_F(BertTraining, LearnsFromTheTextsOwnWords) {
  const WordId beyond = fresh()->vocabulary().size();
  const auto with_own = [&](const std::string& word) {
    auto texts = tiny_texts(160);
    for (EncodedText& text : texts) {
      text.own = {word};
      text.words.push_back(beyond);
    }
    return texts;
  };
  const auto trained = [&](const TrainOptions& options) {
    const auto classifier = fresh();
    train(*classifier, texts_, options, {});
    return weights(*classifier);
  };
  texts_ = with_own("story");  // as if the vocabulary held it
  const std::string expected = trained(options_);
  const WordId held = fresh()->vocabulary().id("story");
  for (EncodedText& text : texts_) {
    text.own.clear();
    text.words.back() = held;
  }
  EXPECT_TRUE(trained(options_) == expected);
  texts_ = with_own("unseen");
  EXPECT_FALSE(trained(options_) == expected);

  texts_ = with_own("story");
  std::atomic<bool> stop = false;
  const auto stopped = fresh();
  expect_error(ErrorKind::kInterrupted, [&] {
    train(
        *stopped, texts_, with_checkpoint(false), [&](const auto& p) { stop = p.batch == 3; },
        StopToken(stop));
  });
  texts_ = with_own("unseen");
  const auto other = fresh();
  expect_error(ErrorKind::kUsage, [&] { train(*other, texts_, with_checkpoint(true), {}); });
  texts_ = with_own("story");
  EXPECT_TRUE(trained(with_checkpoint(true)) == expected);
}

TEST_F(BertTraining, ThreadsOfTheLoaderDoNotMatterAndTheSeedDoes) {
  options_.epochs = 1;
  const auto trained = [&](const TrainOptions& options) {
    const auto classifier = fresh();
    train(*classifier, texts_, options, {});
    return weights(*classifier);
  };
  const std::string expected = trained(options_);
  TrainOptions other = options_;
  other.loader_threads = 3;
  EXPECT_TRUE(trained(other) == expected);
  other.seed = 2;
  EXPECT_FALSE(trained(other) == expected);
}

}  // namespace
}  // namespace textcrs
