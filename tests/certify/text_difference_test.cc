// Each difference against its definition, by brute force over tiny texts with repeated words.
#include "certify/text_difference.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

namespace textcrs {
namespace {

using Words = std::vector<WordId>;

Words small_text(size_t longest = 7) {
  const size_t length = *rc::gen::inRange<size_t>(0, longest + 1);
  return *rc::gen::container<Words>(length, rc::gen::inRange<WordId>(3, 7));
}

Words sorted(Words text) {
  std::sort(text.begin(), text.end());
  return text;
}

bool is_subsequence(const Words& part, const Words& whole) {
  size_t met = 0;
  for (const WordId word : whole) met += met < part.size() && word == part[met];
  return met == part.size();
}

TEST(TextDifference, OfMultisetsIsWhatIsLeftWhenEqualWordsCancel) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text(), edited = small_text();
    Words rest = text;
    int gained = 0;
    for (const WordId word : edited) {
      const auto it = std::find(rest.begin(), rest.end(), word);
      if (it == rest.end())
        ++gained;
      else
        rest.erase(it);
    }
    const Difference difference = multiset_difference(text, edited);
    RC_ASSERT(difference.lost == static_cast<int>(rest.size()));
    RC_ASSERT(difference.gained == gained);
    RC_ASSERT(difference.none() == (sorted(text) == sorted(edited)));
  }));
}

TEST(TextDifference, InOrderIsWhatALongestCommonSubsequenceLeaves) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text(), edited = small_text();
    int longest = 0;
    for (unsigned kept = 0; kept < 1u << text.size(); ++kept) {
      Words part;
      for (size_t i = 0; i < text.size(); ++i)
        if (kept >> i & 1) part.push_back(text[i]);
      if (is_subsequence(part, edited)) longest = std::max(longest, static_cast<int>(part.size()));
    }
    const Difference difference = ordered_difference(text, edited);
    RC_ASSERT(difference.lost == static_cast<int>(text.size()) - longest);
    RC_ASSERT(difference.gained == static_cast<int>(edited.size()) - longest);
    const Difference least = multiset_difference(text, edited);
    RC_ASSERT(least.lost <= difference.lost);
    RC_ASSERT(least.lost - least.gained == difference.lost - difference.gained);
  }));
}

TEST(TextDifference, ChangedWordsAreThoseThatOccurMoreOrLessOften) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text(), edited = small_text();
    Words expected;
    for (WordId word = 3; word < 7; ++word)
      if (std::count(text.begin(), text.end(), word) !=
          std::count(edited.begin(), edited.end(), word))
        expected.push_back(word);
    RC_ASSERT(changed_words(text, edited) == expected);
  }));
}

TEST(TextDifference, AGapIsMovedIffTheWordsBeforeItDiffer) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text();
    Words edited = text;
    for (size_t i = edited.size(); i > 1; --i)
      std::swap(edited[i - 1], edited[*rc::gen::inRange<size_t>(0, i)]);
    std::vector<int> expected;
    for (size_t g = 1; g < text.size(); ++g)
      if (sorted({text.begin(), text.begin() + static_cast<long>(g)}) !=
          sorted({edited.begin(), edited.begin() + static_cast<long>(g)}))
        expected.push_back(static_cast<int>(g));
    RC_ASSERT(moved_gaps(text, edited) == expected);
    RC_ASSERT(2 * static_cast<int64_t>(expected.size()) <= least_displacement(text, edited));
  }));
}

TEST(TextDifference, DisplacementIsTheLeastOfAllMatchings) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text(6);
    Words edited = text;
    for (size_t i = edited.size(); i > 1; --i)
      std::swap(edited[i - 1], edited[*rc::gen::inRange<size_t>(0, i)]);
    std::vector<int> place(text.size());  // of the i-th word of `edited` in `text`
    std::iota(place.begin(), place.end(), 0);
    int64_t least = 1000;
    do {
      int64_t sum = 0;
      for (size_t i = 0; i < place.size(); ++i) {
        if (text[static_cast<size_t>(place[i])] != edited[i]) sum += 1000;
        sum += std::abs(place[i] - static_cast<int>(i));
      }
      least = std::min(least, sum);
    } while (std::next_permutation(place.begin(), place.end()));
    RC_ASSERT(least_displacement(text, edited) == least);
  }));
}

TEST(TextDifference, ReadsWell) {
  EXPECT_EQ(in_words({2, 1}), "2 words lost and 1 gained");
  EXPECT_EQ(in_words({1, 0}), "1 word lost");
  EXPECT_EQ(in_words({0, 3}), "3 words gained");
  EXPECT_EQ(up_to(0), "none");
  EXPECT_EQ(up_to(4), "up to 4");
}

TEST(TextDifference, LongTextsWithAFewEdits) {
  Words text(3000), edited;
  std::iota(text.begin(), text.end(), kFirstWord);
  edited = text;
  edited.erase(edited.begin() + 10);
  edited.insert(edited.begin() + 2900, WordId{3});
  edited[1500] = 4;
  EXPECT_EQ(ordered_difference(text, edited).lost, 2);
  EXPECT_EQ(ordered_difference(text, edited).gained, 2);
  EXPECT_EQ(changed_words(text, edited).size(), 4u);
  EXPECT_EQ(ordered_difference(text, {}).lost, 3000);
  EXPECT_EQ(ordered_difference({}, text).gained, 3000);
}

}  // namespace
}  // namespace textcrs
