// Samples of several texts as one list: each is drawn from its own stream, wherever it is cut.
#include "engine/draw_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

bool same_position(const Stream& a, const Stream& b) {
  const Stream::Position p = a.position(), q = b.position();
  return p.seed == q.seed && p.block == q.block && p.sample == q.sample && p.example == q.example &&
         p.lane == q.lane;
}

// Four texts with samples and one without. The ids from 6 on are the texts' own words, which have
// the same ids and other spellings in each.
class SampleLists : public testing::TestWithParam<std::string> {  // the noise
 protected:
  SampleLists() : noise_(make_noise(GetParam(), {&vocabulary_, nullptr, 7})) {
    samples_ = {{{texts_[0], own_[0]}, {.seed = 5, .example = 3, .begin = 10, .end = 25}},
                {{texts_[1], own_[1]},
                 {.seed = 5,
                  .example = 4,
                  .begin = 0,
                  .end = 9,
                  .words_lane = lane::kTrainingWords,
                  .gaussian_lane = lane::kTrainingGaussian}},
                {{texts_[0], own_[0]}, {.seed = 5, .example = 5, .begin = 8, .end = 8}},
                {{texts_[2]}, {.seed = 6, .example = 3, .begin = 10, .end = 11}},
                {{texts_[0], own_[0]},
                 {.seed = 5, .example = 3, .begin = 0xfffffff0u, .end = 0xffffffffu}}};
  }

  struct Sample {
    size_t text;
    uint32_t number;  // among all samples of that text, asked for or not
  };
  std::vector<Sample> by_hand() const {
    std::vector<Sample> list;
    for (size_t t = 0; t < samples_.size(); ++t)
      for (uint32_t s = samples_[t].range.begin; s < samples_[t].range.end; ++s)
        list.push_back({t, s});
    return list;
  }

  void expect_sample(const CopyBatch& batch, size_t i, const Sample& sample) const {
    const auto& [text, range] = samples_[sample.text];
    Stream words(range.seed, range.example, sample.number, range.words_lane);
    Words copy;
    noise_->sample(text, words, copy);
    EXPECT_EQ(batch.copies[i], copy);
    ASSERT_EQ(batch.own.size(), batch.copies.size());
    EXPECT_EQ(batch.own[i].data(), text.own.data());
    EXPECT_EQ(batch.own[i].size(), text.own.size());
    EXPECT_EQ(batch.sigma, noise_->sigma());
    ASSERT_EQ(batch.gaussians.size(), noise_->sigma() > 0 ? batch.copies.size() : 0);
    if (noise_->sigma() > 0) {
      EXPECT_TRUE(same_position(batch.gaussians[i], Stream(range.seed, range.example, sample.number,
                                                           range.gaussian_lane)));
    }
  }

  const Vocabulary vocabulary_{{"a", "b", "c"}, Vocabulary::Growth::kOpen};
  const std::vector<Words> texts_ = {{3, 6, 4, 7, 5}, {6, 3, 7, 8, 4, 4}, {}};
  const std::vector<std::vector<std::string>> own_ = {{"x", "y"}, {"z", "u", "v"}};
  std::vector<TextSamples> samples_;
  std::unique_ptr<Noise> noise_;
};

TEST_P(SampleLists, NumberTheSamplesOfOneTextAfterTheOther) {
  const SampleList list(samples_, *noise_);
  const auto expected = by_hand();
  ASSERT_EQ(list.size(), 15u + 9 + 0 + 1 + 15);
  ASSERT_EQ(list.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(list.text_of(i), expected[i].text) << i;
    EXPECT_EQ(samples_[list.text_of(i)].range.begin + (i - list.start_of(list.text_of(i))),
              expected[i].number)
        << i;
  }
}

TEST_P(SampleLists, DrawEverySampleFromItsStreamWhereverTheListIsCut) {
  const SampleList list(samples_, *noise_);
  const auto expected = by_hand();
  CopyBatch batch;  // used again and again
  for (uint64_t begin = 0; begin <= list.size(); ++begin)
    for (uint64_t end = begin; end <= list.size(); ++end) {
      list.draw(begin, end, batch);
      ASSERT_EQ(batch.copies.size(), end - begin);
      for (uint64_t i = begin; i < end; ++i) {
        SCOPED_TRACE(testing::Message() << begin << " " << end << " " << i);
        expect_sample(batch, i - begin, expected[i]);
      }
    }
}

