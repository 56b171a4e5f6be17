// Words beside their candidates against brute force: every choice of candidates, and every edit on
// top.
#include "certify/synonym_votes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using Words = std::vector<WordId>;
using Texts = std::set<Words>;  // each in one order: it does not matter
constexpr int kMost = 2;        // edits that are tried

struct Game {
  size_t classes = 2;
  WordId end = 0;              // behind the last word
  std::vector<int32_t> table;  // (ids, classes); special words have rows that nobody may use
  std::vector<int64_t> bias;
  SynonymTable candidates;
  Words text;

  VoteRule rule() const {  // special words are nobody's to insert
    return VoteRule::of_table(bias, std::span(table).subspan(kFirstWord * classes));
  }

  std::vector<int64_t> sums(const Words& of) const {
    std::vector<int64_t> sums = bias;
    for (const WordId word : of)
      for (size_t c = 0; c < classes; ++c)
        sums[c] += table[static_cast<size_t>(word) * classes + c];
    return sums;
  }

  size_t answer(const Words& of) const {
    const std::vector<int64_t> all = sums(of);
    return static_cast<size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  }

  bool is_harmful(const Words& edited, std::optional<int64_t> threshold) const {
    const size_t before = answer(text);
    if (!threshold) return answer(edited) != before;
    const std::vector<int64_t> all = sums(edited);
    for (size_t c = 0; c < classes; ++c)
      if (c != before && all[before] - all[c] <= *threshold) return true;
    return false;
  }
};

Game random_game(Stream& stream) {
  Game game;
  game.classes = 2 + stream.below(2);
  const uint32_t words = 2 + stream.below(3);
  game.end = static_cast<WordId>(kFirstWord + words);
  const auto small = [&](int around) {
    return static_cast<int32_t>(stream.below(2 * static_cast<uint32_t>(around) + 1)) - around;
  };
  game.table.assign(kFirstWord * game.classes, 0);
  for (size_t c = 0; c < game.classes; ++c) game.table[c] = small(900);
  for (size_t i = 0; i < words * game.classes; ++i) game.table.push_back(small(3));
  for (size_t c = 0; c < game.classes; ++c) game.bias.push_back(small(4));
  game.bias[stream.below(static_cast<uint32_t>(game.classes))] += stream.below(20);
  std::vector<Words> lists(static_cast<size_t>(game.end));
  for (WordId word = kFirstWord; word < game.end; ++word)
    for (WordId other = kFirstWord; other < game.end; ++other)
      if (other != word && stream.below(3) == 0)
        lists[static_cast<size_t>(word)].push_back(other);  // not symmetric
  game.candidates = SynonymTable("lists", lists);
  for (size_t i = stream.below(5); i > 0; --i)
    game.text.push_back(static_cast<WordId>(kFirstWord + stream.below(words)));
  return game;
}

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

Texts with_candidates(const Game& game) {
  std::vector<Words> texts = {{}};
  for (const WordId word : game.text) {
    std::vector<Words> longer;
    for (const Words& text : texts) {
      longer.push_back(text);
      longer.back().push_back(word);
      for (const WordId candidate : game.candidates.of(word)) {
        longer.push_back(text);
        longer.back().push_back(candidate);
      }
    }
    texts = std::move(longer);
  }
  Texts all;
  for (const Words& text : texts) all.insert(sorted(text));
  return all;
}

// And those that one edit makes of them.
Texts with_one_edit(const Game& game, const Texts& texts) {
  Texts all = texts;
  for (const Words& text : texts)
    for (WordId word = kFirstWord; word < game.end; ++word) {
      Words inserted = text;
      inserted.push_back(word);
      all.insert(sorted(inserted));
      for (size_t i = 0; i < text.size(); ++i) {
        Words edited = text;
        edited[i] = word;
        all.insert(sorted(edited));
        edited.erase(edited.begin() + static_cast<ptrdiff_t>(i));
        all.insert(edited);
      }
    }
  return all;
}

// The least number of edits that are harmful beside candidates; kMost + 1: more.
int least_harmful(const Game& game, std::optional<int64_t> threshold) {
  Texts texts = with_candidates(game);
  for (int edits = 0; edits <= kMost; ++edits) {
    for (const Words& text : texts)
      if (game.is_harmful(text, threshold)) return edits;
    if (edits < kMost) texts = with_one_edit(game, texts);
  }
  return kMost + 1;
}

void expect_true_edits(const Game& game, std::optional<int64_t> threshold, std::vector<int>& seen) {
  const std::optional<double> edits =
      edits_beside_candidates(game.rule(), game.table, game.candidates, game.text, threshold);
  const int harmful = least_harmful(game, threshold);
  ++seen[static_cast<size_t>(harmful)];
  ASSERT_EQ(edits.has_value(), harmful > 0);
  if (harmful == 0) return;
  if (harmful <= kMost)
    EXPECT_EQ(*edits, harmful - 1);
  else
    EXPECT_GE(*edits, kMost);
}

TEST(SynonymVotes, TheEditsBesideCandidatesAreTheTrueNumber) {
  Stream stream(1, 0, 0, 0);
  std::vector<int> seen(kMost + 2);  // by the least harmful number
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    expect_true_edits(random_game(stream), std::nullopt, seen);
    if (HasFailure()) return;
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(SynonymVotes, AThresholdIsKept) {
  Stream stream(2, 0, 0, 0);
  std::vector<int> seen(kMost + 2);
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    expect_true_edits(game, stream.below(5), seen);
    if (HasFailure()) return;
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

// Without any they are the exact certificate's.
TEST(SynonymVotes, WithoutCandidatesTheyAreThoseOfTheWords) {
  Stream stream(3, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    Game game = random_game(stream);
    game.candidates = SynonymTable();
    std::vector<int32_t> scores;
    for (const WordId word : game.text) {
      const auto row =
          game.table.begin() + static_cast<ptrdiff_t>(word) * static_cast<ptrdiff_t>(game.classes);
      scores.insert(scores.end(), row, row + static_cast<ptrdiff_t>(game.classes));
    }
    const VoteRule rule = game.rule();
    EXPECT_EQ(edits_beside_candidates(rule, game.table, game.candidates, game.text),
              TextVotes(rule, scores).certified().radius(Operation::kEdit))
        << trial;
  }
}

}  // namespace
}  // namespace textcrs
