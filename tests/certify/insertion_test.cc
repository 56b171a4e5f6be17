// B5 against the worst classifier: a half-space for one Gaussian, at a hundred digits, and for the
// shuffled ones the likelihood ratio on a grid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "certify/oracle.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"
#include "textcrs/certify/embedding_change.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

using oracle::Precise;

CertifiedSet certified(Bounds bounds, int words = 20, int slots = 64) {
  return make_certificate("insert:sigma=0.5", CertificateMode::kSound, {slots})
      ->certify(bounds, words);
}

Precise normal_cdf(const Precise& x) { return boost::math::erfc(-x / sqrt(Precise(2))) / 2; }

// Phi^-1 by bisection: nothing shared with the library's.
Precise normal_inverse(const Precise& p) {
  Precise low = -20, high = 20;
  for (int i = 0; i < 160; ++i) {
    const Precise middle = (low + high) / 2;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return low;
}

// The engines draw in float32, and 0.7 rounded to it is smaller: a shift that flips the half-spaces
// under what is drawn must not be certified.
TEST(Insertion, IsNotAboutMoreThanIsDrawn) {
  const double drawn = static_cast<float>(0.7);
  ASSERT_LT(drawn, 0.7);
  const Bounds bounds{0.9, 0.1};
  const double radius = make_certificate("insert:sigma=0.7", CertificateMode::kSound, {64})
                            ->certify(bounds, 20)
                            .radius(Operation::kInsertion);
  const Precise exact = Precise(drawn) * normal_inverse(Precise(bounds.pa));
  EXPECT_LT(Precise(radius), exact);
  EXPECT_GT(Precise(radius), exact * Precise("0.999999999"));
}

TEST(Insertion, NeedsASigmaThatFloat32Knows) {
  EXPECT_THROW(make_noise("insert:sigma=1e-50", {.slots = 64}), Error);
  EXPECT_THROW(make_certificate("insert:sigma=1e50", CertificateMode::kSound, {64}), Error);
}

// Two half-spaces across the shift: yA on the near side with probability pA, yB on the far side
// with pB. A shift of s along the normal leaves yA Phi(qA - s/sigma) and gives yB Phi(qB +
// s/sigma).
TEST(Insertion, HalfSpacesFlipJustBeyondTheRadius) {
  for (const Bounds bounds : {Bounds{0.51, 0.49},
                              {0.6, 0.4},
                              {0.75, 0.1},
                              {0.9, 0.1},
                              {0.99, 0.001},
                              {0.999, 0.001},
                              {0.99999, 1e-5},
                              {0.3, 0.2}}) {
    const Precise qa = normal_inverse(Precise(bounds.pa)), qb = normal_inverse(Precise(bounds.pb));
    const double radius = certified(bounds).radius(Operation::kInsertion);
    const auto survives = [&](const Precise& shift) {
      return normal_cdf(qa - shift / 0.5) > normal_cdf(qb + shift / 0.5);
    };
    EXPECT_GT(radius, 0);
    EXPECT_TRUE(survives(Precise(radius))) << bounds.pa;
    EXPECT_FALSE(survives(Precise(radius) * Precise("1.000000000001"))) << bounds.pa;
  }
}

TEST(Insertion, NeverAboveTheExactRadiusEvenAtTheSmallestMargins) {
  for (double pa = std::nextafter(0.5, 1.0); pa < 0.50001; pa = 0.5 + (pa - 0.5) * 7) {
    const Precise exact =
        Precise(0.25) * (normal_inverse(Precise(pa)) - normal_inverse(Precise(1 - pa)));
    const double radius = certified({pa, 1 - pa}).radius(Operation::kInsertion);
    EXPECT_LT(Precise(radius), exact);
    EXPECT_GE(radius, 0);
    EXPECT_TRUE(certified({pa, 1 - pa}).certified);
  }
}

TEST(Insertion, CertainVotesHaveNoRadiusLimit) {
  EXPECT_EQ(certified({1, 0}).radius(Operation::kInsertion), kUnlimited);
  EXPECT_EQ(certified({0.9, 0}).radius(Operation::kInsertion), kUnlimited);
}

TEST(Insertion, CoversTheOtherOperationsThroughTheirEmbeddings) {
  const CertifiedSet set = certified({0.9, 0.1});
  EXPECT_EQ(set.radius(Operation::kInsertion), set.radius(Operation::kDeletion));
  EXPECT_EQ(set.radius(Operation::kInsertion), set.radius(Operation::kSubstitution));
  EXPECT_EQ(set.find(Operation::kInsertion)->unit, kUnitEmbedding);
  EXPECT_NEAR(set.radius(Operation::kInsertion), 0.5 * 1.2815515655446004,
              1e-12);  // Phi^-1(.9), tables
}

TEST(Insertion, AReorderingIsFreeOnlyIfTheWholeTextIsSeen) {
  EXPECT_EQ(certified({0.9, 0.1}, 64, 64).radius(Operation::kReordering), kUnlimited);
  EXPECT_EQ(certified({0.9, 0.1}, 65, 64).find(Operation::kReordering), nullptr);
}

using Words = std::vector<WordId>;

constexpr double kSigma = 0.5;

// A certificate for words on a line, word i at points[i]; PAD, word 0, is at 0.
class OnALine {
 public:
  OnALine(std::vector<float> points, int slots, CertificateMode mode = CertificateMode::kSound)
      : points_(std::move(points)) {
    CertificateContext context;
    context.slots = slots;
    context.embeddings = &embeddings_;
    certificate_ = make_certificate("insert:sigma=0.5", mode, context);
  }

  Coverage covers(Bounds bounds, const Words& text, const Words& edited) const {
    return certificate_->covers(bounds, text, edited);
  }
  double radius(Bounds bounds) const {
    return certificate_->certify(bounds, 1).radius(Operation::kInsertion);
  }

 private:
  std::vector<float> points_;
  Embeddings embeddings_{points_, 1};
  std::unique_ptr<Certificate> certificate_;
};

// sigma = .5, pA = .9: the radius is .5 * 1.2816 = .6408.
constexpr Bounds kNine{0.9, 0.1};

TEST(InsertionCovers, AnInsertedWordThatIsNearPad) {
  const OnALine line({0, 5, 0.6f, 0.7f}, 8);
  const Coverage near = line.covers(kNine, {1, 1}, {1, 2, 1});
  EXPECT_TRUE(near.covered);
  EXPECT_EQ(near.operation, Operation::kInsertion);
  EXPECT_EQ(near.why, "the embeddings change by 0.6 (l2), the radius is 0.6408");
  EXPECT_FALSE(line.covers(kNine, {1, 1}, {1, 3, 1}).covered);
}

TEST(InsertionCovers, ASubstitutedWordThroughItsReplacement) {
  const OnALine line({0, 5, 5.6f, 5.7f}, 8);
  const Coverage near = line.covers(kNine, {1, 3}, {2, 3});
  EXPECT_TRUE(near.covered);
  EXPECT_EQ(near.operation, Operation::kSubstitution);
  EXPECT_FALSE(line.covers(kNine, {1, 1}, {1, 3}).covered);
}

TEST(InsertionCovers, ADeletedWordThroughThePadThatTakesItsSlot) {
  const OnALine line({0, 5, 0.6f, 0.7f}, 8);
  const Coverage near = line.covers(kNine, {1, 2, 1}, {1, 1});
  EXPECT_TRUE(near.covered);
  EXPECT_EQ(near.operation, Operation::kDeletion);
  EXPECT_FALSE(line.covers(kNine, {1, 3, 1}, {1, 1}).covered);
  EXPECT_TRUE(line.covers(kNine, {2}, {}).covered);
}

TEST(InsertionCovers, EveryReorderingOfATextThatFits) {
  const OnALine line({0, 5, -7, 9}, 4);
  const Coverage shuffled = line.covers(kNine, {1, 2, 3, 3}, {3, 1, 3, 2});
  EXPECT_TRUE(shuffled.covered);
  EXPECT_EQ(shuffled.operation, Operation::kReordering);
  EXPECT_EQ(shuffled.why, "the 4 slots hold the same words");
  // Of a text that is cut, only if the words seen stay near: a 9 for the 5.
  const Coverage cut = line.covers(kNine, {1, 2, 2, 2, 3}, {3, 2, 2, 2, 1});
  EXPECT_FALSE(cut.covered);
  EXPECT_EQ(cut.operation, Operation::kReordering);
  EXPECT_EQ(cut.why, "the embeddings change by 4 (l2), the radius is 0.6408");
}

TEST(InsertionCovers, ManySmallChangesAddUpAsSquares) {
  const OnALine line({0, 3, 3.3f}, 8);  // 4 * .3^2 = .36 = .6^2
  EXPECT_TRUE(line.covers(kNine, {1, 1, 1, 1, 1}, {2, 1, 2, 2, 2}).covered);
  EXPECT_FALSE(line.covers(kNine, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}).covered);
}

