// B1, B2 and B3 against the exact worst case over all base classifiers.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "certify/edit_frontier.h"
#include "certify/oracle.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using namespace oracle;

constexpr double kProbabilities[] = {0.3, 0.5, 0.7, 0.9};

std::string spec(const std::string& noise, double p) { return noise + ":p=" + shortest(p); }

CertifiedSet certified(const std::string& noise, double p, Bounds bounds, int words) {
  return make_certificate(spec(noise, p), CertificateMode::kSound, {256})->certify(bounds, words);
}

// The formula as docs/certificates.md, B2, first states it, in exact arithmetic.
bool certified_exactly(double p, Bounds bounds, int a, int b) {
  const Rational pa(bounds.pa), pb(bounds.pb), A = power(Rational(p), a), B = power(Rational(p), b);
  const Rational top = std::max(Rational(0), Rational(pa - 1 + A));
  return B * (top - std::min(A, pb)) / A > 1 - B;
}

TEST(Deletion, KnownRadii) {
  // By hand: .7^17 = .002326 > .002 > .7^18; .3^5 = .00243 > .002; .3^3 = .027 > .02 > .3^4.
  EXPECT_EQ(certified("delete", 0.7, {0.999, 1 - 0.999}, 1000).radius(Operation::kDeletion), 17);
  EXPECT_EQ(certified("delete", 0.3, {0.999, 1 - 0.999}, 43).radius(Operation::kDeletion), 5);
  EXPECT_EQ(certified("delete", 0.3, {0.99, 1 - 0.99}, 6).radius(Operation::kDeletion), 3);
  EXPECT_EQ(certified("delete", 0.7, {0.999, 1 - 0.999}, 9).radius(Operation::kDeletion),
            9);  // all words
}

TEST(Deletion, IsTheExactWorstCaseForDistinctWords) {
  for (const bool shuffled : {false, true})
    for (const double p : kProbabilities)
      for (int m = 1; m <= (shuffled ? 4 : 6); ++m) {
        const ExactText text = distinct_words(m);
        const ExactLaw law = deletion_law(text, Rational(p), shuffled);
        for (int d = 0; d <= m; ++d) {
          const ExactText rest(text.begin() + d, text.end());
          const WorstCase worst(law, deletion_law(rest, Rational(p), shuffled));
          for (const Bounds bounds : bounds_to_try()) {
            const CertifiedSet set = certified(shuffled ? "universal" : "delete", p, bounds, m);
            EXPECT_EQ(set.certified && d <= set.radius(Operation::kDeletion), worst.robust(bounds))
                << p << " m=" << m << " d=" << d << " pA=" << bounds.pa << " pB=" << bounds.pb;
          }
        }
      }
}

// x loses its first a words and gains b foreign ones, at the front and the back in turns.
ExactText edited_text(const ExactText& text, int a, int b) {
  ExactText edited(text.begin() + a, text.end());
  for (int i = 0; i < b; ++i) edited.insert(i % 2 ? edited.begin() : edited.end(), 100 + i);
  return edited;
}

TEST(Edits, FrontierIsTheExactWorstCaseForDistinctWords) {
  for (const bool shuffled : {false, true})
    for (const double p : {0.5, 0.7, 0.9})
      for (int m = 1; m <= 3; ++m) {
        const ExactText text = distinct_words(m);
        const ExactLaw law = deletion_law(text, Rational(p), shuffled);
        for (int a = 0; a <= m; ++a)
          for (int b = 0; b <= 2; ++b) {
            const WorstCase worst(law,
                                  deletion_law(edited_text(text, a, b), Rational(p), shuffled));
            for (const Bounds bounds : bounds_to_try())
              EXPECT_EQ(contains(certified(shuffled ? "universal" : "delete", p, bounds, m), a, b),
                        worst.robust(bounds))
                  << p << " m=" << m << " a=" << a << " b=" << b << " pA=" << bounds.pa;
          }
      }
}

