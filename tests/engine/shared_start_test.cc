// Beginnings that copies share are run once, and nothing changes: bit by bit.
#include "engine/shared_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr int kUnits = 21, kWords = 6;

// A layer, a row for each of six words, and sequences of words.
class SharedStartTest : public testing::TestWithParam<Isa> {
 protected:
  SharedStartTest() : lstm_(GetParam(), Precision::kBf16, kUnits, numbers(4 * kUnits * kUnits, 1)) {
    for (uint32_t word = 0; word < kWords; ++word) {
      rows_.emplace_back(static_cast<size_t>(lstm_.row_size()));
      lstm_.make_row(numbers(4 * kUnits, 10 + word), rows_.back().data());
    }
  }

  static std::vector<float> numbers(size_t count, uint32_t seed) {
    std::vector<float> list(count);
    Stream(seed, 0, 0).normals(list);
    for (float& x : list) x *= 0.3f;
    return list;
  }

  void add(const std::vector<int>& words) {
    std::vector<const float*> pointers;
    for (const int word : words) pointers.push_back(rows_[static_cast<size_t>(word)].data());
    texts_.push_back(std::move(pointers));
  }

  // Falling lengths; as they are read from the end with stride -1.
  std::vector<RowSequence> sequences(std::ptrdiff_t stride) {
    std::stable_sort(texts_.begin(), texts_.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<RowSequence> list;
    for (const auto& text : texts_)
      list.push_back(
          {text.data() + (stride < 0 ? text.size() - 1 : 0), static_cast<int>(text.size())});
    return list;
  }

  std::vector<float> alone(const RowSequence& sequence, std::ptrdiff_t stride) {
    std::vector<float> maxima(kUnits);
    LstmSequences one;
    one.count = 1;
    one.lengths = &sequence.length;
    one.rows = &sequence.rows;
    one.stride = stride;
    one.pooled = maxima.data();
    lstm_.run(one, scratch_);
    return maxima;
  }

  // The rest of a sequence from its record on.
  std::vector<float> gone_on(const SharedStart& start, size_t i, const RowSequence& sequence,
                             std::ptrdiff_t stride) {
    std::vector<float> maxima(kUnits);
    const std::byte* record = start.record(i);
    LstmSequences one;
    one.count = 1;
    one.lengths = &sequence.length;
    one.rows = &sequence.rows;
    one.stride = stride;
    one.first = start.steps();
    one.starts = &record;
    one.pooled = maxima.data();
    lstm_.run(one, scratch_);
    return maxima;
  }

  Lstm lstm_;
  std::vector<std::vector<float>> rows_;
  std::vector<std::vector<const float*>> texts_;
  AlignedBytes scratch_;
};

TEST_P(SharedStartTest, GivesWhatEachSequenceGivesAlone) {
  Stream stream(3, 0, 0);
  for (int i = 0; i < 200; ++i) {
    std::vector<int> words(1 + stream.below(9));
    for (int& word : words) word = static_cast<int>(stream.below(3));
    add(words);
  }
  for (const std::ptrdiff_t stride : {1, -1}) {
    const auto list = sequences(stride);
    const SharedStart start(lstm_, list, stride, scratch_);
    EXPECT_GE(start.steps(), 3);
    EXPECT_LT(start.steps(), 9);
    for (size_t i = 0; i < list.size(); ++i) {
      const auto expected = alone(list[i], stride);
      if (list[i].length > start.steps())
        EXPECT_EQ(gone_on(start, i, list[i], stride), expected) << i;
      else
        EXPECT_EQ(std::vector<float>(start.maxima(i).begin(), start.maxima(i).end()), expected)
            << i;
    }
  }
}

TEST_P(SharedStartTest, SharesNothingWhereNothingIsCommon) {
  for (int word = 0; word < kWords; ++word) add({word, 0, 1});
  EXPECT_EQ(SharedStart(lstm_, sequences(1), 1, scratch_).steps(), 0);
  EXPECT_EQ(SharedStart(lstm_, {}, 1, scratch_).steps(), 0);
}

TEST_P(SharedStartTest, RunsEqualSequencesOnceToTheEnd) {
  for (int i = 0; i < 8; ++i) add({2, 1, 4, 4});
  const auto list = sequences(1);
  const SharedStart start(lstm_, list, 1, scratch_);
  EXPECT_EQ(start.steps(), 4);
  for (size_t i = 0; i < list.size(); ++i)
    EXPECT_EQ(std::vector<float>(start.maxima(i).begin(), start.maxima(i).end()),
              alone(list[0], 1));
}

TEST_P(SharedStartTest, GoingOnNeedsARecord) {
  add({1, 2});
  const auto list = sequences(1);
  LstmSequences one;
  one.count = 1;
  one.lengths = &list[0].length;
  one.rows = &list[0].rows;
  one.first = 1;
  EXPECT_THROW(lstm_.run(one, scratch_), std::logic_error);
  const std::byte* record = nullptr;
  one.starts = &record;
  one.first = 2;  // nothing is left to run
  EXPECT_THROW(lstm_.run(one, scratch_), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Isas, SharedStartTest, testing::ValuesIn(available_isas()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace textcrs
