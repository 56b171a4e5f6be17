// Elements are where the arithmetic says, are made once, and stay, whoever asks for them at once.
#include "base/growing_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// Block b begins at 1024 (2^b - 1).
bool begins_a_block(size_t index) {
  for (size_t begin = 0, size = 1024; begin <= index; begin += size, size *= 2)
    if (begin == index) return true;
  return false;
}

TEST(GrowingArray, EveryIndexHasAnElementOfItsOwn) {
  const GrowingArray<int> array;
  constexpr int kCount = 70'000;  // seven blocks
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(array[static_cast<size_t>(i)], 0) << i;
    array[static_cast<size_t>(i)] = i + 1;
  }
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(array[static_cast<size_t>(i)], i + 1);
}

TEST(GrowingArray, NeighboursLieSideBySideInABlock) {
  const GrowingArray<char> array;
  for (size_t i = 1; i < 70'000; ++i)
    if (!begins_a_block(i)) ASSERT_EQ(&array[i], &array[i - 1] + 1) << i;
}

TEST(GrowingArray, HoldsIndexesFarApartInAnyOrder) {
  const GrowingArray<char> array;
  std::vector<size_t> indexes;
  for (size_t begin = 0, size = 1024; size <= size_t{1} << 23; begin += size, size *= 2)
    for (const size_t index : {begin, begin + 1, begin + size / 2, begin + size - 1})
      indexes.push_back(index);
  std::reverse(indexes.begin(), indexes.end());
  std::vector<char*> found;
  for (const size_t index : indexes) found.push_back(&array[index]);
  for (size_t i = 0; i < indexes.size(); ++i) EXPECT_EQ(&array[indexes[i]], found[i]);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
}

// Counts its lives.
struct Counted {
  Counted() { ++made; }
  ~Counted() { ++gone; }
  int value = 7;
  static inline std::atomic<int> made, gone;
};

TEST(GrowingArray, MakesAndEndsABlockAtATime) {
  Counted::made = Counted::gone = 0;
  {
    const GrowingArray<Counted> array;
    EXPECT_EQ(Counted::made, 0);
    EXPECT_EQ(array[0].value, 7);
    EXPECT_EQ(Counted::made, 1024);
    EXPECT_EQ(array[1023].value, 7);
    EXPECT_EQ(Counted::made, 1024);
    EXPECT_EQ(array[1024 + 2048].value, 7);  // not those between
    EXPECT_EQ(Counted::made, 1024 + 4096);
    EXPECT_EQ(Counted::gone, 0);
  }
  EXPECT_EQ(Counted::gone, 1024 + 4096);
}

TEST(GrowingArray, ThreadsMeetInTheSameElements) {
  for (int round = 0; round < 20; ++round) {
    constexpr size_t kThreads = 4, kCount = 8000;
    const GrowingArray<std::atomic<int>> array;
    std::vector<std::vector<std::atomic<int>*>> found(kThreads);
    parallel_for(kThreads, kThreads, [&](size_t thread) {
      for (size_t i = 0; i < kCount; ++i) {
        const size_t index = thread % 2 == 0 ? i : kCount - 1 - i;
        ++array[index];
        found[thread].push_back(&array[index]);
      }
      if (thread % 2 == 1) std::reverse(found[thread].begin(), found[thread].end());
    });
    for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(array[i], static_cast<int>(kThreads)) << i;
    for (const auto& pointers : found) ASSERT_EQ(pointers, found[0]);
  }
}

TEST(GrowingArray, VisitsWhatWasMadeAndMakesNothing) {
  const GrowingArray<int> none;
  none.for_each([](int) { FAIL(); });
  const GrowingArray<int> array;
  array[3] = 5;
  array[1'000'000] = 7;
  int sum = 0;
  size_t made = 0;
  array.for_each([&](int element) {
    sum += element;
    ++made;
  });
  EXPECT_EQ(sum, 12);
  EXPECT_LT(made, 600'000);  // two blocks, not those between them
}

}  // namespace
}  // namespace textcrs
