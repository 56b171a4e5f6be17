// Words that vote once against brute force: every multiset of a small vocabulary is a text an
// adversary may make.
#include "certify/presence_votes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <numeric>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

// A vocabulary of a few words with their scores, and a text by how often each word stands in it.
struct Game {
  size_t classes = 2;
  std::vector<int32_t> table;  // (words, classes)
  std::vector<int64_t> bias;
  std::vector<int> counts;  // of every word

  size_t words() const { return counts.size(); }
  int units() const { return std::accumulate(counts.begin(), counts.end(), 0); }

  RankedGains ranked() const {
    std::vector<int64_t> all(words());
    std::iota(all.begin(), all.end(), 0);
    return ranked_gains(table, classes, all);
  }

  PresenceVotes votes(const RankedGains& ranked,
                      std::optional<int64_t> threshold = std::nullopt) const {
    std::vector<int64_t> present;
    std::vector<int> copies;
    for (size_t w = 0; w < words(); ++w) {
      if (counts[w] == 0) continue;
      present.push_back(static_cast<int64_t>(w));
      copies.push_back(counts[w]);
    }
    return {bias, ranked, table, present, copies, threshold};
  }

  std::vector<int64_t> sums(const std::vector<int>& of) const {
    std::vector<int64_t> sums = bias;
    for (size_t w = 0; w < words(); ++w)
      for (size_t c = 0; c < classes && of[w] > 0; ++c) sums[c] += table[w * classes + c];
    return sums;
  }

  // The first class of the largest sum.
  size_t answer(const std::vector<int>& of) const {
    const std::vector<int64_t> all = sums(of);
    return static_cast<size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  }

  // Of a class over the best other one.
  int64_t lead(const std::vector<int>& of, size_t ahead) const {
    const std::vector<int64_t> all = sums(of);
    int64_t least = INT64_MAX;
    for (size_t c = 0; c < classes; ++c)
      if (c != ahead) least = std::min(least, all[ahead] - all[c]);
    return least;
  }
};

Game random_game(Stream& stream) {
  Game game;
  game.classes = 2 + stream.below(2);
  game.counts.resize(2 + stream.below(4));
  // Few values, so that ties are frequent.
  const auto small = [&](int around) {
    return static_cast<int32_t>(stream.below(2 * static_cast<uint32_t>(around) + 1)) - around;
  };
  for (size_t i = 0; i < game.words() * game.classes; ++i) game.table.push_back(small(3));
  for (size_t c = 0; c < game.classes; ++c) game.bias.push_back(small(4));
  for (int& count : game.counts) count = static_cast<int>(stream.below(4));
  return game;
}

// Every set of words is reached, from the text, with all the copies that it keeps: one copy of a
// new word is as good as many.
void for_all_texts(
    const Game& game,
    const std::function<void(int lost, int gained, const std::vector<int>&)>& visit) {
  std::vector<int> now(game.words());
  while (true) {
    int lost = 0, gained = 0;
    for (size_t w = 0; w < now.size(); ++w) {
      lost += std::max(0, game.counts[w] - now[w]);
      gained += std::max(0, now[w] - game.counts[w]);
    }
    visit(lost, gained, now);
    size_t w = 0;
    while (w < now.size() && ++now[w] > std::max(1, game.counts[w])) now[w++] = 0;
    if (w == now.size()) return;
  }
}

// The least number of edits of a kind that is harmful; INT_MAX: none.
struct Truth {
  int deletion = INT_MAX, insertion = INT_MAX, substitution = INT_MAX, edit = INT_MAX;
};

using IsHarmful = std::function<bool(const std::vector<int>&)>;

Truth truth_of(const Game& game, const IsHarmful& is_harmful) {
  Truth truth;
  for_all_texts(game, [&](int lost, int gained, const std::vector<int>& now) {
    if (!is_harmful(now)) return;
    if (gained == 0) truth.deletion = std::min(truth.deletion, lost);
    if (lost == 0) truth.insertion = std::min(truth.insertion, gained);
    if (lost == gained) truth.substitution = std::min(truth.substitution, lost);
    truth.edit = std::min(truth.edit, std::max(lost, gained));
  });
  return truth;
}

void expect_true_radii(const CertifiedSet& set, const Truth& truth, int units) {
  const auto expected = [](int harmful, double without) {
    return harmful == INT_MAX ? without : harmful - 1;
  };
  EXPECT_EQ(set.radius(Operation::kDeletion), expected(truth.deletion, units));
  EXPECT_EQ(set.radius(Operation::kInsertion), expected(truth.insertion, kUnlimited));
  EXPECT_EQ(set.radius(Operation::kEdit), expected(truth.edit, kUnlimited));
  EXPECT_LE(set.radius(Operation::kSubstitution), expected(truth.substitution, units));
  EXPECT_EQ(set.radius(Operation::kSubstitution),
            std::min<double>(units, set.radius(Operation::kEdit)));
  EXPECT_EQ(set.radius(Operation::kReordering), kUnlimited);
}

TEST(PresenceVotes, RadiiAreTheTrueOnes) {
  Stream stream(1, 0, 0, 0);
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const RankedGains ranked = game.ranked();
    const PresenceVotes votes = game.votes(ranked);
    const size_t answer = game.answer(game.counts);
    ASSERT_EQ(votes.prediction(), static_cast<int>(answer));
    EXPECT_EQ(votes.totals(), game.sums(game.counts));
    ASSERT_TRUE(votes.certified().certified);
    expect_true_radii(
        votes.certified(),
        truth_of(game, [&](const std::vector<int>& now) { return game.answer(now) != answer; }),
        game.units());
    if (HasFailure()) return;
  }
}

