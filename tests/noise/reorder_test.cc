#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "kernels/blocks.h"
#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::fit;
using testing::kSmallestP;
using testing::total_variation;

TEST(Blocks, CutBeforeEveryPositionOfTheOffsetsClass) {
  EXPECT_TRUE(rc::check("the cuts are the g = offset mod length, 1 <= g < m", [] {
    const auto m = *rc::gen::inRange<size_t>(0, 20);
    const auto length = *rc::gen::inRange<size_t>(1, 25);
    const auto offset = *rc::gen::inRange<size_t>(0, length);
    std::set<size_t> cuts, expected;
    size_t covered = 0;
    for_each_block(m, length, offset, [&](size_t begin, size_t end) {
      RC_ASSERT(begin == covered);
      RC_ASSERT(begin < end);
      if (begin > 0) cuts.insert(begin);
      covered = end;
    });
    for (size_t g = 1; g < m; ++g)
      if (g % length == offset) expected.insert(g);
    RC_ASSERT(covered == m);
    RC_ASSERT(cuts == expected);
  }));
}

// n = 5, L = 3: the offsets 0, 1, 2 give blocks of 3+2, 1+3+1, 2+3 words, with 12, 6, 12 orders.
TEST(ReorderBlock, FiveWordsByHand) {
  const Law law = make_noise("reorder:block=3")->law(Words{3, 4, 5, 6, 7});
  EXPECT_EQ(law.size(), 23u);  // 12 + 6 + 12 - (2 + 2 + 4) + 1
  EXPECT_NEAR(law.at({3, 4, 5, 6, 7}), (1.0 / 12 + 1.0 / 6 + 1.0 / 12) / 3, 1e-15);
  EXPECT_NEAR(law.at({4, 3, 5, 6, 7}), (1.0 / 12 + 1.0 / 12) / 3, 1e-15);
  EXPECT_NEAR(law.at({3, 4, 6, 5, 7}), (1.0 / 6 + 1.0 / 12) / 3, 1e-15);
  EXPECT_NEAR(law.at({3, 6, 5, 4, 7}), (1.0 / 6) / 3, 1e-15);
  EXPECT_FALSE(law.contains({7, 6, 5, 4, 3}));
}

TEST(ReorderBlock, LongBlocksAreCutByTheOffsetsInsideTheText) {
  // L = 4, m = 2: only the offset 1 cuts, so the two orders have 1/4 + 3/4 * 1/2 and 3/8.
  const Law law = make_noise("reorder:block=4")->law(Words{3, 4});
  EXPECT_NEAR(law.at({3, 4}), 0.625, 1e-15);
  EXPECT_NEAR(law.at({4, 3}), 0.375, 1e-15);
}

TEST(ReorderBlock, BlocksOfOneAreNoNoise) {
  EXPECT_EQ(make_noise("reorder:block=1")->law(Words{3, 4, 5}), (Law{{{3, 4, 5}, 1.0}}));
}

// docs/certificates.md, B4: one of the L offsets cuts between two neighbours.
TEST(ReorderBlock, SwappedNeighboursMoveOneOffset) {
  const auto noise = make_noise("reorder:block=3");
  const Words text = {3, 4, 5, 6, 7, 8};
  for (size_t gap = 1; gap < text.size(); ++gap) {
    Words swapped = text;
    std::swap(swapped[gap - 1], swapped[gap]);
    EXPECT_NEAR(total_variation(noise->law(text), noise->law(swapped)), 1.0 / 3, 1e-12);
  }
}

TEST(ReorderFull, EveryReorderingHasTheSameLaw) {
  const auto noise = make_noise("reorder:full");
  Words text = {3, 4, 5, 5};
  const Law law = noise->law(text);
  EXPECT_EQ(law.size(), 12u);
  do {
    EXPECT_EQ(noise->law(text), law);
    EXPECT_GT(fit(*noise, text, law), kSmallestP);
  } while (std::next_permutation(text.begin(), text.end()));
}