TEST(InsertionCovers, AMixtureOfAllOperations) {
  const OnALine line({0, 0.3f, 5, 5.3f, -4, -4.3f, 9}, 8);
  // Word 1 is gone, 2 -> 3 and 4 -> 5 are substituted, a 1 is inserted, all is reordered.
  EXPECT_TRUE(line.covers(kNine, {1, 2, 4, 6}, {6, 5, 1, 3}).covered);
  EXPECT_TRUE(line.covers(kNine, {2, 4, 6}, {6, 5, 1, 3}).covered);
  EXPECT_FALSE(line.covers(kNine, {2, 4, 6}, {1, 5, 1, 3}).covered);  // and the 6 became a 1
}

TEST(InsertionCovers, WithoutVectorsOnlyWhatNeedsNone) {
  const auto certificate = make_certificate("insert:sigma=0.5", CertificateMode::kSound, {4});
  const Words text{3, 4}, reordered{4, 3}, longer{3, 4, 5};
  EXPECT_TRUE(certificate->covers(kNine, text, reordered).covered);
  EXPECT_TRUE(certificate->covers({1, 0}, text, longer).covered);
  EXPECT_TRUE(certificate->covers({0.9, 0}, text, longer).covered);
  EXPECT_FALSE(certificate->covers({0.5, 0.5}, text, reordered).covered);
  try {
    certificate->covers(kNine, text, longer);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), testing::HasSubstr("the words' vectors are needed"));
  }
}

