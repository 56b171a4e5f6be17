// Windows that vote against brute force: every text that a few edits make of a short one.
#include "certify/window_votes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using Words = std::vector<size_t>;
constexpr int kMost = 2;  // edits that are tried

// A vocabulary of a few words, a score for each, for each pair of neighbours, and for each three.
struct Game {
  size_t classes = 2, words = 2;
  std::vector<int64_t> bias;
  std::vector<std::vector<int32_t>> tables;  // of words, of windows of 2, of 3: (rows, classes)
  Words text;

  // The scores of a text's windows of so many words.
  std::vector<int32_t> scores(const Words& of, size_t width) const {
    std::vector<int32_t> rows;
    for (size_t first = 0; first + width <= of.size(); ++first) {
      size_t row = 0;
      for (size_t i = first; i < first + width; ++i) row = row * words + of[i];
      const auto at = tables[width - 1].begin() + static_cast<ptrdiff_t>(row * classes);
      rows.insert(rows.end(), at, at + static_cast<ptrdiff_t>(classes));
    }
    return rows;
  }

  std::vector<int64_t> sums(const Words& of) const {
    std::vector<int64_t> sums = bias;
    for (size_t width = 1; width <= tables.size(); ++width) {
      const std::vector<int32_t> rows = scores(of, width);
      for (size_t i = 0; i < rows.size(); ++i) sums[i % classes] += rows[i];
    }
    return sums;
  }

  size_t answer(const Words& of) const {
    const std::vector<int64_t> all = sums(of);
    return static_cast<size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  }

  // Of a class over the best other one.
  int64_t lead(const Words& of, size_t ahead) const {
    const std::vector<int64_t> all = sums(of);
    int64_t least = INT64_MAX;
    for (size_t c = 0; c < classes; ++c)
      if (c != ahead) least = std::min(least, all[ahead] - all[c]);
    return least;
  }

  WindowVotes votes(std::optional<int64_t> threshold = std::nullopt) const {
    const VoteRule rule = VoteRule::of_table(bias, tables[0]);
    std::vector<VoteRule> rules;
    for (size_t w = 1; w < tables.size(); ++w)
      rules.push_back(VoteRule::of_table(std::vector<int64_t>(classes), tables[w]));
    std::vector<WindowScores> windows;
    for (size_t w = 1; w < tables.size(); ++w)
      windows.push_back({rules[w - 1], scores(text, w + 1)});
    return {rule, scores(text, 1), windows, threshold};
  }
};

int32_t small(Stream& stream, int around) {
  return static_cast<int32_t>(stream.below(2 * static_cast<uint32_t>(around) + 1)) - around;
}

// Scores of few values, so that ties are frequent; a lead that some edits survive.
Game random_game(Stream& stream) {
  Game game;
  game.classes = 2 + stream.below(2);
  game.words = 2 + stream.below(2);
  size_t rows = 1;
  for (size_t width = 1, widths = 2 + stream.below(2); width <= widths; ++width) {
    rows *= game.words;
    const int around = static_cast<int>(stream.below(4));
    auto& table = game.tables.emplace_back(rows * game.classes);
    for (int32_t& score : table) score = small(stream, around);
  }
  for (size_t c = 0; c < game.classes; ++c) game.bias.push_back(small(stream, 2));
  game.bias[stream.below(static_cast<uint32_t>(game.classes))] += stream.below(60);
  for (size_t i = stream.below(6); i > 0; --i)
    game.text.push_back(stream.below(static_cast<uint32_t>(game.words)));
  return game;
}

struct Kinds {
  bool substitution = false, insertion = false, deletion = false;
};

// The texts that one edit makes.
void for_each_edit(const Game& game, const Words& text, Kinds kinds,
                   const std::function<void(Words)>& visit) {
  const auto at = [](Words& words, size_t i) { return words.begin() + static_cast<ptrdiff_t>(i); };
  for (size_t i = 0; i <= text.size(); ++i)
    for (size_t word = 0; word < game.words; ++word) {
      Words edited = text;
      if (kinds.insertion) {
        edited.insert(at(edited, i), word);
        visit(edited);
      }
      if (kinds.substitution && i < text.size()) {
        edited = text;
        edited[i] = word;
        visit(edited);
      }
      if (kinds.deletion && i < text.size()) {
        edited = text;
        edited.erase(at(edited, i));
        visit(edited);
      }
    }
}

