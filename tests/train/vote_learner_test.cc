// Learning votes: the network's way back by finite differences, and whole runs.
#include "train/vote_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/vote_loss.h"
#include "train/vote_network.h"

namespace textcrs {
namespace {

constexpr size_t kClasses = 3, kRows = 5;

TEST(VoteNetwork, TheWayBackIsThatOfFiniteDifferences) {
  std::vector<float> vectors(kRows * 4);
  Stream(9, 0, 0).normals(vectors);
  VoteNetwork network({kRows, 3, 4}, kClasses, vectors, 4, 3, 1);
  Stream stream(10, 0, 0);
  for (auto& [name, tensor] : network.parameters()) {
    std::vector<float> values(tensor.values.size());
    stream.normals(values);
    for (size_t i = 0; i < values.size(); ++i) tensor.values[i] = 0.5F * values[i];
  }
  for (float& cap : network.values(VoteNetwork::kCaps)) cap = 5;  // out of reach: no leak
  const std::vector<uint32_t> rows = {0, 1, 3, 4, 5, 7, 8, 11};   // words, windows of 2, of 3
  std::vector<float> weights(rows.size() * kClasses);
  stream.normals(weights);
  const auto value = [&] {
    VoteForward now;
    network.forward(rows, now);
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * now.scores[i];
    return sum;
  };
  Weights gradient = network.parameters();
  for (auto& [name, tensor] : gradient) std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  VoteForward now;
  network.forward(rows, now);
  network.backward(now, weights, gradient);
  for (auto& [name, tensor] : network.parameters())
    for (size_t i = 0; i < tensor.values.size(); ++i) {
      constexpr float kStep = 1e-3F;
      const float before = tensor.values[i];
      tensor.values[i] = before + kStep;
      const double up = value();
      tensor.values[i] = before - kStep;
      const double down = value();
      tensor.values[i] = before;
      EXPECT_NEAR(gradient.at(name).values[i], (up - down) / (2 * kStep), 0.02) << name << " " << i;
    }
}

TEST(VoteNetwork, ScoresLieBetweenZeroAndTheCapsOfTheirKind) {
  std::vector<float> vectors(kRows * 4, 1.0F);
  VoteNetwork network({kRows, 3, 4}, kClasses, vectors, 4, 3, 1);
  Stream(11, 0, 0).normals(network.values(VoteNetwork::kFree));
  for (float& free : network.values(VoteNetwork::kFree)) free *= 5;  // most reach their cap
  const auto caps = network.values(VoteNetwork::kCaps);
  for (size_t kind = 0; kind < 3; ++kind)
    for (size_t c = 0; c < kClasses; ++c)
      caps[kind * kClasses + c] = 0.5F / static_cast<float>(1 + kind + c);
  VoteForward now;
  network.forward({0, 2, 4, 5, 7, 8, 11}, now);
  const size_t kinds[] = {0, 0, 0, 1, 1, 2, 2};
  for (size_t i = 0; i < std::size(kinds); ++i) {
    const std::span<const float> row(now.scores.data() + i * kClasses, kClasses);
    EXPECT_EQ(*std::min_element(row.begin(), row.end()), 0);
    for (size_t c = 0; c < kClasses; ++c)
      EXPECT_LE(row[c], caps[kinds[i] * kClasses + c]) << i << " " << c;
  }
}

// w0 makes it class 0, w1 class 1, w2 class 2; the other words say nothing.
std::vector<EncodedText> word_task(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(78, i, 0);
    const int label = static_cast<int>(stream.below(3));
    Words words(3, kFirstWord + label);
    for (uint32_t rest = stream.below(8); rest > 0; --rest)
      words.push_back(static_cast<WordId>(kFirstWord + 3 + stream.below(17)));
    stream.shuffle(std::span(words));
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

// The same words in three orders: w0 before w1, after it, or beside themselves.
std::vector<EncodedText> order_task(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(79, i, 0);
    const int label = static_cast<int>(stream.below(3));
    const WordId first = kFirstWord, second = kFirstWord + 1;
    const Words blocks[] = {{first, second, first, second},
                            {second, first, second, first},
                            {first, first, second, second}};
    Words words;
    for (int block = 0; block < 3; ++block) {
      words.insert(words.end(), blocks[label].begin(), blocks[label].end());
      words.push_back(static_cast<WordId>(kFirstWord + 3 + stream.below(17)));
    }
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

class VoteTraining : public testing::Test {
 protected:
  double accuracy(const std::vector<EncodedText>& texts) const {
    return smoothed_accuracy(*make_cpu_engine(*classifier_), *make_noise(kNoNoise), texts, 1, 1);
  }

  VoteTraining() {
    ModelConfig config = small_config("votes");
    config.noise = kNoNoise;
    classifier_ = Classifier::fresh(config, Vocabulary(small_words()));
    options_.epochs = 6;
    options_.batch_size = 32;
    options_.learning_rate = 0.05;
    options_.validation_share = 0;
    options_.votes.edits = 1;  // of three words that decide
    options_.votes.temperature = 5;
    options_.votes.word_vectors.resize(23 * 4);
    Stream(12, 0, 0).normals(options_.votes.word_vectors);
    options_.votes.dimension = 4;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  TrainOptions options_;
};

TEST_F(VoteTraining, LearnsWholeNumbersWithoutLibTorch) {
  const auto texts = word_task(600);
  train(*classifier_, texts, options_, nullptr);
  const std::vector<float>& scores = classifier_->weights().at("scores").values;
  for (const float score : scores) EXPECT_EQ(score, std::floor(score));
  EXPECT_EQ(*std::max_element(scores.begin(), scores.end()), kLargestVote);
  EXPECT_EQ(*std::min_element(scores.begin(), scores.end()), 0);
  for (const WordId silent : {kPad, kMask})
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(scores[static_cast<size_t>(silent) * 3 + c], 0);
  EXPECT_EQ(accuracy(texts), 1);
}

TEST_F(VoteTraining, WordVectorsAreNotNeeded) {
  options_.votes.word_vectors.clear();
  options_.votes.dimension = 0;
  const auto texts = word_task(600);
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(accuracy(texts), 1);
}

TEST_F(VoteTraining, WindowsLearnAnOrder) {
  const auto texts = order_task(600);
  options_.votes.edits = 0.5;
  train(*classifier_, texts, options_, nullptr);
  EXPECT_LT(accuracy(texts), 0.6);  // the words are the same
  for (const int windows : {2, 3}) {
    ModelConfig config = small_config("votes");
    config.noise = kNoNoise;
    config.votes.windows = windows;
    config.votes.window_rows = 5000;
    classifier_ = Classifier::fresh(config, Vocabulary(small_words()));
    train(*classifier_, texts, options_, nullptr);
    EXPECT_EQ(accuracy(texts), 1) << windows;
    float largest = 0;
    for (const auto& [name, tensor] : classifier_->weights())
      for (const float score : tensor.values) {
        EXPECT_EQ(score, std::floor(score)) << name;
        if (name != "bias") largest = std::max(largest, score);
      }
    EXPECT_EQ(largest, kLargestVote);
  }
}

// One word of a class among many copies of a word of another.
TEST_F(VoteTraining, PresenceCountsAWordOnce) {
  ModelConfig config = small_config("votes");
  config.noise = kNoNoise;
  config.votes.presence = true;
  classifier_ = Classifier::fresh(config, Vocabulary(small_words()));
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < 600; ++i) {
    Stream stream(80, i, 0);
    const int label = static_cast<int>(stream.below(3));
    // Two words of the class against one of the next, which stands there more often.
    Words words = {kFirstWord + label, kFirstWord + 3 + label};
    words.resize(2 + 1 + stream.below(8), kFirstWord + (label + 1) % 3);
    stream.shuffle(std::span(words));
    texts.push_back({i, std::move(words), label});
  }
  options_.votes.edits = 0.5;
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(accuracy(texts), 1);
}

// w6 to w8 are candidates of w0 to w2 and in no text: what they mean is learnt from those.
TEST_F(VoteTraining, CandidatesLearnTheirWordsVotes) {
  const auto with_words = [](uint32_t count, WordId first) {
    std::vector<EncodedText> texts;
    for (uint32_t i = 0; i < count; ++i) {
      Stream stream(81, i, 0);
      const int label = static_cast<int>(stream.below(3));
      Words words(3, first + label);
      for (uint32_t rest = stream.below(8); rest > 0; --rest)
        words.push_back(static_cast<WordId>(kFirstWord + 9 + stream.below(11)));
      texts.push_back({i, std::move(words), label});
    }
    return texts;
  };
  const auto texts = with_words(600, kFirstWord), replaced = with_words(600, kFirstWord + 6);
  options_.votes.word_vectors.clear();
  options_.votes.dimension = 0;
  options_.votes.edits = 0;
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(accuracy(texts), 1);
  EXPECT_LT(accuracy(replaced), 0.6);
  std::vector<Words> lists(kFirstWord + 20);
  for (size_t label = 0; label < 3; ++label)
    lists[kFirstWord + label] = {static_cast<WordId>(kFirstWord + 6 + label)};
  classifier_ = Classifier::fresh(classifier_->config(), Vocabulary(small_words()),
                                  SynonymTable("lists", lists));
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(accuracy(texts), 1);
  EXPECT_EQ(accuracy(replaced), 1);
}

TEST_F(VoteTraining, ThreadsDoNotChangeTheScores) {
  const auto texts = word_task(300);
  const auto other = Classifier::fresh(classifier_->config(), Vocabulary(small_words()));
  train(*other, texts, options_, nullptr);
  options_.threads = 3;
  options_.loader_threads = 3;
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(classifier_->weights(), other->weights());
}

TEST_F(VoteTraining, ARunThatWasInterruptedEndsAsIfItWasNot) {
  const auto texts = word_task(300);
  const auto whole = Classifier::fresh(classifier_->config(), Vocabulary(small_words()));
  train(*whole, texts, options_, nullptr);
  options_.checkpoint = folder_.path() / "state";
  int steps = 0;
  std::atomic<bool> stop = false;
  const auto interrupt = [&](const TrainProgress&) { stop = ++steps == 17; };
  EXPECT_THROW(train(*classifier_, texts, options_, interrupt, StopToken(stop)), Error);
  options_.resume = true;
  train(*classifier_, texts, options_, nullptr);
  EXPECT_EQ(classifier_->weights(), whole->weights());
  options_.votes.edits = 3;  // another run
  EXPECT_THROW(train(*classifier_, texts, options_, nullptr), Error);
}

}  // namespace
}  // namespace textcrs
