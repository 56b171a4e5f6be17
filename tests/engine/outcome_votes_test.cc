// The votes over all outcomes of a finite noise: each outcome once, each by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "model/network.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

class OutcomeVotes : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  OutcomeVotes() {
    classifier_ = small_classifier(folder_.path(), small_config(std::get<0>(GetParam())), 2);
    noise_ = make_noise(std::get<1>(GetParam()), {&classifier_->vocabulary(), nullptr, 12});
    for (WordId word = 3; word < 23; ++word) text_.push_back(word);
    outcomes_ = *noise_->outcomes(text_);
  }
  Votes votes(const OutcomeRange& range, const EngineOptions& options = {1, 0}) const {
    return make_reference_engine(*classifier_, options)->outcome_votes(text_, *noise_, range);
  }
  // Without an engine: one outcome after the other.
  Votes votes_one_by_one(const OutcomeRange& range) const {
    Votes votes(classifier_->config().classes.size());
    for (uint64_t k = range.begin; k < range.end; ++k) {
      CopyBatch batch;
      noise_->outcome(text_, k, batch.copies.emplace_back());
      if (batch.copies[0].empty()) continue;
      ++votes[static_cast<size_t>(classifier_->classify(batch)[0])];
    }
    return votes;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Noise> noise_;
  Words text_;
  uint64_t outcomes_ = 0;
};

TEST_P(OutcomeVotes, AreTheClassifierOnEveryOutcome) {
  const Votes expected = votes_one_by_one({0, outcomes_});
  EXPECT_EQ(votes({0, outcomes_}), expected);
  if (std::get<1>(GetParam()).starts_with("hash"))
    EXPECT_GT(std::count_if(expected.begin(), expected.end(), [](int64_t n) { return n > 0; }), 1)
        << "the case is trivial";
  for (const OutcomeRange& range :
       {OutcomeRange{0, 0}, OutcomeRange{1, 2}, OutcomeRange{3, outcomes_ - 1}})
    EXPECT_EQ(votes(range), votes_one_by_one(range));
}

TEST_P(OutcomeVotes, DoNotDependOnThreadsOrBatchSize) {
  const Votes expected = votes({0, outcomes_});
  for (const int threads : {0, 1, 2, 5})
    for (const int batch_size : {0, 1, 7, 1000})
      EXPECT_EQ(votes({0, outcomes_}, {threads, batch_size}), expected)
          << threads << " " << batch_size;
}

TEST_P(OutcomeVotes, AddUpOverParts) {
  Votes sum = votes({0, 5});
  const Votes rest = votes({5, outcomes_});
  std::transform(sum.begin(), sum.end(), rest.begin(), sum.begin(), std::plus<>());
  EXPECT_EQ(sum, votes({0, outcomes_}));
}

INSTANTIATE_TEST_SUITE_P(Models, OutcomeVotes,
                         testing::Combine(testing::Values("bilstm", "cnn"),
                                          testing::Values("hash:buckets=30,functions=9",
                                                          "hash:buckets=3,functions=50",
                                                          "reorder:block=40,order=sorted")));

TEST(OutcomeVotesOfHash, AnEmptyPieceCastsNoVote) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const auto noise =
      make_noise("hash:buckets=30,functions=9", {&classifier->vocabulary(), nullptr, 12});
  const auto engine = make_reference_engine(*classifier);
  for (size_t words = 0; words < 3; ++words) {
    const Words text(words, 7);  // one distinct word: a piece a function
    const Votes found = engine->outcome_votes(text, *noise, {0, 270});
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), words > 0 ? 9 : 0);
  }
}

// A network whose answer is decided by the size of the batch: class min(size, 6).
class SizeTelling : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyBatch& batch, const TrainingStep*) const override {
    const auto size = static_cast<int64_t>(batch.copies.size());
    at::Tensor logits = at::zeros({size, 7});
    logits.select(1, std::min<int64_t>(size, 6)).fill_(1);
    return logits;
  }
};

TEST(OutcomeVotesOfHash, AVoteDependsOnItsPieceAlone) {
  ModelConfig config = small_config("bilstm");
  config.classes.assign(7, "class");
  const Classifier classifier(config, Vocabulary(small_words()), {},
                              std::make_unique<SizeTelling>(config, at::zeros({23, 6})));
  const auto noise =
      make_noise("hash:buckets=2,functions=200", {&classifier.vocabulary(), nullptr, 12});
  const Words text = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Votes found = make_reference_engine(classifier)->outcome_votes(text, *noise, {0, 400});
  EXPECT_GT(found[1], 390);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), found[1]);
}

TEST(OutcomeVotesOfHash, OnlyOutcomesThatThereAre) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const auto engine = make_reference_engine(*classifier);
  const auto hash =
      make_noise("hash:buckets=2,functions=2", {&classifier->vocabulary(), nullptr, 12});
  const Words text = {3, 4};
  EXPECT_THROW(engine->outcome_votes(text, *hash, {0, 5}), std::logic_error);
  EXPECT_THROW(engine->outcome_votes(text, *hash, {3, 2}), std::logic_error);
  EXPECT_THROW(engine->outcome_votes(text, *make_noise("delete:p=0.5"), {0, 1}), std::logic_error);
}

}  // namespace
}  // namespace textcrs
