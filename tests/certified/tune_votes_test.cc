// The choice of a setting on a tiny task.
#include "textcrs/certified/tune_votes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// w0, w1 and w2 make the class, three times each; the other words say nothing.
std::vector<EncodedText> word_task(uint32_t count) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(78, i, 0);
    const int label = static_cast<int>(stream.below(3));
    std::vector<WordId> words(3, kFirstWord + label);
    for (uint32_t rest = stream.below(8); rest > 0; --rest)
      words.push_back(static_cast<WordId>(kFirstWord + 3 + stream.below(17)));
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

void expect_same(const std::vector<VoteTrial>& found, const std::vector<VoteTrial>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].setting, expected[i].setting);
    EXPECT_EQ(found[i].certified, expected[i].certified);
  }
}

class TuneVotes : public testing::Test {
 protected:
  TuneVotes() {
    ModelConfig config = small_config("votes");
    config.noise = kNoNoise;
    classifier_ = Classifier::fresh(config, Vocabulary(small_words()));
    options_.training.epochs = 3;
    options_.training.batch_size = 32;
    options_.training.learning_rate = 0.05;
    options_.held_out = 0.2;
    options_.most_edits = 4;
    options_.threads = 1;
  }

  std::vector<VoteTrial> tune(const std::function<void(const TuneProgress&)>& report = {},
                              StopToken stop = {}) const {
    return tune_votes(*classifier_, texts_, settings_, options_, report, stop);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::vector<EncodedText> texts_ = word_task(300);
  std::vector<VoteSetting> settings_ = {{1, 5}, {6, 5}, {0, 20}, {1.5, 10}};
  TuneOptions options_;
};

TEST_F(TuneVotes, TriesTheSettingsInTheirOrder) {
  const Weights before = classifier_->weights();
  std::vector<size_t> done;
  const std::vector<VoteTrial> trials = tune([&](const TuneProgress& progress) {
    EXPECT_EQ(progress.settings, 4u);
    done.push_back(progress.done);
  });
  EXPECT_EQ(done, (std::vector<size_t>{1, 2, 3, 4}));
  EXPECT_EQ(classifier_->weights(), before);
  ASSERT_EQ(trials.size(), settings_.size());
  for (size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(trials[i].setting, settings_[i]);
    ASSERT_EQ(trials[i].certified.size(), 5u);
    EXPECT_LE(trials[i].certified[0], 1);
    for (size_t edits = 1; edits < 5; ++edits)
      EXPECT_LE(trials[i].certified[edits], trials[i].certified[edits - 1]);
  }
  EXPECT_GT(trials[0].certified[0], 0.9);
  EXPECT_GT(trials[0].certified[1], 0.5);
}

TEST_F(TuneVotes, ThreadsDoNotMatter) {
  const std::vector<VoteTrial> alone = tune();
  options_.threads = 3;
  expect_same(tune(), alone);
}

TEST_F(TuneVotes, AnInterruptedRunGoesOn) {
  const std::vector<VoteTrial> whole = tune();
  options_.file = folder_.path() / "deep" / "trials.json";
  std::atomic<bool> stop = false;
  expect_error(ErrorKind::kInterrupted, [&] {
    tune([&](const TuneProgress& progress) { stop = progress.done == 2; }, StopToken(stop));
  });
  std::vector<size_t> done;
  std::atomic<bool> never = false;
  const auto trials =
      tune([&](const TuneProgress& progress) { done.push_back(progress.done); }, StopToken(never));
  EXPECT_EQ(done, (std::vector<size_t>{1, 2, 3, 4}));
  expect_same(trials, whole);
  // All of them are known now: nothing is trained, and a stop comes too late.
  stop = true;
  expect_same(tune({}, StopToken(stop)), whole);
}

TEST_F(TuneVotes, TheFileOfAnotherRunIsRefused) {
  options_.file = folder_.path() / "trials.json";
  const TuneOptions options = options_;
  settings_ = {{1, 5}};
  tune();
  const auto refused = [&](const char* what) {
    SCOPED_TRACE(what);
    EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { tune(); }),
                HasSubstr("trials.json: belongs to another run"));
    options_ = options;
  };
  options_.training.seed = 2;
  refused("seed");
  options_.training.epochs = 2;
  refused("epochs");
  options_.held_out = 0.1;
  refused("held out");
  options_.most_edits = 5;
  refused("the end of the curve");
  options_.training.votes.dimension = 4;
  options_.training.votes.word_vectors.resize(23 * 4, 1.0F);
  refused("word vectors");
  std::swap(texts_[0].words, texts_[1].words);
  refused("texts");
  texts_ = word_task(300);
  const std::string whole = read_file(options_.file);
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string content = whole;
    ASSERT_NE(content.find(from), std::string::npos) << from;
    write_file_atomically(options_.file, content.replace(content.find(from), from.size(), to));
    EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { tune(); }), HasSubstr("trials.json"));
  };
  damaged(whole, "{}");
  damaged("\"temperature\": 5.0", "\"temperature\": \"5\"");
  damaged("\"temperature\": 5.0", "\"temperature\": 1e999");
  damaged("\"temperature\": 5.0", "\"temperature\": " + std::string(100000, '['));
  damaged("\"certified\": [", "\"certified\": [0.5,");  // one point too many
  damaged("\"certified\": [", "\"certified\": [true,");
  damaged("\"trials\": [", "\"trials\": [3,");
}

TEST_F(TuneVotes, NeedsTextsToHoldOut) {
  texts_.resize(2);
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { tune(); }),
              HasSubstr("2 texts are too few to hold some out"));
}

TEST(VoteTrials, TheBestHasTheLargestArea) {
  const std::vector<VoteTrial> trials = {
      {{1, 5}, {0.9, 0.5}}, {{2, 5}, {0.8, 0.7}}, {{3, 5}, {0.7, 0.8}}};
  EXPECT_DOUBLE_EQ(trials[0].area(), 0.7);
  EXPECT_EQ(best_of(trials).setting, (VoteSetting{2, 5}));  // of equals the first
}

TEST(VoteTrials, TheFrontierIsWhatNoOtherBeats) {
  const std::vector<VoteTrial> trials = {{{1, 5}, {0.9, 0.5}},
                                         {{2, 5}, {0.8, 0.7}},
                                         {{3, 5}, {0.8, 0.6}},   // the second beats it
                                         {{4, 5}, {0.8, 0.7}}};  // as good as the second
  const bool expected[] = {true, true, false, true};
  for (size_t i = 0; i < trials.size(); ++i)
    EXPECT_EQ(is_on_frontier(trials[i], trials), expected[i]) << i;
}

TEST(VoteTrials, ShortTextsAreNotTrainedForManyEdits) {
  const auto most = [](int words) {
    double edits = 0;
    for (const VoteSetting& setting : settings_to_try(words))
      edits = std::max(edits, setting.edits);
    return edits;
  };
  EXPECT_EQ(most(0), 1);
  EXPECT_EQ(most(8), 1);
  EXPECT_EQ(most(16), 2);
  EXPECT_EQ(most(200), 6);
}

}  // namespace
}  // namespace textcrs