TEST_P(SampleLists, InAnyOrderHaveTheSameWords) {
  CopyBatch copies, bags;
  const SampleList list(samples_, *noise_);
  list.draw(0, list.size(), copies);
  SampleList(samples_, *noise_, SampleList::Order::kAny).draw(0, list.size(), bags);
  for (CopyBatch* batch : {&copies, &bags})
    for (Words& copy : batch->copies) std::sort(copy.begin(), copy.end());
  EXPECT_EQ(copies.copies, bags.copies);
}

INSTANTIATE_TEST_SUITE_P(Noises, SampleLists,
                         testing::Values("none", "universal:p=0.3", "insert:sigma=0.5",
                                         "gaussian:sigma=0.5", "adapt:keep=2,order=shuffled",
                                         "reorder:block=2,order=sorted",
                                         "hash:buckets=3,functions=4"));

TEST(SampleListOfClosedWords, HasNoOwnWords) {
  const Words text = {3, 4};
  const std::vector<TextSamples> samples = {{text, {1, 0, 0, 3}}, {text, {1, 1, 0, 3}}};
  CopyBatch batch;
  batch.own.resize(9);  // of a batch before
  SampleList(samples, *make_noise("none")).draw(0, 6, batch);
  EXPECT_TRUE(batch.own.empty());
}

TEST(SampleListOfNothing, IsEmpty) {
  const auto noise = make_noise("none");
  const SampleList list({}, *noise);
  EXPECT_EQ(list.size(), 0u);
  CopyBatch batch;
  batch.copies = {{3}};
  list.draw(0, 0, batch);
  EXPECT_TRUE(batch.copies.empty());
}

// Training and certification often have a seed and the numbers of texts in common.
TEST(Lanes, TrainingAndCertificationAndEvaluationShareNoStream) {
  const Words text = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  const auto noise = make_noise("reorder:full");
  const auto gaussian = make_noise("insert:sigma=0.5", {nullptr, nullptr, 4});
  const std::vector<std::pair<uint32_t, uint32_t>> uses = {
      {lane::kWords, lane::kGaussian},
      {lane::kTrainingWords, lane::kTrainingGaussian},
      {lane::kEvaluationWords, lane::kEvaluationGaussian}};
  std::set<std::vector<WordId>> copies;
  std::set<std::vector<uint32_t>> numbers;
  for (const auto& [words_lane, gaussian_lane] : uses) {
    const TextSamples one{text, {7, 2, 0, 20, words_lane, gaussian_lane}};
    CopyBatch batch;
    SampleList({&one, 1}, *noise).draw(0, 20, batch);
    copies.insert(batch.copies.begin(), batch.copies.end());
    SampleList({&one, 1}, *gaussian).draw(0, 20, batch);
    for (Stream& stream : batch.gaussians) numbers.insert({stream(), stream(), stream(), stream()});
  }
  // 12! orders, and 2^128 blocks: two that are alike come from the same stream.
  EXPECT_EQ(copies.size(), 60u);
  EXPECT_EQ(numbers.size(), 60u);
  const SampleRange certified{7, 2, 0, 20};
  EXPECT_EQ(certified.words_lane, lane::kWords);
  EXPECT_EQ(certified.gaussian_lane, lane::kGaussian);
}

TEST(Highest, IsTheFirstOfTheBestOfEachRow) {
  EXPECT_EQ(highest(std::vector<double>{1, 2, 3, 5, 5, 4, -1, -3, -1, 0, 0, 0}, 3),
            (std::vector<int>{2, 0, 0, 0}));
  EXPECT_EQ(highest(std::vector<double>{1, 2}, 1), (std::vector<int>{0, 0}));
  EXPECT_TRUE(highest({}, 3).empty());
}

TEST(Highest, RefusesWhatIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {kInfinity, -kInfinity, std::nan("")})
    for (size_t at = 0; at < 6; ++at) {
      std::vector<double> scores = {1, 2, 3, 4, 5, 6};
      scores[at] = wrong;
      try {
        highest(scores, 3, "the engine");
        FAIL() << wrong << " at " << at;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kFailed);
        EXPECT_THAT(error.what(), testing::StartsWith("the engine: found a copy with a score"));
      }
    }
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_EQ(highest(std::vector<double>{-kLargest, kLargest, 0}, 3), (std::vector<int>{1}));
}

}  // namespace
}  // namespace textcrs
