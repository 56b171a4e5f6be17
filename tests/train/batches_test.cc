// The order of the texts, their noisy copies, and the loader that makes them ahead.
#include "train/batches.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "engine/draw_copies.h"

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
  Stream stream(9, 1017, 2, lane::kTrainingWords);
  Words expected;
  noise->sample(texts[17].words, stream, expected);
  EXPECT_EQ(batch.copies.copies[1], expected);
  EXPECT_NE(noisy_batch(texts, {4, 17, 0}, *noise, 9, 3).copies.copies, batch.copies.copies);
}

TEST(NoisyBatch, HasTheCopiesOfATextNextToEachOther) {
  const auto texts = texts_of(20);
  const auto noise = make_noise("insert:sigma=0.5", {nullptr, nullptr, 40});
  const LabelledBatch one = noisy_batch(texts, {4, 17}, *noise, 9, 2);
  const LabelledBatch batch = noisy_batch(texts, {4, 17}, *noise, 9, 2, 3);
  EXPECT_EQ(one.copies_per_text, 1u);
  EXPECT_EQ(batch.copies_per_text, 3u);
  EXPECT_EQ(batch.labels, one.labels);
  ASSERT_EQ(batch.copies.copies.size(), 6u);
  ASSERT_EQ(batch.copies.gaussians.size(), 6u);
  for (size_t text = 0; text < 2; ++text) {
    EXPECT_EQ(batch.copies.copies[3 * text], one.copies.copies[text]);
    for (uint32_t copy = 1; copy < 3; ++copy) {
      const EncodedText& original = texts[text == 0 ? 4 : 17];
      const uint32_t lane = lane::kFurtherCopies + 2 * (copy - 1);
      Stream stream(9, original.id, 2, lane), gaussian(9, original.id, 2, lane + 1);
      Words expected;
      noise->sample(original.words, stream, expected);
      EXPECT_EQ(batch.copies.copies[3 * text + copy], expected);
      Stream found = batch.copies.gaussians[3 * text + copy];
      for (int i = 0; i < 10; ++i) EXPECT_EQ(found(), gaussian());
    }
  }
  // A copy does not depend on how many there are.
  const LabelledBatch more = noisy_batch(texts, {4, 17}, *noise, 9, 2, 5);
  for (size_t copy = 0; copy < 3; ++copy)
    EXPECT_EQ(more.copies.copies[5 + copy], batch.copies.copies[3 + copy]);
}

TEST(NoisyBatch, NoTwoCopiesShareAStream) {
  const std::vector<EncodedText> texts = {{0, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, 0},
                                          {1, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, 0}};
  const auto words = make_noise("reorder:full");
  const auto gaussian = make_noise("insert:sigma=0.5", {nullptr, nullptr, 4});
  std::set<Words> copies;
  std::set<std::vector<uint32_t>> numbers;
  for (uint32_t epoch = 0; epoch < 5; ++epoch) {
    for (Words& copy : noisy_batch(texts, {0, 1}, *words, 7, epoch, 10).copies.copies)
      copies.insert(std::move(copy));
    for (Stream& one : noisy_batch(texts, {0, 1}, *gaussian, 7, epoch, 10).copies.gaussians)
      numbers.insert({one(), one(), one(), one()});
  }
  EXPECT_EQ(copies.size(), 100u);
  EXPECT_EQ(numbers.size(), 100u);
  // The highest lane of theirs is below the next one in use.
  static_assert(lane::kFurtherCopies + 2 * kMostCopies < lane::kNoiseLevel);
  static_assert(lane::kFurtherCopies > lane::kChosenExamples);
}

TEST(NoisyBatch, BringsTheTeachersScoresOfEachText) {
  auto texts = texts_of(3);
  const auto noise = make_noise("delete:p=0.3");
  EXPECT_TRUE(noisy_batch(texts, {2, 0}, *noise, 9, 2, 2).teacher.empty());
  for (size_t i = 0; i < 3; ++i) texts[i].teacher = {static_cast<float>(i), 0.5F};
  EXPECT_EQ(noisy_batch(texts, {2, 0}, *noise, 9, 2, 2).teacher,
            (std::vector<float>{2, 0.5F, 0, 0.5F}));
}

TEST(NoisyBatch, TakesTheGaussianFromALaneOfItsOwn) {
  const auto texts = texts_of(20);
  const LabelledBatch batch =
      noisy_batch(texts, {4, 17}, *make_noise("insert:sigma=0.5", {nullptr, nullptr, 6}), 9, 2);
  EXPECT_EQ(batch.copies.sigma, 0.5);
  ASSERT_EQ(batch.copies.gaussians.size(), 2u);
  Stream found = batch.copies.gaussians[1], expected(9, 1017, 2, lane::kTrainingGaussian);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(), expected());
}

