// The order of the texts, their noisy copies, and the loader that makes them ahead.
#include "train/batches.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stdexcept>

namespace textcrs {
namespace {

std::vector<EncodedText> texts_of(size_t count) {
  std::vector<EncodedText> texts;
  for (size_t i = 0; i < count; ++i) {
    Stream stream(1, static_cast<uint32_t>(i), 0);
    texts.push_back(
        {static_cast<uint32_t>(1000 + i), Words(stream.below(30)), static_cast<int>(i % 3)});
    for (WordId& word : texts.back().words) word = static_cast<WordId>(3 + stream.below(50));
  }
  return texts;
}

TEST(EpochBatches, HoldEveryTextOnce) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<size_t>(0, 500);
    const auto size = *rc::gen::inRange(1, 20);
    const auto batches = epoch_batches(texts_of(count), size, *rc::gen::arbitrary<uint64_t>(),
                                       *rc::gen::inRange<uint32_t>(0, 5));
    std::vector<size_t> seen;
    for (const auto& batch : batches) {
      RC_ASSERT(!batch.empty() && batch.size() <= static_cast<size_t>(size));
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    RC_ASSERT(batches.size() ==
              (count + static_cast<size_t>(size) - 1) / static_cast<size_t>(size));
    std::sort(seen.begin(), seen.end());
    RC_ASSERT(seen.size() == count);
    for (size_t i = 0; i < count; ++i) RC_ASSERT(seen[i] == i);
  }));
}

TEST(EpochBatches, DependOnSeedAndEpochAlone) {
  const auto texts = texts_of(200);
  const auto batches = epoch_batches(texts, 8, 7, 3);
  EXPECT_EQ(epoch_batches(texts, 8, 7, 3), batches);
  EXPECT_NE(epoch_batches(texts, 8, 7, 4), batches);
  EXPECT_NE(epoch_batches(texts, 8, 8, 3), batches);
}

TEST(EpochBatches, PutTextsOfSimilarLengthTogether) {
  const auto texts = texts_of(256);  // one pool of 32 batches of 8
  const auto batches = epoch_batches(texts, 8, 7, 0);
  std::vector<std::pair<size_t, size_t>> ranges;
  for (const auto& batch : batches) {
    size_t low = 100, high = 0;
    for (size_t i : batch) {
      low = std::min(low, texts[i].words.size());
      high = std::max(high, texts[i].words.size());
    }
    ranges.emplace_back(low, high);
  }
  EXPECT_FALSE(std::is_sorted(ranges.begin(), ranges.end()));  // the batches come shuffled
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i) EXPECT_GE(ranges[i].first, ranges[i - 1].second);
}

TEST(NoisyBatch, DrawsEachCopyFromItsTextAndEpoch) {
  const auto texts = texts_of(20);
  const auto noise = make_noise("universal:p=0.3");
  const LabelledBatch batch = noisy_batch(texts, {4, 17, 0}, *noise, 9, 2);
  ASSERT_EQ(batch.copies.copies.size(), 3u);
  EXPECT_EQ(batch.labels, (std::vector<int64_t>{1, 2, 0}));
  EXPECT_EQ(batch.copies.sigma, 0);
  Stream stream(9, 1017, 2);
  Words expected;
  noise->sample(texts[17].words, stream, expected);
  EXPECT_EQ(batch.copies.copies[1], expected);
  EXPECT_NE(noisy_batch(texts, {4, 17, 0}, *noise, 9, 3).copies.copies, batch.copies.copies);
}

TEST(NoisyBatch, TakesTheGaussianFromLaneOne) {
  const auto texts = texts_of(20);
  const LabelledBatch batch =
      noisy_batch(texts, {4, 17}, *make_noise("insert:sigma=0.5", {nullptr, nullptr, 6}), 9, 2);
  EXPECT_EQ(batch.copies.sigma, 0.5);
  ASSERT_EQ(batch.copies.gaussians.size(), 2u);
  Stream found = batch.copies.gaussians[1], expected(9, 1017, 2, 1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(), expected());
}

TEST(BatchLoader, GivesTheSameBatchesForAnyThreadsAndFromAnywhere) {
  const auto texts = texts_of(150);
  const auto noise = make_noise("universal:p=0.3");
  const auto batches = epoch_batches(texts, 4, 7, 1);
  for (const int threads : {1, 2, 4}) {
    for (const size_t first : {size_t{0}, size_t{17}, batches.size() - 1}) {
      BatchLoader loader(texts, batches, first, *noise, 7, 1, threads);
      for (size_t i = first; i < batches.size(); ++i) {
        const LabelledBatch found = loader.next();
        const LabelledBatch expected = noisy_batch(texts, batches[i], *noise, 7, 1);
        EXPECT_EQ(found.copies.copies, expected.copies.copies) << threads << " " << i;
        EXPECT_EQ(found.labels, expected.labels);
      }
      EXPECT_THROW(loader.next(), std::logic_error);
    }
  }
}

TEST(BatchLoader, MayBeLeftAtAnyTime) {
  const auto texts = texts_of(150);
  const auto noise = make_noise("none");
  const auto batches = epoch_batches(texts, 4, 7, 1);
  for (size_t taken = 0; taken < 5; ++taken) {
    BatchLoader loader(texts, batches, 0, *noise, 7, 1, 3);
    for (size_t i = 0; i < taken; ++i) loader.next();
  }
}

TEST(BatchLoader, HandsOnWhatTheNoiseThrows) {
  class Broken : public Noise {
   public:
    std::string spec() const override { return "broken"; }
    void sample(std::span<const WordId>, Stream&, Words&) const override {
      throw std::runtime_error("broken");
    }
    Law law(std::span<const WordId>) const override { return {}; }
  };
  const auto texts = texts_of(20);
  const Broken noise;
  const auto batches = epoch_batches(texts, 4, 7, 1);
  BatchLoader loader(texts, batches, 0, noise, 7, 1, 2);
  EXPECT_THROW(loader.next(), std::runtime_error);
}

}  // namespace
}  // namespace textcrs
