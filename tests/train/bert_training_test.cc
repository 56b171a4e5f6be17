// Training a BERT: that it learns, what it leaves as it was, and that it can be stopped.
#include <gtest/gtest.h>

#include "model/expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/noise/noise.h"
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
    options_ = TrainOptions::recommended("bert");
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
  static std::map<std::string, at::Tensor> all_tensors(const Classifier& classifier) {
    const Network& network = classifier.network();
    std::map<std::string, at::Tensor> all = network.parameters();
    all.insert(network.frozen().begin(), network.frozen().end());
    all[kPieceEmbedding] = network.vectors();
    for (auto& [name, tensor] : all) tensor = tensor.detach().clone();
    return all;
  }
  // Whose tensors changed by as much as one bit when it was trained.
  std::vector<std::string> changed(Classifier& classifier) const {
    const auto before = all_tensors(classifier);
    train(classifier, texts_, options_, {});
    std::vector<std::string> names;
    for (const auto& [name, tensor] : all_tensors(classifier))
      if (!tensor.equal(before.at(name))) names.push_back(name);
    return names;
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
    EXPECT_GT(result.best_validation_accuracy, 0.95);
    const auto noise = make_noise(spec, {nullptr, nullptr, config_.slots});
    EXPECT_GT(smoothed_accuracy(*classifier, *noise, unseen, 8, 5, 1), 0.95);
    EXPECT_LT(smoothed_accuracy(*fresh(), *noise, unseen, 8, 5, 1), 0.8);
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
    std::vector<std::string> expected;
    for (const auto& [name, parameter] : classifier->network().parameters()) {
      int layer = -1;
      sscanf(name.c_str(), "encoder.layer.%d.", &layer);
      if (layer == -1 || layer >= frozen) expected.push_back(name);
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
          [&](const auto&) { stop = seen++ == last || stop; }, &stop);
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
        &stop);
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
  const auto moved = fresh();  // other embeddings, which are no parameters
  at::Tensor(moved->network().frozen().at("embeddings.position_embeddings.weight")).add_(1);
  expect_error(ErrorKind::kUsage, [&] { train(*moved, texts_, with_checkpoint(true), {}); });
  config_.precision = Precision::kFp32;  // what chooses the best epoch
  refused(with_checkpoint(true));
  config_.precision = Precision::kBf16;
  EXPECT_NO_THROW(train(*fresh(), texts_, with_checkpoint(true), {}));
}

// The layers that inference keeps ready are those of the parameters as they are now.
TEST_F(BertTraining, InferenceFollowsEveryStep) {
  const auto classifier = fresh();
  CopyBatch batch;
  for (const EncodedText& text : tiny_texts(5)) batch.copies.push_back(text.words);
  const auto logits = [&](const Classifier& of) {
    const at::NoGradGuard no_grad;
    return of.network().forward(batch, nullptr);
  };
  at::Tensor last = logits(*classifier);
  int steps = 0;
  train(*classifier, texts_, options_, [&](const auto&) {
    const at::Tensor now = logits(*classifier);
    classifier->save(folder_.path() / "now");
    ASSERT_TRUE(now.equal(logits(*Classifier::load(folder_.path() / "now", "cpu")))) << steps;
    ++steps;
  });
  EXPECT_EQ(steps, 18);
  EXPECT_FALSE(logits(*classifier).equal(last));
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
  const auto expected = all_tensors(*first);
  for (const auto& [name, tensor] : all_tensors(*second))
    EXPECT_TRUE(tensor.equal(expected.at(name))) << name;
  EXPECT_EQ(second->config().noise, "insert:sigma=0.3");
  EXPECT_LT(first_loss(*second), 0.5 * first_loss(*fresh(2)));
  // The first is left alone.
  for (const auto& [name, tensor] : all_tensors(*first))
    EXPECT_TRUE(tensor.equal(expected.at(name))) << name;
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