TEST(NoisyBatch, KeepsTheOwnWordsOfEachText) {
  std::vector<EncodedText> texts = {
      {1, {3, 5}, 0, {"x"}}, {2, {3, 4}, 1}, {3, {6, 5}, 0, {"y", "z"}}};
  const Vocabulary vocabulary({"a", "b"}, Vocabulary::Growth::kOpen);
  const auto noise = make_noise("hash:buckets=2,functions=3", {&vocabulary, nullptr, 6});
  const LabelledBatch batch = noisy_batch(texts, {2, 1, 0}, *noise, 9, 2);
  ASSERT_EQ(batch.copies.own.size(), 3u);
  for (const auto& [place, text] : {std::pair{0, 2}, {1, 1}, {2, 0}}) {
    const auto own = batch.copies.own[static_cast<size_t>(place)];
    const EncodedText& expected = texts[static_cast<size_t>(text)];
    EXPECT_EQ(std::vector<std::string>(own.begin(), own.end()), expected.own);
    Stream stream(9, expected.id, 2, lane::kTrainingWords);
    Words copy;
    noise->sample(expected.text(), stream, copy);
    EXPECT_EQ(batch.copies.copies[static_cast<size_t>(place)], copy);
  }
  texts.resize(1);
  texts[0] = {2, {3, 4}, 1};
  EXPECT_TRUE(noisy_batch(texts, {0}, *noise, 9, 2).copies.own.empty());
}

// What a model was trained on must tell nothing of the noise it is certified under, even with the
// same seed and texts of the same numbers.
TEST(NoisyBatch, SharesNoStreamWithCertification) {
  std::vector<EncodedText> texts;
  for (uint32_t id = 0; id < 5; ++id)
    texts.push_back({id, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, 0});
  const auto words = make_noise("reorder:full");
  const auto gaussian = make_noise("insert:sigma=0.5", {nullptr, nullptr, 4});
  std::set<Words> copies;
  std::set<std::vector<uint32_t>> numbers;
  const auto add = [&](CopyBatch orders, CopyBatch vectors) {
    for (Words& copy : orders.copies) copies.insert(std::move(copy));
    for (Stream& one : vectors.gaussians) numbers.insert({one(), one(), one(), one()});
  };
  constexpr uint32_t kTimes = 10;  // epochs, and samples
  for (uint32_t epoch = 0; epoch < kTimes; ++epoch)
    add(noisy_batch(texts, {0, 1, 2, 3, 4}, *words, 7, epoch).copies,
        noisy_batch(texts, {0, 1, 2, 3, 4}, *gaussian, 7, epoch).copies);
  EXPECT_EQ(copies.size(), 50u);
  EXPECT_EQ(numbers.size(), 50u);
  for (const EncodedText& text : texts) {
    const TextSamples certified{text.text(), {7, text.id, 0, kTimes}};
    CopyBatch orders, vectors;
    SampleList({&certified, 1}, *words).draw(0, kTimes, orders);
    SampleList({&certified, 1}, *gaussian).draw(0, kTimes, vectors);
    add(std::move(orders), std::move(vectors));
  }
  // 12! orders, and 2^128 blocks: two that are alike come from the same stream.
  EXPECT_EQ(copies.size(), 100u);
  EXPECT_EQ(numbers.size(), 100u);
}

TEST(BatchLoader, GivesTheSameBatchesForAnyThreadsAndFromAnywhere) {
  const auto texts = texts_of(150);
  const auto noise = make_noise("universal:p=0.3");
  const auto batches = epoch_batches(texts, 4, 7, 1);
  const auto make = [&](size_t i) { return noisy_batch(texts, batches[i], *noise, 7, 1); };
  for (const int threads : {1, 2, 4}) {
    for (const size_t first : {size_t{0}, size_t{17}, batches.size() - 1}) {
      BatchLoader loader(make, first, batches.size(), threads);
      for (size_t i = first; i < batches.size(); ++i) {
        const LabelledBatch found = loader.next();
        const LabelledBatch expected = make(i);
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
    BatchLoader loader([&](size_t i) { return noisy_batch(texts, batches[i], *noise, 7, 1); }, 0,
                       batches.size(), 3);
    for (size_t i = 0; i < taken; ++i) loader.next();
  }
}

TEST(BatchLoader, HandsOnWhatTheNoiseThrows) {
  const auto broken = [](size_t) -> LabelledBatch { throw std::runtime_error("broken"); };
  BatchLoader loader(broken, 0, 5, 2);
  EXPECT_THROW(loader.next(), std::runtime_error);
}

}  // namespace
}  // namespace textcrs