TEST(Edits, RepeatedWordsAreNeverCertifiedBeyondTheTruth) {
  const std::vector<std::pair<ExactText, ExactText>> edits = {
      {{1, 1, 2}, {1, 2}},    {{1, 1, 1}, {1}},       {{1, 2}, {1, 2, 2}},
      {{1, 1, 2}, {2, 2, 1}}, {{1, 2, 1}, {1, 1}},    {{1, 1}, {1, 1, 1, 1}},
      {{1, 2, 1}, {2, 2, 2}}, {{1, 1, 2, 2}, {1, 2}}, {{1, 1}, {2, 2}},
  };
  int claims = 0;
  for (const auto& [text, edited] : edits) {
    ExactText sorted_text = text, sorted_edited = edited, common;
    std::sort(sorted_text.begin(), sorted_text.end());
    std::sort(sorted_edited.begin(), sorted_edited.end());
    std::set_intersection(sorted_text.begin(), sorted_text.end(), sorted_edited.begin(),
                          sorted_edited.end(), std::back_inserter(common));
    const int a = static_cast<int>(text.size() - common.size());
    const int b = static_cast<int>(edited.size() - common.size());
    for (const double p : kProbabilities) {
      const WorstCase worst(deletion_law(text, Rational(p), true),
                            deletion_law(edited, Rational(p), true));
      for (const Bounds bounds : bounds_to_try()) {
        const CertifiedSet set = certified("universal", p, bounds, static_cast<int>(text.size()));
        if (!contains(set, a, b)) continue;
        ++claims;
        EXPECT_TRUE(worst.robust(bounds)) << p << " pA=" << bounds.pa;
      }
    }
  }
  EXPECT_GT(claims, 100);
}

// Order kept: a and b count the words outside a common subsequence.
TEST(Edits, KeptOrderWithRepeatedWordsIsNeverCertifiedBeyondTheTruth) {
  struct Case {
    ExactText text, edited;
    int lost, gained;
  };
  const std::vector<Case> cases = {{{1, 1, 2}, {1, 2}, 1, 0},    {{1, 2, 1}, {1, 1}, 1, 0},
                                   {{1, 2, 3}, {2, 1, 3}, 1, 1}, {{1, 2, 1}, {1, 2, 2, 1}, 0, 1},
                                   {{1, 1, 1}, {1}, 2, 0},       {{1, 2, 3}, {3, 1, 2}, 1, 1}};
  int claims = 0;
  for (const auto& [text, edited, lost, gained] : cases)
    for (const double p : kProbabilities) {
      const WorstCase worst(deletion_law(text, Rational(p), false),
                            deletion_law(edited, Rational(p), false));
      for (const Bounds bounds : bounds_to_try()) {
        const CertifiedSet set = certified("delete", p, bounds, static_cast<int>(text.size()));
        if (!contains(set, lost, gained)) continue;
        ++claims;
        EXPECT_TRUE(worst.robust(bounds)) << p << " pA=" << bounds.pa;
      }
    }
  EXPECT_GT(claims, 50);
}

TEST(Universal, EveryReorderingHasTheSameLaw) {
  ExactText text = {1, 2, 2, 3};
  const ExactLaw law = deletion_law(text, Rational(1, 3), true);
  while (std::next_permutation(text.begin(), text.end()))
    EXPECT_EQ(deletion_law(text, Rational(1, 3), true), law);
  EXPECT_EQ(certified("universal", 0.5, {0.51, 0.49}, 4).radius(Operation::kReordering),
            kUnlimited);
  EXPECT_EQ(certified("delete", 0.5, {0.51, 0.49}, 4).find(Operation::kReordering), nullptr);
}

TEST(Universal, IsTheShuffledDeletionNoise) {
  const CertifiedSet a = certified("universal", 0.9, {0.99, 0.01}, 30);
  const CertifiedSet b =
      make_certificate("delete:p=0.9,order=shuffled", CertificateMode::kSound, {9})
          ->certify({0.99, 0.01}, 30);
  EXPECT_EQ(a.frontier, b.frontier);
  EXPECT_EQ(a.in_words(), b.in_words());
}

