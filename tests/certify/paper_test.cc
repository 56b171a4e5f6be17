// The paper's formulas (docs/certificates.md, A): the published numbers, and the counterexamples.
#include <gtest/gtest.h>

#include <cmath>

#include "certify/oracle.h"

namespace textcrs {
namespace {

using namespace oracle;

CertifiedSet paper(const char* spec, Bounds bounds, int words, int slots) {
  return make_certificate(spec, CertificateMode::kPaper, slots)->certify(bounds, words);
}

CertifiedSet sound(const char* spec, Bounds bounds, int words, int slots) {
  return make_certificate(spec, CertificateMode::kSound, slots)->certify(bounds, words);
}

TEST(PaperSubstitution, IsTheLargerOfTwoFormulas) {
  const char* spec = "substitute:kernel=staircase,size=50";  // eps = 5/50
  // ln(.9/.1) / .2 = 10.986 and -ln(.2) / .1 = 16.094, computed by hand from ln 9 and ln 5.
  EXPECT_NEAR(paper(spec, {0.9, 0.1}, 9, 9).radius("substitution"), std::log(5) / 0.1, 1e-9);
  // Far apart: ln(.5/.0001) / .2 = 42.6 beats -ln(.5001) / .1 = 6.9.
  EXPECT_NEAR(paper(spec, {0.5, 0.0001}, 9, 9).radius("substitution"), std::log(5000) / 0.2, 1e-9);
  EXPECT_NEAR(
      paper("substitute:kernel=staircase,size=50,eps=1", {0.9, 0.1}, 9, 9).radius("substitution"),
      std::log(5), 1e-12);
  EXPECT_EQ(paper(spec, {0.9, 0}, 9, 9).radius("substitution"), kUnlimited);
  EXPECT_EQ(paper(spec, {0.9, 0.1}, 9, 9).find("substitution")->unit, kUnitRanks);
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
  EXPECT_GE(paper("substitute:kernel=staircase,size=50", bounds, 1, 1).radius("substitution"), 1);
  EXPECT_LT(top_after, 0.1);
}

TEST(PaperReordering, IsLambdaTimesTheMargin) {
  EXPECT_NEAR(paper("reorder:groups=32", {0.9, 0.1}, 100, 256).radius("reordering"), 25.6, 1e-12);
  EXPECT_NEAR(paper("reorder:block=32", {0.9, 0.1}, 100, 256).radius("reordering"), 25.6, 1e-12);
  EXPECT_NEAR(paper("reorder:full", {0.9, 0.1}, 100, 256).radius("reordering"), 204.8, 1e-9);
}

// All ways to split the positions into groups of L, each group shuffled.
ExactLaw groups_law(const Text& text, size_t length) {
  ExactLaw law;
  std::vector<size_t> order(text.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const Rational share = 1 / factorial(text.size());
  do {  // consecutive runs of a uniform order of the positions are the groups
    ExactLaw groups{{text, share}};
    for (size_t begin = 0; begin < order.size(); begin += length) {
      ExactLaw spread;
      for (const auto& [words, mass] : groups) {
        Text members;
        for (size_t i = begin; i < begin + length; ++i) members.push_back(words[order[i]]);
        ExactLaw orders;
        add_shuffled(members, mass, orders);
        for (const auto& [placed, part] : orders) {
          Text outcome = words;
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
  const Text text = distinct_words(4), swapped = {2, 1, 3, 4};
  const ExactLaw law = groups_law(text, 2), other = groups_law(swapped, 2);
  EXPECT_EQ(total_variation(law, other), Rational(2, 3));
  EXPECT_GT(total_variation(law, other), Rational(1, 2));
  EXPECT_EQ(find_certificate("reorder:groups=2", CertificateMode::kSound, 4), nullptr);
}

TEST(PaperReordering, CounterexampleFixedChunks) {
  // Chunks {1,2}{3,4} always cut at the same places: words 2 and 3 swapped give disjoint laws.
  const auto chunks = [](const Text& text) {
    ExactLaw law;
    for (const Text& left : {Text{text[0], text[1]}, Text{text[1], text[0]}})
      for (const Text& right : {Text{text[2], text[3]}, Text{text[3], text[2]}})
        law[{left[0], left[1], right[0], right[1]}] += Rational(1, 4);
    return law;
  };
  EXPECT_EQ(total_variation(chunks({1, 2, 3, 4}), chunks({1, 3, 2, 4})), 1);
}

TEST(PaperInsertion, IsCohensRadius) {
  // Phi^-1(.999) = 3.0902323, from tables of the normal distribution.
  const CertifiedSet set = paper("insert:sigma=0.2", {0.999, 0.001}, 10, 43);
  EXPECT_NEAR(set.radius("insertion"), 0.2 * 3.0902323061678132, 1e-12);
  EXPECT_NEAR(set.radius("reordering"), 43 * 0.998, 1e-9);
  EXPECT_EQ(paper("insert:sigma=0.2", {1, 0}, 10, 43).radius("insertion"), kUnlimited);
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
          EXPECT_EQ(paper(spec, {pa, pb}, n, n).radius("deletion"),
                    deletion_exactly(n, p, {pa, pb}))
              << spec << " n=" << n << " pA=" << pa << " pB=" << pb;
}

TEST(PaperDeletion, SpecialCases) {
  EXPECT_EQ(paper("delete:p=0.3", {0.9, 0}, 12, 43).radius("deletion"), 12);  // pA/pB infinite
  EXPECT_EQ(paper("delete:p=0.3", {0.9, 0.1}, 1, 1).radius("deletion"), 0);   // no z is rare
  EXPECT_EQ(paper("delete:p=0.5", {0.999, 0.001}, 900, 1000).radius("deletion"), 0);
  EXPECT_EQ(paper("delete:p=0.5", {0.999, 0.001}, 900, 998).radius("deletion"), 1);
  EXPECT_EQ(paper("delete:p=0.5", {0.9, 0.1}, 5, 9).find("reordering"), nullptr);
  EXPECT_NEAR(paper("universal:p=0.5", {0.9, 0.1}, 5, 9).radius("reordering"), 7.2, 1e-12);
}

// n = 6, p = .3, pA = .99: the formula says that all six words may go. Take any classifier that
// says yA except, on the noisy copies with no word left of the first four, as often as its 1 %
// allows.
TEST(PaperDeletion, CounterexampleTooMuchForSixWords) {
  const Bounds bounds{0.99, 1 - 0.99};
  EXPECT_EQ(paper("universal:p=0.3", bounds, 6, 6).radius("deletion"), 6);
  EXPECT_EQ(sound("universal:p=0.3", bounds, 6, 6).radius("deletion"), 3);
  const Text text = distinct_words(6);
  const ExactLaw law = deletion_law(text, Rational(0.3), false);
  for (int d = 1; d <= 6; ++d) {
    const Text rest(text.begin() + d, text.end());
    const WorstCase worst(law, deletion_law(rest, Rational(0.3), false));
    EXPECT_EQ(worst.robust(bounds), d <= 3);
  }
}

// n = 43, p = .3, pA = .999 (the average length of AG News): the formula says less than the truth.
TEST(PaperDeletion, CounterexampleTooLittleForFortyThreeWords) {
  const Bounds bounds{0.999, 1 - 0.999};
  EXPECT_EQ(paper("universal:p=0.3", bounds, 43, 43).radius("deletion"), 2);
  EXPECT_EQ(sound("universal:p=0.3", bounds, 43, 43).radius("deletion"), 5);
}

}  // namespace
}  // namespace textcrs
