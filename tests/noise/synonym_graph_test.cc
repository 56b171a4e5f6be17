#include "textcrs/noise/synonym_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::synonyms;
using Lists = std::vector<std::vector<WordId>>;

Words list(const SynonymTable& table, WordId word) {
  const auto span = table.of(word);
  return Words(span.begin(), span.end());
}

// A random symmetric table over the ids 3 .. 3 + words - 1, its lists in random order.
SynonymTable random_table(int words, double density) {
  Stream stream(*rc::gen::arbitrary<uint64_t>(), 0, 0);
  Lists lists(static_cast<size_t>(kFirstWord + words));
  for (WordId a = kFirstWord; a < kFirstWord + words; ++a) {
    for (WordId b = a + 1; b < kFirstWord + words; ++b) {
      if (!stream.bernoulli(density)) continue;
      lists[static_cast<size_t>(a)].push_back(b);
      lists[static_cast<size_t>(b)].push_back(a);
    }
  }
  for (auto& one : lists) stream.shuffle(std::span(one));
  return SynonymTable("random", lists);
}

TEST(KeepMutual, KeepsPairsThatNameEachOtherEarly) {
  const SynonymTable cut = keep_mutual(synonyms(), 2);
  EXPECT_EQ(list(cut, 3), (Words{4, 5}));  // 6 is third in the list of 3
  EXPECT_EQ(list(cut, 4), (Words{5, 3}));
  EXPECT_EQ(list(cut, 5), (Words{4, 3}));
  EXPECT_EQ(list(cut, 6), Words{});
  EXPECT_EQ(list(cut, 7), Words{});
  EXPECT_EQ(list(keep_mutual(synonyms(), 0), 3), Words{});
}

TEST(KeepMutual, StaysSymmetric) {
  EXPECT_TRUE(rc::check("symmetric, within the limit, a part of the table", [] {
    const SynonymTable table = random_table(15, 0.4);
    const int count = *rc::gen::inRange(0, 8);
    const SynonymTable cut = keep_mutual(table, count);
    RC_ASSERT(cut.is_symmetric());
    for (WordId word = 0; word < table.size(); ++word) {
      RC_ASSERT(cut.of(word).size() <= static_cast<size_t>(count));
      const Words whole = list(table, word);
      for (const WordId other : cut.of(word))
        RC_ASSERT(std::find(whole.begin(), whole.end(), other) != whole.end());
    }
  }));
}

TEST(WordsWithin, DistancesOfThePath) {
  using Found = std::vector<std::pair<WordId, int>>;
  EXPECT_EQ(words_within(synonyms(), 7, 0), (Found{{7, 0}}));
  EXPECT_EQ(words_within(synonyms(), 7, 1), (Found{{7, 0}, {5, 1}}));
  EXPECT_EQ(words_within(synonyms(), 7, 2), (Found{{7, 0}, {5, 1}, {4, 2}, {3, 2}}));
  EXPECT_EQ(words_within(synonyms(), 7, 9), (Found{{7, 0}, {5, 1}, {4, 2}, {3, 2}, {6, 3}}));
  EXPECT_EQ(words_within(synonyms(), 8, 5), (Found{{8, 0}}));
}

TEST(WordsWithin, DistanceIsSymmetric) {
  EXPECT_TRUE(rc::check("d(v, w) == d(w, v)", [] {
    const SynonymTable table = random_table(12, 0.2);
    std::map<std::pair<WordId, WordId>, int> distances;
    for (WordId word = kFirstWord; word < table.size(); ++word)
      for (const auto& [other, distance] : words_within(table, word, 3))
        distances[{word, other}] = distance;
    for (const auto& [pair, distance] : distances)
      RC_ASSERT(distances.at({pair.second, pair.first}) == distance);
  }));
}

TEST(ClusterSynonyms, ClosestPairsJoinFirst) {
  // Rank sums: 4-5: 0, 3-4: 0 + 1, 3-5: 1 + 1, 3-6: 2 + 0, 5-7: 2 + 0.
  EXPECT_EQ(cluster_synonyms(synonyms(), 1), (Words{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(cluster_synonyms(synonyms(), 2), (Words{0, 1, 2, 3, 4, 4, 3, 7, 8, 9}));
  EXPECT_EQ(cluster_synonyms(synonyms(), 3), (Words{0, 1, 2, 3, 3, 3, 6, 7, 8, 9}));
  EXPECT_EQ(cluster_synonyms(synonyms(), 4), (Words{0, 1, 2, 3, 3, 3, 3, 7, 8, 9}));
  EXPECT_EQ(cluster_synonyms(synonyms(), 5), (Words{0, 1, 2, 3, 3, 3, 3, 3, 8, 9}));
}

TEST(ClusterSynonyms, IsAPartitionIntoConnectedSmallClusters) {
  EXPECT_TRUE(rc::check("at most `size` words, connected, named by the smallest id", [] {
    const SynonymTable table = random_table(20, 0.15);
    const int size = *rc::gen::inRange(1, 8);
    const auto cluster = cluster_synonyms(table, size);
    std::map<WordId, std::set<WordId>> members;
    for (WordId word = 0; word < table.size(); ++word)
      members[cluster[static_cast<size_t>(word)]].insert(word);
    for (const auto& [name, words] : members) {
      RC_ASSERT(words.size() <= static_cast<size_t>(size));
      RC_ASSERT(*words.begin() == name);
      std::set<WordId> reached = {name};
      for (size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const WordId word : std::set<WordId>(reached))
          for (const WordId other : table.of(word))
            if (words.contains(other)) reached.insert(other);
      }
      RC_ASSERT(reached == words);
    }
  }));
}

}  // namespace
}  // namespace textcrs
