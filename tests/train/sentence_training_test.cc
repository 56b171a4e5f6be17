// Training sentences that vote: that it learns, is keyed, and can be stopped anywhere.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/sentence_votes.h"
#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/scratch_home.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/sentences.h"
#include "textcrs/torch/backend.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/batches.h"
#include "train/sentence_texts.h"
#include "train/tiny_task.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

// Up to five sentences of up to five words; one at least begins with w0 (class 0) or w1 (class 1).
// Every tenth text has no sentence, and belongs to class 0.
std::vector<EncodedText> sentence_task(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(79, i, 0);
    const bool is_empty = i % 10 == 9;
    const int label = is_empty ? 0 : static_cast<int>(stream.below(2));
    EncodedText text{i, {}, label, {}, std::vector<uint32_t>()};
    const uint32_t sentences = is_empty ? 0 : 1 + stream.below(5);
    for (uint32_t s = 0; s < sentences; ++s) {
      if (s == 0 || stream.below(2) == 0) text.words.push_back(kFirstWord + label);
      for (uint32_t rest = stream.below(5); rest > 0; --rest)
        text.words.push_back(static_cast<WordId>(kFirstWord + 2 + stream.below(9)));
      text.sentence_ends->push_back(static_cast<uint32_t>(text.words.size()));
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

class SentenceTraining : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  SentenceTraining() {
    config_ = GetParam() == "bert" ? TinyBert().config() : small_config(GetParam());
    config_.classes = {"zero", "one"};
    config_.units = Units::kSentences;
    config_.noise = "none";
    config_.input_dropout = GetParam() == "bert" ? 0 : 0.1;
    options_.votes = VoteOptions::for_sentences();
    options_.epochs = 3;
    options_.batch_size = 16;
    options_.learning_rate = 2e-2;
    options_.validation_share = 0.2;
    options_.threads = 1;
  }
  std::unique_ptr<Classifier> fresh() const {
    return GetParam() == "bert" ? tiny_classifier(TinyBert(), config_, folder_.path())
                                : small_classifier(folder_.path(), config_);
  }
  Weights trained(const TrainOptions& options) const {
    const auto classifier = fresh();
    train(*classifier, texts_, options, {});
    return classifier->weights();
  }
  TrainOptions with_checkpoint(bool resume) const {
    TrainOptions options = options_;
    options.checkpoint = folder_.path() / "checkpoint";
    options.resume = resume;
    return options;
  }

  TemporaryFolder folder_;
  ModelConfig config_;
  TrainOptions options_;
  std::vector<EncodedText> texts_ = sentence_task(160);
};

TEST_P(SentenceTraining, Learns) {
  texts_ = sentence_task(400);
  options_.epochs = 6;
  const auto classifier = fresh();
  const TrainResult result = train(*classifier, texts_, options_, {});
  EXPECT_GT(result.validation_accuracy, 0.9);
}

// The accuracy is that of the sums of the votes, one text at a time.
TEST_P(SentenceTraining, TheAccuracyIsThatOfTheSummedVotes) {
  const auto classifier = fresh();
  train(*classifier, texts_, options_, {});
  const auto engine =
      make_cpu_engine(*classifier, {.threads = 2, .precision = classifier->config().precision});
  const auto noise = make_noise("none");
  const std::vector<int> answers = smoothed_answers(*engine, *noise, texts_, 1, 1);
  ASSERT_EQ(answers.size(), texts_.size());
  size_t right = 0;
  for (size_t t = 0; t < texts_.size(); ++t) {
    int64_t lead = 0;  // of class 1
    for (size_t s = 0; s < texts_[t].sentence_ends->size(); ++s) {
      const Text sentence = texts_[t].sentence(s);
      CopyBatch one{{{sentence.begin(), sentence.end()}}, 0, {}, {sentence.own}};
      const auto votes = sentence_votes(engine->scores(one), 2);
      lead += votes[1] - votes[0];
    }
    EXPECT_EQ(answers[t], lead > 0 ? 1 : 0);
    right += answers[t] == texts_[t].label;
  }
  EXPECT_EQ(smoothed_accuracy(*engine, *noise, texts_, 1, 1),
            static_cast<double>(right) / static_cast<double>(texts_.size()));
  EXPECT_THROW(smoothed_answers(*engine, *make_noise("delete:p=0.5"), texts_, 1, 1),
               std::logic_error);
}

TEST_P(SentenceTraining, ThreadsDoNotDecideTheWeightsButEditsAndTemperatureDo) {
  const Weights expected = trained(options_);
  TrainOptions other = options_;
  other.loader_threads = 3;
  EXPECT_TRUE(trained(other) == expected);
  other.votes.edits = 2;
  EXPECT_FALSE(trained(other) == expected);
  other = options_;
  other.votes.temperature = 0.5;
  EXPECT_FALSE(trained(other) == expected);
}

TEST_P(SentenceTraining, ResumedIsAsUninterrupted) {
  const Weights expected = trained(options_);
  for (const int64_t stop_at : {1, 9, 14}) {
    SCOPED_TRACE(stop_at);
    std::atomic<bool> stop = false;
    int64_t reports = 0;
    const auto classifier = fresh();
    expect_error(ErrorKind::kInterrupted, [&] {
      train(
          *classifier, texts_, with_checkpoint(false),
          [&](const auto&) { stop = ++reports >= stop_at; }, StopToken(stop));
    });
    EXPECT_TRUE(trained(with_checkpoint(true)) == expected);
  }
}

TEST_P(SentenceTraining, ACheckpointOfOtherUnitsIsRefused) {
  train(*fresh(), texts_, with_checkpoint(false), {});
  config_.units = Units::kWords;
  for (EncodedText& text : texts_) text.sentence_ends.reset();
  expect_error(ErrorKind::kUsage, [&] { trained(with_checkpoint(true)); });
}

TEST_P(SentenceTraining, PartsAreTheSameStep) {
  config_.dropout = config_.input_dropout = 0;
  const auto step = [&](int parts) {
    const auto classifier = fresh();
    const auto learner = torch_backend().learner(
        *classifier, {.threads = 1, .accumulate = parts, .edits = 2, .temperature = 0.7});
    std::vector<size_t> all(20);
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    const LabelledBatch batch = noisy_batch(texts_, all, *make_noise("none"), 1, 0);
    EXPECT_EQ(batch.sentences.size(), 20u);
    const double loss = learner->step(batch, 0, 1e-3);
    return std::pair(loss, learner->moments());
  };
  const auto [loss, moments] = step(1);
  for (const int parts : {3, 20}) {
    const auto [summed, found] = step(parts);
    EXPECT_NEAR(summed, loss, 1e-5);
    for (const auto& [name, tensor] : moments)
      for (size_t i = 0; i < tensor.values.size(); ++i)
        ASSERT_NEAR(found.at(name).values[i], tensor.values[i], 1e-6) << name;
  }
}

TEST_P(SentenceTraining, TextsWithoutAnySentenceTeachNothing) {
  texts_ = {{0, {}, 0, {}, std::vector<uint32_t>()}, {1, {}, 1, {}, std::vector<uint32_t>()}};
  const auto classifier = fresh();
  const Weights before = classifier->weights();
  const auto learner = torch_backend().learner(*classifier, {.threads = 1});
  const LabelledBatch batch = noisy_batch(texts_, {0, 1}, *make_noise("none"), 1, 0);
  EXPECT_NEAR(learner->step(batch, 0, 1e-3), std::log(1 + std::exp(1)), 1e-6);
  for (const auto& [name, tensor] : learner->parameters()) EXPECT_EQ(tensor, before.at(name));
  const auto engine = make_cpu_engine(*classifier);
  EXPECT_EQ(sentence_answers(*engine, texts_), (std::vector<int>{0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Models, SentenceTraining, testing::Values("bilstm", "cnn", "bert"));

TEST(PrepareSentences, EverySentenceIsReadAlone) {
  const ScratchHome home;
  PrepareOptions options;
  options.model.hidden = 5;
  options.model.slots = 12;
  options.model.units = Units::kSentences;
  options.vectors = home.write("vectors.txt", "good 1 0 0\nfilm 0 1 0\nbad 0 0 1\n");
  const Dataset dataset = {"reviews",
                           {"negative", "positive"},
                           {{7, "Good film. Not bad!", 1}, {9, " ", 0}, {12, "bad film, bad", 0}}};
  const PreparedClassifier prepared = prepare_classifier(dataset, options);
  const Classifier& classifier = *prepared.classifier;
  EXPECT_EQ(classifier.config().units, Units::kSentences);
  ASSERT_EQ(prepared.texts.size(), 3u);
  const std::vector<size_t> sentence_counts = {2, 0, 1};
  for (size_t t = 0; t < 3; ++t) {
    const auto parts = sentences(dataset.examples[t].text);
    ASSERT_EQ(parts.size(), sentence_counts[t]);
    ASSERT_EQ(prepared.texts[t].sentence_ends->size(), parts.size());
    for (size_t s = 0; s < parts.size(); ++s) {
      const Text sentence = prepared.texts[t].sentence(s);
      EXPECT_EQ(Words(sentence.begin(), sentence.end()),
                classifier.vocabulary().encode(classifier.words(parts[s])));
    }
  }
  options.model.noise = "delete:p=0.3";
  expect_error(ErrorKind::kUsage, [&] { prepare_classifier(dataset, options); });
}

}  // namespace
}  // namespace textcrs
