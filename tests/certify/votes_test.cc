// B10 against brute force: every multiset of a small vocabulary is a text an adversary may make.
#include "textcrs/certify/votes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

// A vocabulary of a few words with their scores, and texts of them.
struct Game {
  size_t classes = 2;
  std::vector<int32_t> table;  // (words, classes)
  std::vector<int64_t> bias;
  std::vector<size_t> text;  // words by their row

  size_t words() const { return table.size() / classes; }
  std::vector<int32_t> scores(const std::vector<size_t>& of) const {
    std::vector<int32_t> rows;
    for (const size_t word : of)
      rows.insert(rows.end(), table.begin() + static_cast<ptrdiff_t>(word * classes),
                  table.begin() + static_cast<ptrdiff_t>((word + 1) * classes));
    return rows;
  }
  VoteRule rule() const { return VoteRule::of_table(bias, table); }

  // Written down once more, from the definition.
  std::vector<int64_t> sums(const std::vector<size_t>& of) const {
    std::vector<int64_t> sums = bias;
    for (const size_t word : of)
      for (size_t c = 0; c < classes; ++c) sums[c] += table[word * classes + c];
    return sums;
  }
  // The first class of the largest sum.
  int answer(const std::vector<size_t>& of) const {
    const std::vector<int64_t> all = sums(of);
    size_t best = 0;
    for (size_t c = 1; c < classes; ++c)
      if (all[c] > all[best]) best = c;
    return static_cast<int>(best);
  }
  // Over the next best class.
  int64_t lead(const std::vector<size_t>& of) const {
    std::vector<int64_t> all = sums(of);
    std::sort(all.rbegin(), all.rend());
    return all[0] - all[1];
  }
};

Game random_game(Stream& stream) {
  Game game;
  game.classes = 2 + stream.below(2);
  const size_t words = 2 + stream.below(3);
  // Few values, so that ties are frequent.
  const auto small = [&](int around) {
    return static_cast<int32_t>(stream.below(2 * static_cast<uint32_t>(around) + 1)) - around;
  };
  for (size_t i = 0; i < words * game.classes; ++i) game.table.push_back(small(3));
  for (size_t c = 0; c < game.classes; ++c) game.bias.push_back(small(4));
  for (size_t i = stream.below(5); i > 0; --i) game.text.push_back(stream.below(words));
  return game;
}

std::vector<int> counts_of(const Game& game, const std::vector<size_t>& text) {
  std::vector<int> counts(game.words());
  for (const size_t word : text) ++counts[word];
  return counts;
}

using Visit = std::function<void(const std::vector<size_t>& text, int lost, int gained)>;

// Visits every multiset of up to `most` copies of each word.
void for_all_texts(const Game& game, int most, const Visit& visit) {
  const std::vector<int> before = counts_of(game, game.text);
  std::vector<int> now(game.words());
  while (true) {
    std::vector<size_t> text;
    int lost = 0, gained = 0;
    for (size_t w = 0; w < now.size(); ++w) {
      text.insert(text.end(), static_cast<size_t>(now[w]), w);
      lost += std::max(0, before[w] - now[w]);
      gained += std::max(0, now[w] - before[w]);
    }
    visit(text, lost, gained);
    size_t w = 0;
    while (w < now.size() && ++now[w] > most) now[w++] = 0;
    if (w == now.size()) return;
  }
}

// The least number of edits of a kind that changes the answer, if one in reach does.
struct Truth {
  int deletion = INT_MAX, insertion = INT_MAX, substitution = INT_MAX, edit = INT_MAX;
};

Truth truth_of(const Game& game, int most) {
  Truth truth;
  const int answer = game.answer(game.text);
  for_all_texts(game, most, [&](const std::vector<size_t>& text, int lost, int gained) {
    if (game.answer(text) == answer) return;
    if (gained == 0) truth.deletion = std::min(truth.deletion, lost);
    if (lost == 0) truth.insertion = std::min(truth.insertion, gained);
    if (lost == gained) truth.substitution = std::min(truth.substitution, lost);
    truth.edit = std::min(truth.edit, std::max(lost, gained));
  });
  return truth;
}

constexpr int kMost = 7;  // copies of a word in the enumeration

// A radius is one less than the least harmful number, as far as the enumeration reaches.
void expect_exact(double radius, int harmful, int reach, const char* what) {
  if (harmful <= reach)
    EXPECT_EQ(radius, harmful - 1) << what;
  else
    EXPECT_GE(radius, reach) << what;
}

