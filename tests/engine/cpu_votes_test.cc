// Scores of words, added up: exact sums, and votes that do not ask for an order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/draw_copies.h"
#include "model/expect_error.h"
#include "model/small_model.h"
#include "model/vote_table.h"
#include "model/vote_windows.h"

namespace textcrs {
namespace {

class CpuVotes : public testing::TestWithParam<int> {  // the number of classes
 protected:
  CpuVotes() {
    ModelConfig config = small_config("linear");
    config.classes.clear();
    for (int c = 0; c < GetParam(); ++c) config.classes.push_back(std::to_string(c));
    classifier_ = small_votes(config);
  }

  std::vector<double> sums_of(const Words& copy) const {
    const auto classes = static_cast<size_t>(GetParam());
    const std::vector<float>& bias = classifier_->weights().at("bias").values;
    std::vector<double> sums(bias.begin(), bias.end());
    for (const WordId word : copy)
      for (size_t c = 0; c < classes; ++c)
        sums[c] +=
            classifier_->weights().at("scores").values[static_cast<size_t>(word) * classes + c];
    return sums;
  }

  std::unique_ptr<Classifier> classifier_;
};

TEST_P(CpuVotes, AddsTheRowsOfAllWords) {
  const CopyBatch batch = random_copies(200, 40, 3);
  const std::vector<double> scores = make_cpu_engine(*classifier_)->scores(batch);
  std::vector<double> expected;
  for (const Words& copy : batch.copies)
    for (const double sum : sums_of(copy)) expected.push_back(sum);
  EXPECT_EQ(scores, expected);
}

TEST_P(CpuVotes, VotesAreThoseOfTheCopiesInTheirOrder) {
  Words text;
  for (int i = 0; i < 300; ++i) text.push_back(3 + i * 7 % 20);
  for (const std::string spec :
       {"none", "delete:p=0.5", "universal:p=0.9", "reorder:full", "reorder:block=4",
        "reorder:groups=4", "reorder:block=3,order=sorted", "mask:p=0.5",
        "hash:buckets=3,functions=4"}) {
    const auto noise = make_noise(spec, {&classifier_->vocabulary(), nullptr, 12});
    const TextSamples samples{text, {5, 2, 60, 460}};
    CopyBatch batch;
    SampleList({&samples, 1}, *noise).draw(0, 400, batch);
    std::vector<int64_t> expected(static_cast<size_t>(GetParam()));
    for (const Words& copy : batch.copies) {
      const std::vector<double> sums = sums_of(copy);
      ++expected[static_cast<size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())];
    }
    EXPECT_EQ(make_cpu_engine(*classifier_, {.threads = 3})->votes(text, *noise, samples.range),
              expected)
        << spec;
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, CpuVotes, testing::Values(1, 2, 3, 4, 5, 9));

// Windows as rows by the hash of their words, written down once more.
std::vector<double> sums_with(const Classifier& classifier, const Words& copy) {
  const size_t classes = classifier.config().classes.size();
  const auto add = [&](const char* name, size_t row, std::vector<double>& sums) {
    for (size_t c = 0; c < classes; ++c)
      sums[c] += classifier.weights().at(name).values[row * classes + c];
  };
  const VoteShape& shape = classifier.config().votes;
  std::vector<double> sums(classes);
  add("bias", 0, sums);
  for (size_t i = 0; i < copy.size(); ++i) {
    const bool repeated = std::find(copy.begin(), copy.begin() + static_cast<ptrdiff_t>(i),
                                    copy[i]) != copy.begin() + static_cast<ptrdiff_t>(i);
    if (!(shape.presence && repeated)) add("scores", static_cast<size_t>(copy[i]), sums);
    const auto rows = static_cast<size_t>(shape.window_rows);
    if (shape.windows >= 2 && i + 2 <= copy.size())
      add("windows.2", window_row(std::span(copy).subspan(i, 2), rows), sums);
    if (shape.windows >= 3 && i + 3 <= copy.size())
      add("windows.3", window_row(std::span(copy).subspan(i, 3), rows), sums);
  }
  return sums;
}

TEST(CpuVotesShapes, WindowsAndPresenceAreAddedUp) {
  for (const VoteShape& shape :
       {VoteShape{.windows = 2, .window_rows = 100}, VoteShape{.windows = 3, .window_rows = 7},
        VoteShape{.presence = true}}) {
    ModelConfig config = small_config("votes");
    config.votes = shape;
    const auto classifier = small_votes(config);
    const CopyBatch batch = random_copies(200, 40, 3);
    std::vector<double> expected;
    for (const Words& copy : batch.copies)
      for (const double sum : sums_with(*classifier, copy)) expected.push_back(sum);
    EXPECT_EQ(make_cpu_engine(*classifier)->scores(batch), expected);

    Words text;
    for (int i = 0; i < 60; ++i) text.push_back(3 + i * 7 % 20);
    for (const std::string spec : {"none", "delete:p=0.5", "universal:p=0.9", "reorder:full"}) {
      const auto noise = make_noise(spec, {&classifier->vocabulary(), nullptr, 12});
      const TextSamples samples{text, {5, 2, 60, 460}};
      CopyBatch copies;
      SampleList({&samples, 1}, *noise).draw(0, 400, copies);
      std::vector<int64_t> votes(3);
      for (const Words& copy : copies.copies) {
        const std::vector<double> sums = sums_with(*classifier, copy);
        ++votes[static_cast<size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())];
      }
      EXPECT_EQ(make_cpu_engine(*classifier, {.threads = 3})->votes(text, *noise, samples.range),
                votes)
          << spec;
    }
  }
}

TEST(CpuVotesTable, TheLargestSumsAreExact) {
  ModelConfig config = small_config("linear");
  config.classes = {"a", "b"};
  const auto classifier = small_votes(config);
  Weights weights = classifier->weights();
  for (float& value : weights.at("scores").values) value = kLargestTableScore;
  weights.at("scores").values[2 * kFirstWord] = -kLargestTableScore;
  weights.at("bias").values = {1, -1};
  classifier->assign(weights);
  CopyBatch batch;
  batch.copies = {Words(1 << 20, kFirstWord)};
  EXPECT_EQ(make_cpu_engine(*classifier)->scores(batch),
            (std::vector<double>{1 - 0x1p49, 0x1p49 - 1}));
}

TEST(CpuVotesTable, MustBeWholeNumbers) {
  const auto classifier = small_votes(small_config("linear"));
  Weights weights = classifier->weights();
  weights.at("scores").values[30] = 0.5F;
  classifier->assign(weights);
  EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { make_cpu_engine(*classifier); }),
              testing::HasSubstr("the model's scores: found 0.5, expected whole numbers"));
}

}  // namespace
}  // namespace textcrs
