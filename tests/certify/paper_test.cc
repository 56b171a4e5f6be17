// The paper's formulas (docs/certificates.md, A): the published numbers, and the counterexamples.
#include <gtest/gtest.h>

#include <cmath>

#include "certify/oracle.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

using namespace oracle;

CertifiedSet paper(const char* spec, Bounds bounds, int words, int slots) {
  return make_certificate(spec, CertificateMode::kPaper, {slots})->certify(bounds, words);
}

CertifiedSet sound(const char* spec, Bounds bounds, int words, int slots) {
  return make_certificate(spec, CertificateMode::kSound, {slots})->certify(bounds, words);
}

TEST(PaperSubstitution, IsTheLargerOfTwoFormulas) {
  const char* spec = "substitute:kernel=staircase,size=50";  // eps = 5/50
  // ln(.9/.1) / .2 = 10.986 and -ln(.2) / .1 = 16.094, computed by hand from ln 9 and ln 5.
  EXPECT_NEAR(paper(spec, {0.9, 0.1}, 9, 9).radius(Operation::kSubstitution), std::log(5) / 0.1,
              1e-9);
  // Far apart: ln(.5/.0001) / .2 = 42.6 beats -ln(.5001) / .1 = 6.9.
  EXPECT_NEAR(paper(spec, {0.5, 0.0001}, 9, 9).radius(Operation::kSubstitution),
              std::log(5000) / 0.2, 1e-9);
  EXPECT_NEAR(paper("substitute:kernel=staircase,size=50,eps=1", {0.9, 0.1}, 9, 9)
                  .radius(Operation::kSubstitution),
              std::log(5), 1e-12);
  EXPECT_EQ(paper(spec, {0.9, 0}, 9, 9).radius(Operation::kSubstitution), kUnlimited);
  EXPECT_EQ(paper(spec, {0.9, 0.1}, 9, 9).find(Operation::kSubstitution)->unit, kUnitRanks);
}

// Around a substituted word the noise draws from that word's own list, not from a shifted copy of
// the first. Let "fine" be the first synonym of "good" and the only word that their lists of s = 50
// share, and let h say yA iff it sees a word of the list of "good": always around "good", but
// around "fine" only when the word stays itself.
TEST(PaperSubstitution, CounterexampleEachWordHasItsOwnList) {
  double sum = 0;
  for (int rank = 0; rank < 50; ++rank) sum += std::exp(-0.1 * rank);
  const double top_after = 1 / sum;
  const Bounds bounds{0.999, 0.001};  // from votes that were unanimous
  EXPECT_GE(
      paper("substitute:kernel=staircase,size=50", bounds, 1, 1).radius(Operation::kSubstitution),
      1);
  EXPECT_LT(top_after, 0.1);
}

// The same hole in a text that the formula covers, with the law of the noise itself.
TEST(PaperSubstitution, CoversATextThatFlips) {
  const WordId good = kFirstWord, fine = good + 1;
  std::vector<std::vector<WordId>> lists(104);
  const auto join = [&](WordId a, WordId b) {
    lists[static_cast<size_t>(a)].push_back(b);
    lists[static_cast<size_t>(b)].push_back(a);
  };
  join(good, fine);
  for (WordId other = 5; other < 53; ++other) join(good, other);
  for (WordId other = 53; other < 101; ++other) join(fine, other);
  const SynonymTable table("test", lists);
  const char* spec = "substitute:kernel=staircase,size=50";
  const Words text = {good}, edited = {fine};
  const auto noise = make_noise(spec, {nullptr, &table, 1});
  const auto top = [&](const Words& around) {  // P(h = yA), h: a word of the list of "good"
    double sum = 0;
    for (const auto& [copy, probability] : noise->law(around))
      sum += copy[0] < 53 ? probability : 0;
    return sum;
  };
  EXPECT_NEAR(top(text), 1, 1e-12);
  EXPECT_LT(top(edited), 0.25);
  CertificateContext context;
  context.synonyms = &table;
  const Coverage coverage =
      make_certificate(spec, CertificateMode::kPaper, context)->covers({0.99, 0.01}, text, edited);
  EXPECT_TRUE(coverage.covered);
  EXPECT_EQ(coverage.why, "1 synonym rank in all; up to 39.1202 may be");  // -ln(.02) / .1
}