TEST(PresenceVotes, AreKeptForJustThePairsThatHarmNothing) {
  Stream stream(2, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Game game = random_game(stream);
    const RankedGains ranked = game.ranked();
    const PresenceVotes votes = game.votes(ranked);
    const size_t answer = game.answer(game.counts);
    const int units = game.units(), words = static_cast<int>(game.words());
    std::vector<std::vector<bool>> harmless(size_t(units) + 3,
                                            std::vector<bool>(size_t(words) + 3, true));
    for_all_texts(game, [&](int lost, int gained, const std::vector<int>& now) {
      if (game.answer(now) == answer) return;
      for (size_t a = size_t(lost); a < harmless.size(); ++a)
        for (size_t b = size_t(gained); b < harmless[a].size(); ++b) harmless[a][b] = false;
    });
    const auto frontier = votes.certified().frontier;
    for (size_t a = 0; a < harmless.size(); ++a)
      for (size_t b = 0; b < harmless[a].size(); ++b) {
        EXPECT_EQ(votes.keeps(a, b), harmless[a][b])
            << trial << ": " << a << " lost, " << b << " gained";
        const bool inside = std::any_of(frontier.begin(), frontier.end(), [&](const auto& pair) {
          return static_cast<int>(a) <= pair.first && static_cast<int>(b) <= pair.second;
        });
        if (!frontier.empty() && a <= size_t(units)) {
          EXPECT_EQ(inside, harmless[a][b]) << trial;
        }
      }
    if (HasFailure()) return;
  }
}

TEST(PresenceVotes, TheWitnessChangesTheAnswer) {
  Stream stream(3, 0, 0, 0);
  int seen = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const RankedGains ranked = game.ranked();
    const PresenceVotes votes = game.votes(ranked);
    const double harmless = votes.certified().radius(Operation::kEdit);
    const auto witness = votes.witness();
    ASSERT_EQ(witness.has_value(), harmless != kUnlimited);
    if (!witness) continue;
    ++seen;
    std::vector<int> edited = game.counts;
    size_t lost = 0;
    for (const size_t index : witness->lost) {
      int& count = edited[static_cast<size_t>(votes.words()[index])];
      EXPECT_GT(count, 0);
      lost += static_cast<size_t>(count);
      count = 0;
    }
    for (const int64_t word : witness->gained) {
      EXPECT_EQ(game.counts[static_cast<size_t>(word)], 0);
      ++edited[static_cast<size_t>(word)];
    }
    EXPECT_EQ(std::max(lost, witness->gained.size()), static_cast<size_t>(harmless) + 1);
    EXPECT_NE(game.answer(edited), game.answer(game.counts));
    if (HasFailure()) return;
  }
  EXPECT_GT(seen, 1000);
}

TEST(PresenceVotes, AThresholdIsKept) {
  Stream stream(4, 0, 0, 0);
  int clear = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const RankedGains ranked = game.ranked();
    const int64_t threshold = stream.below(4);
    const PresenceVotes votes = game.votes(ranked, threshold);
    const size_t answer = game.answer(game.counts);
    EXPECT_EQ(votes.is_clear(), game.lead(game.counts, answer) > threshold);
    EXPECT_EQ(votes.certified().certified, votes.is_clear());
    if (!votes.is_clear()) {
      EXPECT_FALSE(votes.witness());
      EXPECT_FALSE(votes.keeps(0, 0));
      continue;
    }
    ++clear;
    expect_true_radii(
        votes.certified(),
        truth_of(game,
                 [&](const std::vector<int>& now) { return game.lead(now, answer) <= threshold; }),
        game.units());
    if (HasFailure()) return;
  }
  EXPECT_GT(clear, 500);
}

TEST(PresenceVotes, WhatIsLeftOfTheLeadIsTheLeast) {
  Stream stream(5, 0, 0, 0);
  for (int trial = 0; trial < 2000; ++trial) {
    const Game game = random_game(stream);
    const RankedGains ranked = game.ranked();
    const size_t answer = game.answer(game.counts);
    std::optional<int64_t> threshold;
    if (stream.below(2) == 0) threshold = stream.below(4);
    const PresenceVotes votes = game.votes(ranked, threshold);
    std::vector<int64_t> least(12, INT64_MAX);
    for_all_texts(game, [&](int lost, int gained, const std::vector<int>& now) {
      for (size_t r = size_t(std::max(lost, gained)); r < least.size(); ++r)
        least[r] = std::min(least[r], game.lead(now, answer));
    });
    for (size_t r = 0; r < least.size(); ++r) {
      const int64_t left = votes.lead_after(r);
      if (least[r] < 0)
        EXPECT_LT(left, 0) << trial << ": " << r << " edits";
      else
        EXPECT_EQ(left, least[r]) << trial << ": " << r << " edits";
    }
    if (HasFailure()) return;
  }
}

// All copies of a word must go, and a word that is there brings nothing.
TEST(PresenceVotes, CountsAWordOnce) {
  const std::vector<int32_t> table = {5, 0, 0, 3, 0, 2};
  const std::vector<int64_t> bias = {0, 0}, all = {0, 1, 2};
  const RankedGains ranked = ranked_gains(table, 2, all);
  EXPECT_EQ(ranked[1], (std::vector<std::pair<int64_t, int64_t>>{{3, 1}, {2, 2}}));
  const PresenceVotes votes(bias, ranked, table, {0, 2}, {4, 1});
  EXPECT_EQ(votes.totals(), (std::vector<int64_t>{5, 2}));
  const CertifiedSet set = votes.certified();
  EXPECT_EQ(set.radius(Operation::kDeletion), 3);
  EXPECT_EQ(set.radius(Operation::kInsertion), kUnlimited);  // word 1 makes a tie, 2 is there
  EXPECT_EQ(set.radius(Operation::kEdit), 3);
}

}  // namespace
}  // namespace textcrs