TEST(InsertionCovers, TheFormulaOfThePaperSaysTheSame) {
  const OnALine sound({0, 5, 0.6f, 0.7f}, 8);
  const OnALine paper({0, 5, 0.6f, 0.7f}, 8, CertificateMode::kPaper);
  for (const Words& edited : {Words{1, 1, 2}, {1, 1, 3}, {1}, {2, 1}, {1, 1}}) {
    const Coverage ours = sound.covers(kNine, {1, 1}, edited);
    const Coverage theirs = paper.covers(kNine, {1, 1}, edited);
    EXPECT_EQ(ours.covered, theirs.covered);
    EXPECT_EQ(ours.operation, theirs.operation);
  }
  EXPECT_TRUE(paper.covers({1, 0}, {1}, {2, 2}).covered);
}

// One slot: a Gaussian on a line, whose worst classifiers are half-lines.
TEST(InsertionCovers, OneSlotExactlyUpToTheWorstHalfLine) {
  for (const Bounds bounds : {Bounds{0.6, 0.4}, {0.9, 0.1}, {0.9, 0.01}, {0.3, 0.2}}) {
    const Precise qa = normal_inverse(Precise(bounds.pa)), qb = normal_inverse(Precise(bounds.pb));
    int covered = 0;
    for (float to = -2; to <= 4; to += 0.0625f) {
      const OnALine line({0, 1, to}, 1);
      const Precise shift = Precise(std::abs(to - 1)) / kSigma;
      const bool robust = normal_cdf(qa - shift) > normal_cdf(qb + shift);
      EXPECT_EQ(line.covers(bounds, {1}, {2}).covered, robust) << to;
      covered += robust;
    }
    EXPECT_GT(covered, 1);
  }
}

// The noise around two slots on a line is a Gaussian around (a, b) or (b, a), with equal chance.
// Its worst classifiers follow the likelihood ratio; the plane is cut into cells.
class TwoSlots {
 public:
  TwoSlots(std::array<double, 2> x, std::array<double, 2> edited) {
    const auto [low, high] = std::minmax({x[0], x[1], edited[0], edited[1]});
    const double step = 0.05 * kSigma, margin = 6 * kSigma;
    for (double u = low - margin; u < high + margin; u += step)
      for (double v = low - margin; v < high + margin; v += step)
        cells_.push_back({density(x, u, v) * step * step, density(edited, u, v) * step * step});
    std::sort(cells_.begin(), cells_.end(),
              [](const Cell& a, const Cell& b) { return a.after * b.before < b.after * a.before; });
  }