// All texts that up to kMost edits of these kinds make, with the least number of them.
std::map<Words, int> within_reach(const Game& game, Kinds kinds) {
  std::map<Words, int> found = {{game.text, 0}};
  std::vector<Words> last = {game.text};
  for (int edits = 1; edits <= kMost; ++edits) {
    std::vector<Words> next;
    for (const Words& text : last)
      for_each_edit(game, text, kinds, [&](Words edited) {
        if (found.emplace(edited, edits).second) next.push_back(std::move(edited));
      });
    last = std::move(next);
  }
  return found;
}

// By what a guarantee is about.
const std::map<Operation, Kinds> kOperations = {
    {Operation::kSubstitution, {.substitution = true}},
    {Operation::kInsertion, {.insertion = true}},
    {Operation::kDeletion, {.deletion = true}},
    {Operation::kEdit, {.substitution = true, .insertion = true, .deletion = true}}};

// Checks every certified radius; counts those that say something, and those that end in reach.
struct Seen {
  int certified = 0, limited = 0;
};

void expect_sound(const Game& game, const CertifiedSet& set,
                  const std::function<bool(const Words&)>& is_harmful, Seen& seen) {
  for (const auto& [operation, kinds] : kOperations) {
    const double radius = set.radius(operation);
    seen.certified += radius > 0;
    seen.limited += radius > 0 && radius < kMost;
    for (const auto& [text, edits] : within_reach(game, kinds))
      if (edits <= radius) {
        EXPECT_FALSE(is_harmful(text)) << to_string(operation) << " " << edits;
      }
  }
}

TEST(WindowVotes, EveryRadiusHolds) {
  Stream stream(1, 0, 0, 0);
  Seen seen;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const WindowVotes votes = game.votes();
    const size_t answer = game.answer(game.text);
    ASSERT_EQ(votes.prediction(), static_cast<int>(answer));
    EXPECT_EQ(votes.totals(), game.sums(game.text));
    ASSERT_TRUE(votes.is_clear());
    const CertifiedSet set = votes.certified();
    ASSERT_TRUE(set.certified);
    EXPECT_LE(set.radius(Operation::kDeletion), game.text.size());
    EXPECT_LE(set.radius(Operation::kSubstitution), game.text.size());
    expect_sound(
        game, set, [&](const Words& text) { return game.answer(text) != answer; }, seen);
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.certified, 1000);
  EXPECT_GT(seen.limited, 500);
}

TEST(WindowVotes, AThresholdIsKept) {
  Stream stream(2, 0, 0, 0);
  Seen seen;
  for (int trial = 0; trial < 1500; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const int64_t threshold = stream.below(6);
    const WindowVotes votes = game.votes(threshold);
    const size_t answer = game.answer(game.text);
    EXPECT_EQ(votes.is_clear(), game.lead(game.text, answer) > threshold);
    EXPECT_EQ(votes.certified().certified, votes.is_clear());
    if (!votes.is_clear()) continue;
    expect_sound(
        game, votes.certified(),
        [&](const Words& text) { return game.lead(text, answer) <= threshold; }, seen);
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.limited, 100);
}