// Every base classifier on the noisy copies of a three-word text: what is certified from its exact
// pA holds for every edit with one lost and one gained word.
TEST(Edits, NoDeterministicClassifierEscapes) {
  const ExactText text = {1, 2, 3};
  const double p = 0.75;
  const ExactLaw law = deletion_law(text, Rational(p), false);
  int flips = 0, claims = 0;
  for (const ExactText& edited :
       {ExactText{2, 3}, ExactText{1, 2, 3, 100}, ExactText{1, 100, 3}, ExactText{}}) {
    const ExactLaw other = deletion_law(edited, Rational(p), false);
    const std::vector<Outcome> outcomes = by_ratio(law, other);
    const int lost = edited.empty() ? 3 : edited.size() == 4 ? 0 : 1;
    const int gained = edited.empty() || edited.size() == 2 ? 0 : 1;
    for (unsigned h = 0; h < 1u << outcomes.size(); ++h) {
      Rational before = 0, after = 0;
      for (size_t i = 0; i < outcomes.size(); ++i)
        if (h >> i & 1) before += outcomes[i].before, after += outcomes[i].after;
      const double pa = before.convert_to<double>();  // exact: multiples of 4^-3
      if (pa < 0.5) continue;
      const bool flipped = after <= Rational(1, 2);
      const bool claimed = contains(certified("delete", p, {pa, 1 - pa}, 3), lost, gained);
      flips += flipped;
      claims += claimed;
      EXPECT_FALSE(flipped && claimed);
    }
  }
  EXPECT_GT(flips, 0);
  EXPECT_GT(claims, 0);
}

// A keyword classifier: yA iff one of k copies of a keyword survives. pA = 1 - p^k, and the
// smoothed prediction flips when j copies are left with p^j >= 1/2.
TEST(Deletion, NeverPassesTheFlipPointOfAPlantedClassifier) {
  for (const double p : {0.3, 0.5, 0.7, 0.9, 0.99})
    for (int copies = 1; copies <= 60; ++copies) {
      const double pa = std::nextafter(1 - std::pow(p, copies), 0.0);  // a lower bound
      if (pa <= 0.5) continue;
      int flip = 0;  // deletions after which the prediction is lost
      while (std::pow(p, copies - flip) < 0.5) ++flip;
      const CertifiedSet set = certified("universal", p, {pa, 1 - pa}, 100);
      EXPECT_LT(set.radius(Operation::kDeletion), flip) << p << " " << copies;
      EXPECT_LE(set.radius(Operation::kEdit), set.radius(Operation::kDeletion));
    }
}

TEST(Edits, AgreeWithExactArithmeticAwayFromTiesAndAreBelowItAtTies) {
  Stream stream(7, 0, 0);
  int ties = 0;
  for (int round = 0; round < 400; ++round) {
    const double p = 0.2 + 0.79 * stream.uniform();
    const int a = 1 + static_cast<int>(stream.below(20)), b = static_cast<int>(stream.below(4));
    // The pA at which (a, b) is a tie: t = p^a (2 - p^-b), pA = 1 - t/2; and its neighbours.
    const double t = std::pow(p, a) * (2 - std::pow(p, -b));
    if (!(t > 0)) continue;
    ++ties;
    double pa = 1 - t / 2;
    for (int step = 0; step < 3; ++step) pa = std::nextafter(pa, 0.0);
    for (int step = 0; step < 7; ++step, pa = std::min(1.0, std::nextafter(pa, 2.0))) {
      const Bounds bounds{pa, 1 - pa};
      if (pa <= 0.5) continue;
      const bool claimed = contains(certified("delete", p, bounds, 40), a, b);
      const bool truth = certified_exactly(p, bounds, a, b);
      EXPECT_LE(claimed, truth) << p << " " << a << " " << b << " " << pa;
      // A double pA is off a tie by about 10^-16 of t; extended precision still sees that.
      const Rational gap = Rational(2) -
                           (1 - Rational(pa) + Rational(bounds.pb)) / power(Rational(p), a) -
                           1 / power(Rational(p), b);
      if (abs(gap) > Rational(1, 100'000'000'000'000)) {
        EXPECT_EQ(claimed, truth);
      }
    }
  }
  EXPECT_GT(ties, 100);
}