  double least(double pa) const { return fill(cells_.begin(), cells_.end(), pa); }
  double most(double pb) const { return fill(cells_.rbegin(), cells_.rend(), pb); }

 private:
  struct Cell {
    double before, after;
  };

  static double density(std::array<double, 2> x, double u, double v) {
    const auto bell = [](double a, double b) {
      return std::exp(-(a * a + b * b) / (2 * kSigma * kSigma)) /
             (2 * std::numbers::pi * kSigma * kSigma);
    };
    return (bell(u - x[0], v - x[1]) + bell(u - x[1], v - x[0])) / 2;
  }

  template <typename Iterator>
  static double fill(Iterator begin, Iterator end, double mass) {
    double result = 0;
    for (; begin != end && mass > 0; ++begin) {
      result += begin->after * std::min(1.0, mass / begin->before);
      mass -= begin->before;
    }
    return result;
  }

  std::vector<Cell> cells_;  // by the ratio after / before
};

constexpr double kGridError = 5e-4;

// Phi(Phi^-1(p) + by / sigma), in double precision: what a Gaussian's worst half-space leaves.
double shifted(double p, double by) {
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; };
  double low = -20, high = 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (cdf(middle) < p ? low : high) = middle;
  }
  return cdf(low + by / kSigma);
}

TEST(InsertionCovers, TwoSlotsNeverMoreThanTheWorstClassifierAllows) {
  Stream stream(6, 0, 0);
  int covered = 0, refused = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<float> points(5);
    stream.normals(points);
    points[0] = 0;
    for (float& point : points) point *= round % 2 ? 0.5f : 1;
    // Two words for two words, one word more, one word less.
    const Words text = round % 4 == 1 ? Words{1} : Words{1, 2};
    const Words edited = round % 4 == 2 ? Words{3} : Words{3, 4};
    const auto slots = [&](Words words) {
      words.resize(2, kPad);
      return std::array<double, 2>{points[size_t(words[0])], points[size_t(words[1])]};
    };
    const TwoSlots truth(slots(text), slots(edited));
    const OnALine line(points, 2);
    const double change = EmbeddingChange({points, 1}, 2).distance(text, edited);
    for (const Bounds bounds : oracle::bounds_to_try()) {
      if (bounds.pa <= bounds.pb || bounds.pa == 1) continue;
      const double least = truth.least(bounds.pa), most = truth.most(bounds.pb);
      EXPECT_GE(least, shifted(bounds.pa, -change) - kGridError);
      EXPECT_LE(most, shifted(bounds.pb, change) + kGridError);
      const bool claim = line.covers(bounds, text, edited).covered;
      if (claim) EXPECT_GT(least, most - kGridError) << round << " " << bounds.pa;
      ++(claim ? covered : refused);
    }
  }
  EXPECT_GT(covered, 100);
  EXPECT_GT(refused, 100);
}

// Words far apart do not mix, and words that move together can be told by their sum: some
// classifier attains the bound. Close words that move apart are hidden in part by the shuffle.
TEST(InsertionCovers, TwoSlotsAreTightUnlessTheShuffleHidesTheChange) {
  EXPECT_NEAR(TwoSlots({0, 8}, {0.8, 8}).least(0.5), shifted(0.5, -0.8), kGridError);
  EXPECT_NEAR(TwoSlots({0, 8}, {0.3, 8.4}).least(0.9), shifted(0.9, -0.5), kGridError);
  EXPECT_NEAR(TwoSlots({0, 0.3}, {0.5, 0.8}).least(0.9), shifted(0.9, -std::sqrt(0.5)), kGridError);
  EXPECT_GT(TwoSlots({0, 0}, {-0.4, 0.4}).least(0.9), shifted(0.9, -std::sqrt(0.32)) + 0.1);
}

}  // namespace
}  // namespace textcrs