TEST(WindowVotes, WhatIsLeftOfTheLeadIsNoMoreThanThat) {
  Stream stream(3, 0, 0, 0);
  int positive = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    const Game game = random_game(stream);
    const size_t answer = game.answer(game.text);
    std::optional<int64_t> threshold;
    if (stream.below(2) == 0) threshold = stream.below(20);
    const WindowVotes votes = game.votes(threshold);
    EXPECT_EQ(votes.lead_after(0), game.lead(game.text, answer));
    for (const auto& [text, edits] : within_reach(game, kOperations.at(Operation::kEdit))) {
      const int64_t left = votes.lead_after(static_cast<size_t>(edits));
      positive += edits > 0 && left > 0;
      if (left >= 0) {
        EXPECT_GE(game.lead(text, answer), left) << edits << " edits";
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(positive, 1000);
}

TEST(WindowVotes, WhatIsLeftOfTheLeadAgreesWithTheRadius) {
  Stream stream(4, 0, 0, 0);
  for (int trial = 0; trial < 2000; ++trial) {
    const Game game = random_game(stream);
    const WindowVotes votes = game.votes();
    for (int64_t threshold = 0; threshold < 40; threshold += 3) {
      const CertifiedSet set = game.votes(threshold).certified();
      for (size_t edits = 0; edits < 8; ++edits)
        EXPECT_EQ(votes.lead_after(edits) > threshold,
                  set.certified && set.radius(Operation::kEdit) >= static_cast<double>(edits))
            << trial << ": " << edits << " edits, threshold " << threshold;
    }
    if (HasFailure()) return;
  }
}

// The most that an order of m words is away from another.
double farthest(size_t words) { return static_cast<double>(words * words / 2); }

TEST(WindowVotes, ACertifiedReorderingHoldsForAllOrders) {
  Stream stream(5, 0, 0, 0);
  int certified = 0, others = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Game game = random_game(stream);
    const WindowVotes votes = game.votes();
    const double radius = votes.certified().radius(Operation::kReordering);
    Words text = game.text;
    std::sort(text.begin(), text.end());
    if (text.size() < 2 || text.front() == text.back()) continue;
    if (radius == 0) {
      ++others;
      continue;
    }
    ++certified;
    EXPECT_EQ(radius, farthest(text.size()));
    do EXPECT_EQ(static_cast<int>(game.answer(text)), votes.prediction()) << trial;
    while (std::next_permutation(text.begin(), text.end()));
    if (HasFailure()) return;
  }
  EXPECT_GT(certified, 300);
  EXPECT_GT(others, 100);
}

// Any order is harmless, and so is any one edit, but not both: the order is not unlimited, which
// would say that it comes free with every other guarantee (CertifiedSet).
TEST(WindowVotes, NoReorderingIsPromisedBesideEdits) {
  Game game;
  game.words = 3;
  game.bias = {5, 0};
  game.tables = {{0, 0, 0, 0, 0, 2},
                 {}};  // the last word is for class 1, as are unequal neighbours
  for (size_t first = 0; first < 3; ++first)
    for (size_t second = 0; second < 3; ++second)
      game.tables[1].insert(game.tables[1].end(), {0, first == second ? 0 : 1});
  game.text = {0, 0, 0, 1, 1};
  const CertifiedSet set = game.votes().certified();
  EXPECT_EQ(set.radius(Operation::kEdit), 1);
  EXPECT_EQ(set.radius(Operation::kReordering), farthest(5));
  EXPECT_EQ(game.answer({0, 1, 0, 1, 0}), 0u);
  EXPECT_EQ(game.answer({0, 1, 0, 1, 2}), 1u);
  EXPECT_EQ(set.in_words().find("together"), std::string::npos) << set.in_words();
}

// The bounds by hand: one window of two words, which a word inserted between them takes away.
TEST(WindowVotes, OfTwoWords) {
  Game game;
  game.bias = {0, 0};
  game.tables = {{1, 0, 0, 1}, {4, 0, 0, 0, 0, 0, 0, 2}};
  game.text = {0, 0};
  const WindowVotes votes = game.votes();
  EXPECT_EQ(votes.totals(), (std::vector<int64_t>{6, 0}));
  // The word and the window go, a word of the other class and two windows come: 1 + 4 + 1 + 4.
  EXPECT_EQ(votes.lead_after(1), -4);
  const CertifiedSet set = votes.certified();
  EXPECT_EQ(set.radius(Operation::kEdit), 0);
  EXPECT_EQ(set.radius(Operation::kDeletion), 0);    // 1 + 4 + 2: a window over the gap
  EXPECT_EQ(set.radius(Operation::kInsertion), 0);   // 4 + 1 + 4
  EXPECT_EQ(set.radius(Operation::kReordering), 2);  // any
  EXPECT_TRUE(set.frontier.empty());
}

TEST(WindowVotes, ATextWithoutWordsIsTheBias) {
  Game game;
  game.bias = {20, 0};
  game.tables = {{1, 0, 0, 1}, {4, 0, 0, 0, 0, 0, 0, 2}};
  const CertifiedSet set = game.votes().certified();
  EXPECT_EQ(set.radius(Operation::kInsertion), 4);  // 1 + 2 * 2 each
  EXPECT_EQ(set.radius(Operation::kDeletion), 0);
  EXPECT_EQ(set.radius(Operation::kEdit), 4);
}

}  // namespace
}  // namespace textcrs