TEST(Edits, ExactTiesAreNotCertified) {
  // p = 1/2, t = 1/2: deleting one word leaves p^1 = t. p = 3/4: t/p + 1/p = 2 at t = 1/2.
  EXPECT_EQ(certified("delete", 0.5, {0.75, 0.25}, 9).radius(Operation::kDeletion), 0);
  EXPECT_EQ(
      certified("delete", 0.5, {std::nextafter(0.75, 1.0), 0.25}, 9).radius(Operation::kDeletion),
      1);
  EXPECT_FALSE(contains(certified("delete", 0.75, {0.75, 0.25}, 9), 1, 1));
  EXPECT_TRUE(contains(certified("delete", 0.75, {std::nextafter(0.75, 1.0), 0.25}, 9), 1, 1));
  // No sampled bound has pA = 1, an enumeration may: t = 0, and only insertions are limited.
  EXPECT_EQ(certified("delete", 0.5, {1, 0}, 9).radius(Operation::kDeletion), 9);
  EXPECT_EQ(certified("delete", 0.5, {1, 0}, 9).radius(Operation::kInsertion), 0);
  EXPECT_EQ(certified("delete", 0.75, {1, 0}, 9).radius(Operation::kInsertion), 2);
}

TEST(Edits, TheFrontierIsTheWholeCertifiedSet) {
  EXPECT_TRUE(rc::check("pair by pair, against exact arithmetic", [] {
    const double p = *rc::gen::inRange(1, 1000) / 1000.0;
    const double pa = *rc::gen::inRange(501, 1001) / 1000.0;
    const double pb = *rc::gen::inRange(0, 1001 - static_cast<int>(pa * 1000)) / 1000.0;
    const int words = *rc::gen::inRange(1, 12);
    RC_PRE(pb < pa);
    const CertifiedSet set = certified("universal", p, {pa, pb}, words);
    for (int a = 0; a <= words; ++a)
      for (int b = 0; b <= 12; ++b)
        RC_ASSERT(contains(set, a, b) == certified_exactly(p, {pa, pb}, a, b));
  }));
}

TEST(Edits, RadiiAreReadOffTheFrontier) {
  EXPECT_TRUE(rc::check("each operation alone, and every mixture of r edits", [] {
    const double p = *rc::gen::inRange(500, 1000) / 1000.0;
    const double pa = *rc::gen::inRange(501, 1000) / 1000.0;
    const int words = *rc::gen::inRange(1, 40);
    const CertifiedSet set = certified("delete", p, {pa, 1 - pa}, words);
    const auto radius = [&](Operation operation) {
      return static_cast<int>(set.radius(operation));
    };
    const int d = radius(Operation::kDeletion), b = radius(Operation::kInsertion),
              s = radius(Operation::kSubstitution);
    RC_ASSERT(contains(set, d, 0) && (d == words || !contains(set, d + 1, 0)));
    RC_ASSERT(contains(set, 0, b) && !contains(set, 0, b + 1));
    RC_ASSERT(contains(set, s, s) && (s == words || !contains(set, s + 1, s + 1)));
    const auto every_mixture = [&](int r) {
      for (int i = 0; i <= r; ++i)
        for (int j = 0; i + j <= r; ++j) {  // i insertions, j deletions, r - i - j substitutions
          const int lost = r - i, gained = r - j;
          if (lost <= words && !contains(set, lost, gained)) return false;
        }
      return true;
    };
    RC_ASSERT(every_mixture(radius(Operation::kEdit)));
    RC_ASSERT(!every_mixture(radius(Operation::kEdit) + 1));
    for (size_t i = 1; i < set.frontier.size(); ++i) {
      RC_ASSERT(set.frontier[i - 1].first < set.frontier[i].first);
      RC_ASSERT(set.frontier[i - 1].second > set.frontier[i].second);
    }
  }));
}

TEST(Edits, ExtremeNoiseStaysFinite) {
  const CertifiedSet most = certified("universal", 1 - 1e-12, {0.999, 0.001}, 1000);
  EXPECT_EQ(most.radius(Operation::kDeletion), 1000);
  EXPECT_EQ(most.radius(Operation::kInsertion), kMostGained);
  const CertifiedSet least = certified("universal", 1e-300, {0.999999, 0.000001}, 10);
  EXPECT_EQ(least.frontier, (std::vector<std::pair<int, int>>{{0, 0}}));
  EXPECT_EQ(certified("universal", 0.5, {1e-300, 0}, 10).radius(Operation::kDeletion), 0);
  EXPECT_TRUE(certified("universal", 0.5, {1e-300, 0}, 10).certified);
}

}  // namespace
}  // namespace textcrs