TEST(Votes, RadiiAreTheTrueOnes) {
  Stream stream(1, 0, 0, 0);
  for (int trial = 0; trial < 3000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores);
    ASSERT_EQ(votes.prediction(), game.answer(game.text)) << trial;
    const CertifiedSet set = votes.certified();
    ASSERT_TRUE(set.certified);
    const Truth truth = truth_of(game, kMost);
    SCOPED_TRACE(trial);
    const int size = static_cast<int>(game.text.size()), reach = kMost - size;
    expect_exact(set.radius(Operation::kDeletion), truth.deletion, size, "deletion");
    expect_exact(set.radius(Operation::kSubstitution), truth.substitution, size, "substitution");
    expect_exact(set.radius(Operation::kInsertion), truth.insertion, reach, "insertion");
    expect_exact(set.radius(Operation::kEdit), truth.edit, reach, "edit");
    EXPECT_EQ(set.radius(Operation::kReordering), kUnlimited);
    if (HasFailure()) return;
  }
}

TEST(Votes, AreKeptForJustThePairsThatHarmNothing) {
  Stream stream(2, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores);
    const int size = static_cast<int>(game.text.size()), reach = kMost - size;
    std::vector<std::vector<bool>> harmless(
        static_cast<size_t>(size) + 1, std::vector<bool>(static_cast<size_t>(reach) + 1, true));
    for_all_texts(game, kMost, [&](const std::vector<size_t>& text, int lost, int gained) {
      if (game.answer(text) == votes.prediction()) return;
      for (int a = lost; a <= size; ++a)
        for (int b = gained; b <= reach; ++b) harmless[size_t(a)][size_t(b)] = false;
    });
    const auto frontier = votes.certified().frontier;
    for (int a = 0; a <= size; ++a)
      for (int b = 0; b <= reach; ++b) {
        EXPECT_EQ(votes.keeps(size_t(a), size_t(b)), harmless[size_t(a)][size_t(b)])
            << trial << ": " << a << " lost, " << b << " gained";
        const bool inside = std::any_of(frontier.begin(), frontier.end(), [&](const auto& pair) {
          return a <= pair.first && b <= pair.second;
        });
        if (!frontier.empty()) {
          EXPECT_EQ(inside, harmless[size_t(a)][size_t(b)]) << trial;
        }
      }
    if (HasFailure()) return;
  }
}

TEST(Votes, TheWitnessChangesTheAnswer) {
  Stream stream(3, 0, 0, 0);
  int seen = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores);
    const double harmless = votes.certified().radius(Operation::kEdit);
    const auto witness = votes.witness();
    ASSERT_EQ(witness.has_value(), harmless != kUnlimited);
    if (!witness) continue;
    ++seen;
    EXPECT_EQ(std::max(witness->lost.size(), witness->gained.size()),
              static_cast<size_t>(harmless) + 1);
    std::vector<size_t> edited;
    for (size_t place = 0; place < game.text.size(); ++place)
      if (std::find(witness->lost.begin(), witness->lost.end(), place) == witness->lost.end())
        edited.push_back(game.text[place]);
    edited.insert(edited.end(), witness->gained.begin(), witness->gained.end());
    EXPECT_EQ(edited.size(), game.text.size() - witness->lost.size() + witness->gained.size());
    EXPECT_NE(game.answer(edited), votes.prediction()) << trial;
    if (HasFailure()) return;
  }
  EXPECT_GT(seen, 1000);
}

// B11: above the threshold the votes answer, below it anything may.
TEST(Votes, AThresholdIsKept) {
  Stream stream(4, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const int64_t threshold = stream.below(4);
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores, threshold);
    EXPECT_EQ(votes.is_clear(), game.lead(game.text) > threshold);
    EXPECT_EQ(votes.certified().certified, votes.is_clear());
    if (!votes.is_clear()) continue;
    const int size = static_cast<int>(game.text.size()), reach = kMost - size;
    int harmful = INT_MAX;
    for_all_texts(game, kMost, [&](const std::vector<size_t>& text, int lost, int gained) {
      if (game.lead(text) <= threshold || game.answer(text) != votes.prediction())
        harmful = std::min(harmful, std::max(lost, gained));
    });
    expect_exact(votes.certified().radius(Operation::kEdit), harmful, reach, "edit");
    if (HasFailure()) return;
  }
}

// The radius at every threshold, and the radius without one but for ties.
TEST(Votes, WhatIsLeftOfTheLeadDecidesAtEveryThreshold) {
  Stream stream(5, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores);
    EXPECT_EQ(votes.lead_after(0), game.lead(game.text));
    for (int64_t threshold = 0; threshold < 5; ++threshold) {
      const CertifiedSet set = TextVotes(rule, scores, threshold).certified();
      for (size_t edits = 0; edits < 8; ++edits)
        EXPECT_EQ(votes.lead_after(edits) > threshold,
                  set.certified && set.radius(Operation::kEdit) >= static_cast<double>(edits))
            << trial << ": " << edits << " edits, threshold " << threshold;
    }
    if (HasFailure()) return;
  }
}