// All orders of the positions, cut into pairs; each pair swapped or not.
TEST(ReorderGroups, LawByPermutations) {
  for (const Words& text : {Words{3, 4, 5, 6, 7}, Words{3, 4, 3, 4, 4}}) {
    Law law;
    std::array<size_t, 5> order = {0, 1, 2, 3, 4};
    do {
      for (int swaps = 0; swaps < 4; ++swaps) {
        Words words = text;
        if (swaps & 1) std::swap(words[order[0]], words[order[1]]);
        if (swaps & 2) std::swap(words[order[2]], words[order[3]]);
        law[words] += 1.0 / (120 * 4);
      }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_LT(total_variation(make_noise("reorder:groups=2")->law(text), law), 1e-12);
  }
}

// docs/certificates.md, A: the counterexample to the paper's reordering radius.
TEST(ReorderGroups, SwappedNeighboursAreFarApart) {
  const auto noise = make_noise("reorder:groups=4");
  const Law law = noise->law(Words{3, 4, 5, 6, 7, 8, 9, 10});
  const Law swapped = noise->law(Words{3, 4, 6, 5, 7, 8, 9, 10});
  EXPECT_NEAR(testing::total(law), 1, 1e-12);
  EXPECT_NEAR(total_variation(law, swapped), 4.0 / 7, 1e-12);
}

TEST(ReorderGroups, OneGroupIsTheFullShuffle) {
  const Words text = {3, 4, 5, 4};
  const Law full = make_noise("reorder:full")->law(text);
  EXPECT_LT(total_variation(make_noise("reorder:groups=4")->law(text), full), 1e-12);
  EXPECT_LT(total_variation(make_noise("reorder:groups=9")->law(text), full), 1e-12);
}

TEST(ReorderSorted, OneOutcomeAnOffset) {
  const auto noise = make_noise("reorder:block=3,order=sorted");
  const Words text = {3, 4, 5, 6, 7};
  ASSERT_EQ(noise->outcomes(text), 3u);
  std::vector<Words> outcomes(3);
  for (uint64_t k = 0; k < 3; ++k) noise->outcome(text, k, outcomes[k]);
  const auto is_block = [](const Words& words, size_t begin, Words expected) {
    Words block(words.begin() + static_cast<int>(begin),
                words.begin() + static_cast<int>(begin + expected.size()));
    std::sort(block.begin(), block.end());
    return block == expected;
  };
  EXPECT_TRUE(is_block(outcomes[0], 0, {3, 4, 5}) && is_block(outcomes[0], 3, {6, 7}));
  EXPECT_TRUE(is_block(outcomes[1], 1, {4, 5, 6}) && outcomes[1][0] == 3 && outcomes[1][4] == 7);
  EXPECT_TRUE(is_block(outcomes[2], 0, {3, 4}) && is_block(outcomes[2], 2, {5, 6, 7}));
}

// Computed with an independent program: certificates counted today must hold tomorrow.
TEST(ReorderSorted, TheOrderNeverChanges) {
  Words out;
  make_noise("reorder:block=9,order=sorted")->outcome(Words{3, 4, 5, 6, 7, 8, 9, 10, 11}, 0, out);
  EXPECT_EQ(out, (Words{10, 7, 3, 11, 9, 5, 4, 6, 8}));
}

// docs/certificates.md, B9: an offset's outcome changes only if it cuts inside a moved interval.
TEST(ReorderSorted, OutcomesSeeOnlyTheMovesAcrossTheirCuts) {
  EXPECT_TRUE(rc::check("offsets that do not cut the interval agree", [] {
    const auto m = *rc::gen::inRange<size_t>(1, 30);
    const auto length = *rc::gen::inRange<size_t>(1, 10);
    const auto text = *rc::gen::container<Words>(m, rc::gen::inRange<WordId>(3, 12));
    const auto begin = *rc::gen::inRange<size_t>(0, m);
    const auto end = *rc::gen::inRange<size_t>(begin, m) + 1;
    Words moved = text;
    Stream stream(*rc::gen::arbitrary<uint64_t>(), 0, 0);
    stream.shuffle(std::span(moved).subspan(begin, end - begin));
    const auto noise = make_noise("reorder:block=" + std::to_string(length) + ",order=sorted");
    std::set<size_t> cut;
    for (size_t gap = begin + 1; gap < end; ++gap) cut.insert(gap % length);
    Words a, b;
    for (size_t k = 0; k < length; ++k) {
      if (cut.contains(k)) continue;
      noise->outcome(text, k, a);
      noise->outcome(moved, k, b);
      RC_ASSERT(a == b);
    }
  }));
}

}  // namespace
}  // namespace textcrs