TEST(PaperSubstitution, CoversAddsUpTheRanksOfTheWordsReplaced) {
  const SynonymTable table("test", {{}, {}, {}, {4, 5, 6, 7}, {3}, {3}, {3}, {3}});
  CertificateContext context;
  context.synonyms = &table;
  const auto certificate = make_certificate("substitute:kernel=staircase,size=4,eps=1",
                                            CertificateMode::kPaper, context);
  const Words text = {3, 4, 3};
  const auto covered = [&](const Words& edited, Bounds bounds) {
    return certificate->covers(bounds, text, edited).covered;
  };
  const Bounds four{0.99, 0.01}, three{0.98, 0.02}, any{1, 0};  // -ln(.02) = 3.9, -ln(.04) = 3.2
  EXPECT_TRUE(covered({5, 4, 4}, four));                        // 2 + 1
  EXPECT_TRUE(covered({6, 4, 3}, three));                       // 3
  EXPECT_FALSE(covered({6, 3, 3}, three));                      // 3 + 1
  EXPECT_TRUE(covered({6, 3, 6}, any));
  EXPECT_FALSE(covered({7, 4, 3}, any));  // the fourth candidate is beyond size - 1
  EXPECT_FALSE(covered({3, 5, 3}, any));  // no candidate of 4
  EXPECT_FALSE(covered({3, 4}, any));
  EXPECT_TRUE(covered(text, three));
  const auto bare = make_certificate("substitute:kernel=staircase,size=4", CertificateMode::kPaper,
                                     CertificateContext{});
  EXPECT_THROW(bare->covers(four, text, Words{3, 3, 3}), Error);
}

TEST(PaperReordering, IsLambdaTimesTheMargin) {
  EXPECT_NEAR(paper("reorder:groups=32", {0.9, 0.1}, 100, 256).radius(Operation::kReordering), 25.6,
              1e-12);
  EXPECT_NEAR(paper("reorder:block=32", {0.9, 0.1}, 100, 256).radius(Operation::kReordering), 25.6,
              1e-12);
  EXPECT_NEAR(paper("reorder:full", {0.9, 0.1}, 100, 256).radius(Operation::kReordering), 204.8,
              1e-9);
}

