// Each difference against its definition, by brute force over tiny texts with repeated words.
#include "certify/text_difference.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>
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

// The texts that one edit makes of one, up to a length, over the words 3 to 5.
std::vector<Words> edited_once(const Words& text, size_t longest) {
  std::vector<Words> all;
  for (size_t i = 0; i <= text.size(); ++i)
    for (WordId word = 3; word < 6; ++word) {
      Words edited = text;
      if (i < text.size()) {
        edited[i] = word;
        all.push_back(edited);
        edited.erase(edited.begin() + static_cast<long>(i));
        all.push_back(edited);
      }
      edited = text;
      edited.insert(edited.begin() + static_cast<long>(i), word);
      if (edited.size() <= longest) all.push_back(edited);
    }
  return all;
}

TEST(TextDifference, TheEditDistanceIsTheLengthOfAShortestChainOfEdits) {
  constexpr size_t kLongest = 4;
  for (const Words& text : {Words{}, Words{3}, Words{3, 4, 3}, Words{3, 3, 4, 5}}) {
    std::map<Words, int> distance = {{text, 0}};
    std::vector<Words> last = {text};
    for (int edits = 1; !last.empty(); ++edits) {
      std::vector<Words> next;
      for (const Words& from : last)
        for (Words& to : edited_once(from, kLongest))
          if (distance.emplace(to, edits).second) next.push_back(std::move(to));
      last = std::move(next);
    }
    EXPECT_EQ(distance.size(), 1u + 3 + 9 + 27 + 81);
    for (const auto& [edited, least] : distance) EXPECT_EQ(edit_distance(text, edited), least);
  }
}

TEST(TextDifference, TheEditDistanceOfRandomTexts) {
  EXPECT_TRUE(rc::check([] {
    const Words a = small_text(5), b = small_text(5);
    // Of what is left behind the first i and j words.
    const std::function<int(size_t, size_t)> least = [&](size_t i, size_t j) -> int {
      if (i == a.size()) return static_cast<int>(b.size() - j);
      if (j == b.size()) return static_cast<int>(a.size() - i);
      return std::min(
          {least(i + 1, j + 1) + (a[i] == b[j] ? 0 : 1), least(i + 1, j) + 1, least(i, j + 1) + 1});
    };
    const int distance = edit_distance(a, b);
    RC_ASSERT(distance == least(0, 0));
    RC_ASSERT(distance == edit_distance(b, a));
    const Difference difference = multiset_difference(a, b);
    RC_ASSERT(distance >= std::max(difference.lost, difference.gained));
  }));
}

TEST(TextDifference, BesideCandidatesAsManyAsPossibleHaveAPartner) {
  EXPECT_TRUE(rc::check([] {
    const Words text = small_text(5), edited = small_text(5);
    std::vector<Words> lists(7);
    for (WordId word = 3; word < 7; ++word)
      for (WordId other = 3; other < 7; ++other)
        if (other != word && *rc::gen::inRange(0, 3) == 0)
          lists[static_cast<size_t>(word)].push_back(other);
    const SynonymTable candidates("lists", lists);
    std::vector<bool> taken(edited.size());
    const std::function<int(size_t)> most = [&](size_t i) -> int {
      if (i == text.size()) return 0;
      int best = most(i + 1);
      const Words& list = lists[static_cast<size_t>(text[i])];
      for (size_t j = 0; j < edited.size(); ++j) {
        const bool fits =
            edited[j] == text[i] || std::find(list.begin(), list.end(), edited[j]) != list.end();
        if (taken[j] || !fits) continue;
        taken[j] = true;
        best = std::max(best, 1 + most(i + 1));
        taken[j] = false;
      }
      return best;
    };
    const int matched = most(0);
    const Difference difference = difference_beside(candidates, text, edited);
    RC_ASSERT(difference.lost == static_cast<int>(text.size()) - matched);
    RC_ASSERT(difference.gained == static_cast<int>(edited.size()) - matched);
    const Difference without = difference_beside({}, text, edited);
    RC_ASSERT(without.lost == multiset_difference(text, edited).lost);
    RC_ASSERT(without.gained == multiset_difference(text, edited).gained);
  }));
}

// A text of one word, many times: its copies do not ask each other to move.
TEST(TextDifference, BesideCandidatesLongTextsOfOneWord) {
  const Words text(20000, 3);
  const SynonymTable candidates("lists", {{}, {}, {}, {4}, {}});
  EXPECT_TRUE(difference_beside(candidates, text, text).none());
  Words edited = text;
  edited[7] = 4;
  edited[9] = 5;
  EXPECT_EQ(difference_beside(candidates, text, edited).lost, 1);
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