// With a threshold, too, which says nothing about the lead.
TEST(Votes, WhatIsLeftOfTheLeadIsTheLeast) {
  Stream stream(6, 0, 0, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Game game = random_game(stream);
    const VoteRule rule = game.rule();
    const std::vector<int32_t> scores = game.scores(game.text);
    const TextVotes votes(rule, scores), above(rule, scores, stream.below(6));
    const auto answer = static_cast<size_t>(votes.prediction());
    for (size_t edits = 0; edits < 6; ++edits) {
      int64_t least = INT64_MAX;
      for (size_t other = 0; other < game.classes; ++other) {
        if (other == answer) continue;
        std::vector<int64_t> losses;
        for (size_t i = 0; i < game.text.size(); ++i)
          losses.push_back(
              std::max(0, scores[i * game.classes + answer] - scores[i * game.classes + other]));
        std::sort(losses.rbegin(), losses.rend());
        int64_t lead = votes.totals()[answer] - votes.totals()[other];
        for (size_t k = 0; k < edits; ++k)
          lead -= (k < losses.size() ? losses[k] : 0) + rule.gain(answer, other).votes();
        least = std::min(least, lead);
      }
      for (const TextVotes* of : {&votes, &above}) {
        if (least < 0)
          EXPECT_LT(of->lead_after(edits), 0) << trial << ": " << edits << " edits";
        else
          EXPECT_EQ(of->lead_after(edits), least) << trial << ": " << edits << " edits";
      }
    }
    if (HasFailure()) return;
  }
}

TEST(Votes, ATextWithoutUnitsIsTheBias) {
  const VoteRule rule = VoteRule::of_table({3, 5}, std::vector<int32_t>{1, 0, 0, 1});
  const TextVotes votes(rule, {});
  EXPECT_EQ(votes.prediction(), 1);
  EXPECT_EQ(votes.lead_after(0), 2);
  const CertifiedSet set = votes.certified();
  EXPECT_EQ(set.radius(Operation::kInsertion), 1);  // two make a tie, which class 0 wins
  EXPECT_EQ(set.radius(Operation::kDeletion), 0);
  EXPECT_EQ(set.radius(Operation::kEdit), 1);
}

TEST(Votes, ATieGoesToTheLowestClass) {
  const VoteRule rule = VoteRule::of_table({0, 0}, std::vector<int32_t>{1, 0, 0, 1});
  const std::vector<int32_t> even = {1, 0, 0, 1}, ahead = {1, 0};
  EXPECT_EQ(TextVotes(rule, even).prediction(), 0);
  EXPECT_EQ(TextVotes(rule, even).certified().radius(Operation::kInsertion), 0);
  EXPECT_EQ(TextVotes(rule, ahead).certified().radius(Operation::kInsertion), 1);
}

TEST(Votes, WordsThatNeverChangeSides) {
  const VoteRule rule = VoteRule::of_table({1, 0}, std::vector<int32_t>{2, 2, 5, 1});
  const std::vector<int32_t> text = {5, 1};
  const TextVotes votes(rule, text);
  EXPECT_EQ(votes.certified().radius(Operation::kInsertion), kUnlimited);
  EXPECT_EQ(votes.certified().radius(Operation::kEdit), kUnlimited);
  EXPECT_FALSE(votes.witness());
}

// Sums of the largest scores over the longest texts stay far from the limits of 64 bits.
TEST(Votes, DoNotOverflow) {
  const std::vector<int32_t> table = {kLargestScore, -kLargestScore, -kLargestScore, kLargestScore};
  const VoteRule rule = VoteRule::of_table({0, 0}, table);
  std::vector<int32_t> text;
  for (int i = 0; i < 1'000'000; ++i) text.insert(text.end(), table.begin(), table.begin() + 2);
  const TextVotes votes(rule, text);
  EXPECT_EQ(votes.lead_after(0), 2'000'000LL * kLargestScore);
  EXPECT_EQ(votes.certified().radius(Operation::kInsertion), 1'000'000);
  EXPECT_EQ(votes.certified().radius(Operation::kDeletion), 1'000'000);
  EXPECT_EQ(votes.certified().radius(Operation::kEdit), 500'000);
  EXPECT_LT(votes.lead_after(SIZE_MAX), 0);
  text[0] = kLargestScore + 1;
  EXPECT_THROW(TextVotes(rule, text), std::logic_error);
}

}  // namespace
}  // namespace textcrs