// All ways to split the positions into groups of L, each group shuffled.
ExactLaw groups_law(const ExactText& text, size_t length) {
  ExactLaw law;
  std::vector<size_t> order(text.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const Rational share = 1 / factorial(text.size());
  do {  // consecutive runs of a uniform order of the positions are the groups
    ExactLaw groups{{text, share}};
    for (size_t begin = 0; begin < order.size(); begin += length) {
      ExactLaw spread;
      for (const auto& [words, mass] : groups) {
        ExactText members;
        for (size_t i = begin; i < begin + length; ++i) members.push_back(words[order[i]]);
        ExactLaw orders;
        add_shuffled(members, mass, orders);
        for (const auto& [placed, part] : orders) {
          ExactText outcome = words;
          for (size_t i = 0; i < length; ++i) outcome[order[begin + i]] = placed[i];
          spread[outcome] += part;
        }
      }
      groups = spread;
    }
    for (const auto& [words, mass] : groups) law[words] += mass;
  } while (std::next_permutation(order.begin(), order.end()));
  return law;
}

TEST(PaperReordering, CounterexampleRandomGroups) {
  // n = 4, L = 2: total variation (n-L)/(n-1) = 2/3 after a swap of neighbours, where the Lipschitz
  // claim behind the formula allows 2/(2L) = 1/2.
  const ExactText text = distinct_words(4), swapped = {2, 1, 3, 4};
  const ExactLaw law = groups_law(text, 2), other = groups_law(swapped, 2);
  EXPECT_EQ(total_variation(law, other), Rational(2, 3));
  EXPECT_GT(total_variation(law, other), Rational(1, 2));
  EXPECT_EQ(find_certificate("reorder:groups=2", CertificateMode::kSound, {4}), nullptr);
}

// Both neighbours swapped are within the formula's radius, 3 * .7 >= 2, and some h flips.
TEST(PaperReordering, CoversATextThatFlips) {
  const Bounds bounds{0.85, 0.15};
  const ExactText text = distinct_words(6), swapped = {2, 1, 3, 4, 5, 6};
  const auto groups = make_certificate("reorder:groups=3", CertificateMode::kPaper, {6});
  EXPECT_TRUE(groups->covers(bounds, text, swapped).covered);
  EXPECT_FALSE(WorstCase(groups_law(text, 3), groups_law(swapped, 3)).robust(bounds));
  // Blocks make it a theorem, but for the tie that the paper includes: 4 * 1/2 = 2.
  const Bounds tie{0.75, 0.25};
  const WorstCase blocks(block_law(text, 4), block_law(swapped, 4));
  EXPECT_TRUE(make_certificate("reorder:block=4", CertificateMode::kPaper, {6})
                  ->covers(tie, text, swapped)
                  .covered);
  EXPECT_FALSE(make_certificate("reorder:block=4", CertificateMode::kSound, {6})
                   ->covers(tie, text, swapped)
                   .covered);
  EXPECT_FALSE(blocks.robust(tie));
  EXPECT_TRUE(blocks.robust({0.76, 0.24}));
}

TEST(PaperReordering, CoversTheLeastDisplacementOfRepeatedWords) {
  const auto paper_covers = [](Bounds bounds, const ExactText& edited) {
    return make_certificate("reorder:block=8", CertificateMode::kPaper, {9})
        ->covers(bounds, ExactText{3, 4, 3, 4}, edited)
        .covered;
  };
  EXPECT_TRUE(paper_covers({0.75, 0.25}, {4, 3, 4, 3}));  // two swaps: 4 <= 4
  EXPECT_FALSE(paper_covers({0.74, 0.26}, {4, 3, 4, 3}));
  EXPECT_FALSE(paper_covers({1, 0}, {4, 3, 4, 4}));
}

TEST(PaperReordering, CounterexampleFixedChunks) {
  // Chunks {1,2}{3,4} always cut at the same places: words 2 and 3 swapped give disjoint laws.
  const auto chunks = [](const ExactText& text) {
    ExactLaw law;
    for (const ExactText& left : {ExactText{text[0], text[1]}, ExactText{text[1], text[0]}})
      for (const ExactText& right : {ExactText{text[2], text[3]}, ExactText{text[3], text[2]}})
        law[{left[0], left[1], right[0], right[1]}] += Rational(1, 4);
    return law;
  };
  EXPECT_EQ(total_variation(chunks({1, 2, 3, 4}), chunks({1, 3, 2, 4})), 1);
}

TEST(PaperInsertion, IsCohensRadius) {
  // Phi^-1(.999) = 3.0902323, from tables of the normal distribution.
  const CertifiedSet set = paper("insert:sigma=0.2", {0.999, 0.001}, 10, 43);
  EXPECT_NEAR(set.radius(Operation::kInsertion), 0.2 * 3.0902323061678132, 1e-12);
  EXPECT_NEAR(set.radius(Operation::kReordering), 43 * 0.998, 1e-9);
  EXPECT_EQ(paper("insert:sigma=0.2", {1, 0}, 10, 43).radius(Operation::kInsertion), kUnlimited);
}

// The same search as in the theorem, in exact arithmetic.
int deletion_exactly(int n, double p, Bounds bounds) {
  const Rational q(p), pa(bounds.pa), pb(bounds.pb);
  const auto choose = [](int z, int d) {
    Rational result = 1;
    for (int i = 0; i < d; ++i) result = result * std::max(0, z - i) / (i + 1);
    return result;
  };
  int rare = -1;
  for (int z = 0; z <= n; ++z)
    if (choose(n, z) * power(q, z) * power(1 - q, n - z) <= pb) rare = z;
  if (rare < 0) return 0;
  int d = 0;
  while (d < n && choose(rare, d + 1) * pb <= pa) ++d;
  return d;
}

TEST(PaperDeletion, AgreesWithTheTheoremInExactArithmetic) {
  for (const auto& [spec, p] : {std::pair{"delete:p=0.3", 0.3},
                                {"delete:p=0.5", 0.5},
                                {"delete:p=0.7", 0.7},
                                {"delete:p=0.95", 0.95}})
    for (const int n : {1, 2, 3, 6, 10, 20, 43})
      for (const double pa : {0.51, 0.6, 0.75, 0.875, 0.9, 0.99, 0.999, 0.999999})
        for (const double pb : {1 - pa, (1 - pa) / 3})
          EXPECT_EQ(paper(spec, {pa, pb}, n, n).radius(Operation::kDeletion),
                    deletion_exactly(n, p, {pa, pb}))
              << spec << " n=" << n << " pA=" << pa << " pB=" << pb;
}

TEST(PaperDeletion, SpecialCases) {
  EXPECT_EQ(paper("delete:p=0.3", {0.9, 0}, 12, 43).radius(Operation::kDeletion),
            12);  // pA/pB infinite
  EXPECT_EQ(paper("delete:p=0.3", {0.9, 0.1}, 1, 1).radius(Operation::kDeletion),
            0);  // no z is rare
  EXPECT_EQ(paper("delete:p=0.5", {0.999, 0.001}, 900, 1000).radius(Operation::kDeletion), 0);
  EXPECT_EQ(paper("delete:p=0.5", {0.999, 0.001}, 900, 998).radius(Operation::kDeletion), 1);
  EXPECT_EQ(paper("delete:p=0.5", {0.9, 0.1}, 5, 9).find(Operation::kReordering), nullptr);
  EXPECT_NEAR(paper("universal:p=0.5", {0.9, 0.1}, 5, 9).radius(Operation::kReordering), 7.2,
              1e-12);
}

// n = 6, p = .3, pA = .99: the formula says that all six words may go. Take any classifier that
// says yA except, on the noisy copies with no word left of the first four, as often as its 1 %
// allows.
TEST(PaperDeletion, CounterexampleTooMuchForSixWords) {
  const Bounds bounds{0.99, 1 - 0.99};
  EXPECT_EQ(paper("universal:p=0.3", bounds, 6, 6).radius(Operation::kDeletion), 6);
  EXPECT_EQ(sound("universal:p=0.3", bounds, 6, 6).radius(Operation::kDeletion), 3);
  const ExactText text = distinct_words(6);
  const ExactLaw law = deletion_law(text, Rational(0.3), false);
  for (int d = 1; d <= 6; ++d) {
    const ExactText rest(text.begin() + d, text.end());
    const WorstCase worst(law, deletion_law(rest, Rational(0.3), false));
    EXPECT_EQ(worst.robust(bounds), d <= 3);
    // So the formula covers texts on which h flips, and the sound certificate none.
    EXPECT_TRUE(make_certificate("universal:p=0.3", CertificateMode::kPaper, {6})
                    ->covers(bounds, text, rest)
                    .covered);
    EXPECT_EQ(make_certificate("universal:p=0.3", CertificateMode::kSound, {6})
                  ->covers(bounds, text, rest)
                  .covered,
              d <= 3);
  }
}

TEST(PaperDeletion, CoversDeletionsAlone) {
  const Bounds bounds{0.99, 0.01};
  const ExactText text = {3, 4, 5, 4, 3, 6};
  const auto covered = [&](const char* spec, const ExactText& edited) {
    return make_certificate(spec, CertificateMode::kPaper, {6})
        ->covers(bounds, text, edited)
        .covered;
  };
  EXPECT_TRUE(covered("delete:p=0.3", {3, 5, 3}));
  EXPECT_FALSE(covered("delete:p=0.3", {5, 3, 3}));
  EXPECT_TRUE(covered("universal:p=0.3", {5, 3, 3}));
  EXPECT_TRUE(covered("universal:p=0.3", {6, 5, 4, 4, 3, 3}));
  EXPECT_TRUE(covered("delete:p=0.3", {}));
  for (const char* spec : {"delete:p=0.3", "universal:p=0.3"}) {
    EXPECT_FALSE(covered(spec, {3, 4, 5, 4, 3, 6, 6}));
    EXPECT_FALSE(covered(spec, {3, 5, 5}));
  }
  // n = 998, p = .5, pA = .999: one word may go.
  const auto one = make_certificate("delete:p=0.5", CertificateMode::kPaper, {998});
  EXPECT_TRUE(one->covers({0.999, 0.001}, text, ExactText{3, 4, 5, 4, 3}).covered);
  EXPECT_FALSE(one->covers({0.999, 0.001}, text, ExactText{3, 4, 5, 4}).covered);
}

// n = 43, p = .3, pA = .999 (the average length of AG News): the formula says less than the truth.
TEST(PaperDeletion, CounterexampleTooLittleForFortyThreeWords) {
  const Bounds bounds{0.999, 1 - 0.999};
  EXPECT_EQ(paper("universal:p=0.3", bounds, 43, 43).radius(Operation::kDeletion), 2);
  EXPECT_EQ(sound("universal:p=0.3", bounds, 43, 43).radius(Operation::kDeletion), 5);
}

}  // namespace
}  // namespace textcrs
