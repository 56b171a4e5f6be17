// B14 against half-spaces, whose smoothed answers are known in closed form, and against every
// substitution of tiny texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

using ::testing::HasSubstr;
using Real = long double;

constexpr double kSigma = 0.5;  // a float32 number
constexpr int kWords = 8;       // beside the special ones

const boost::math::normal_distribution<Real> kNormal;

// Words 3 .. 10 in a plane; 3 - 4 - 5 - 6 and 7 - 8 are neighbours in the table, 9 and 10 have no
// candidates.
struct World {
  SynonymTable synonyms{"table", {{}, {}, {}, {4, 5}, {3, 5}, {4, 3, 6}, {5}, {8}, {7}, {}, {}}};
  std::vector<float> rows = {0,    0, .1f,  .1f, .2f, .2f,  .5f, .1f, .6f, .1f, .7f,
                             .25f, 1, -.2f, .3f, .3f, .35f, .9f, 2,   2,   -1,  .1f};
  Embeddings embeddings{rows, 2};
  CertificateContext context;

  explicit World(int slots = 6, bool with_synonyms = true) {
    context.slots = slots;
    context.embeddings = &embeddings;
    if (with_synonyms) context.synonyms = &synonyms;
  }
  std::unique_ptr<Certificate> certificate() const {
    return make_certificate("gaussian:sigma=0.5", CertificateMode::kSound, context);
  }
  std::vector<WordId> text(Stream& stream, size_t words) const {
    std::vector<WordId> ids(words);
    for (WordId& word : ids) word = kFirstWord + static_cast<WordId>(stream.below(kWords));
    return ids;
  }
  // Calls back with every text in which words are replaced by candidates.
  void replaced(std::vector<WordId> text, size_t from,
                const std::function<void(const std::vector<WordId>&)>& call) const {
    if (from == text.size()) return call(text);
    replaced(text, from + 1, call);
    for (const WordId other : synonyms.of(text[from])) {
      std::vector<WordId> changed = text;
      changed[from] = other;
      replaced(changed, from + 1, call);
    }
  }
};

int differing(const std::vector<WordId>& a, const std::vector<WordId>& b) {
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

// yA where direction . (noisy vectors) + shift > 0.
struct HalfSpace {
  const World& world;
  std::vector<double> direction;  // (slots, 2)
  double shift = 0;

  Real length() const {
    Real squares = 0;
    for (const double x : direction) squares += Real{x} * Real{x};
    return std::sqrt(squares);
  }
  Real of_vectors(const std::vector<WordId>& text) const {
    Real sum = shift;
    for (size_t i = 0; i < text.size(); ++i)
      for (size_t d = 0; d < 2; ++d)
        sum += Real{direction[2 * i + d]} * Real{world.rows[2 * static_cast<size_t>(text[i]) + d]};
    return sum;
  }
  // The smoothed probability of yA around a text.
  Real probability(const std::vector<WordId>& text) const {
    return cdf(kNormal, of_vectors(text) / (kSigma * length()));
  }
};

// Every substitution by candidates of random texts under random half-spaces: what the radius or
// covers() promises keeps the answer.
TEST(Gaussian, CertifiedSubstitutionsNeverChangeTheAnswer) {
  const World world;
  const auto certificate = world.certificate();
  int inside = 0, flipped = 0;
  for (uint32_t round = 0; round < 150; ++round) {
    Stream stream(31, round, 0);
    const std::vector<WordId> text = world.text(stream, 1 + stream.below(5));
    HalfSpace h{world, {}, 0};
    for (size_t i = 0; i < 2 * text.size(); ++i) h.direction.push_back(stream.uniform() - 0.5);
    h.shift = -static_cast<double>(h.of_vectors(text)) + 0.4 * stream.uniform();
    const double pa = static_cast<double>(h.probability(text)) * (1 - 1e-12);
    if (pa <= 0.5) continue;
    const Bounds bounds{pa, 1 - pa};
    const CertifiedSet set = certificate->certify(bounds, text);
    world.replaced(text, 0, [&](const std::vector<WordId>& edited) {
      const bool keeps = h.probability(edited) > 0.5;
      const Coverage coverage = certificate->covers(bounds, text, edited);
      const bool counted = differing(text, edited) <= set.radius(Operation::kSubstitution);
      if (counted) {
        EXPECT_TRUE(coverage.covered) << coverage.why;
      }
      if (counted || coverage.covered) {
        EXPECT_TRUE(keeps) << coverage.why;
      }
      inside += coverage.covered && edited != text;
      flipped += !keeps;
    });
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(flipped, 100);
}

// Half-spaces across the change: yA and yB on either side. They flip just where covers() ends.
TEST(Gaussian, TheWorstHalfSpaceFlipsWhatIsNotCovered) {
  const World world;
  const auto certificate = world.certificate();
  int covered = 0, not_covered = 0;
  for (uint32_t round = 0; round < 400; ++round) {
    Stream stream(32, round, 0);
    const std::vector<WordId> text = world.text(stream, 1 + stream.below(5));
    const std::vector<WordId> edited = world.text(stream, text.size());
    if (text == edited) continue;
    HalfSpace h{world, {}, 0};
    for (size_t i = 0; i < text.size(); ++i)
      for (size_t d = 0; d < 2; ++d)
        h.direction.push_back(double{world.rows[2 * static_cast<size_t>(text[i]) + d]} -
                              double{world.rows[2 * static_cast<size_t>(edited[i]) + d]});
    const double pa = 0.5 + 0.5 * stream.uniform();
    // yA has just pA around the text.
    h.shift =
        static_cast<double>(kSigma * h.length() * quantile(kNormal, Real{pa}) - h.of_vectors(text));
    const bool keeps = h.probability(edited) > 0.5;
    const Coverage coverage = certificate->covers({pa, 1 - pa}, text, edited);
    EXPECT_EQ(coverage.covered, keeps) << coverage.why;
    ++(keeps ? covered : not_covered);
  }
  EXPECT_GT(covered, 20);
  EXPECT_GT(not_covered, 20);
}

// By trying every choice of R places and every candidate.
TEST(Gaussian, TheRadiusIsTheLargestNumberOfWordsThatAlwaysStayInside) {
  const World world;
  const auto certificate = world.certificate();
  std::vector<int> found(7);
  for (uint32_t round = 0; round < 200; ++round) {
    Stream stream(33, round, 0);
    const std::vector<WordId> text = world.text(stream, 1 + stream.below(6));
    const double pa = 1 - 0.5 * std::pow(stream.uniform(), 4);
    const Bounds bounds{pa, 1 - pa};
    int replaceable = 0;
    for (const WordId word : text) replaceable += !world.synonyms.of(word).empty();
    int first_bad = replaceable + 1;
    world.replaced(text, 0, [&](const std::vector<WordId>& edited) {
      if (!certificate->covers(bounds, text, edited).covered)
        first_bad = std::min(first_bad, differing(text, edited));
    });
    const CertifiedSet set = certificate->certify(bounds, text);
    EXPECT_EQ(set.replaceable, replaceable);
    EXPECT_EQ(set.candidates, "table");
    const int expected = first_bad > replaceable ? static_cast<int>(text.size()) : first_bad - 1;
    EXPECT_EQ(set.radius(Operation::kSubstitution), expected);
    ++found[static_cast<size_t>(expected)];
  }
  EXPECT_GT(found[0], 5);
  EXPECT_GT(found[1], 5);
  EXPECT_GT(found[2], 5);
}

TEST(Gaussian, WordsBeyondTheSlotsAreNotSeen) {
  const World world(2);
  const auto certificate = world.certificate();
  const Bounds bounds{0.6, 0.4};
  const std::vector<WordId> text = {9, 10, 3, 7, 3};
  const CertifiedSet set = certificate->certify(bounds, text);
  EXPECT_EQ(set.radius(Operation::kSubstitution), 5);
  EXPECT_EQ(set.replaceable, 3);
  EXPECT_TRUE(certificate->covers(bounds, text, std::vector<WordId>{9, 10, 5, 10, 4}).covered);
  EXPECT_TRUE(certificate->covers(bounds, text, std::vector<WordId>{9, 10}).covered);
  EXPECT_FALSE(certificate->covers(bounds, text, std::vector<WordId>{10, 10, 3, 7, 3}).covered);
}

// Even where all votes agree: they are votes on texts of this many words.
TEST(Gaussian, AnotherNumberOfWordsIsNotCovered) {
  const World world;
  const auto certificate = world.certificate();
  const std::vector<WordId> text = {3, 4, 5};
  EXPECT_TRUE(certificate->covers({1, 0}, text, std::vector<WordId>{9, 10, 9}).covered);
  for (const std::vector<WordId>& edited : {std::vector<WordId>{3, 4}, {3, 4, 5, 5}, {}}) {
    const Coverage coverage = certificate->covers({1, 0}, text, edited);
    EXPECT_FALSE(coverage.covered);
    EXPECT_THAT(coverage.why, HasSubstr("words replaced in place"));
  }
  EXPECT_EQ(certificate->certify({1, 0}, text).radius(Operation::kSubstitution), 3);
}

TEST(Gaussian, WithoutCandidatesTheRadiusIsADistance) {
  const World world(6, false);
  const auto certificate = world.certificate();
  EXPECT_FALSE(certificate->reads_words());
  const CertifiedSet set = certificate->certify({0.9, 0.1}, 20);
  ASSERT_EQ(set.guarantees.size(), 1u);
  EXPECT_EQ(set.guarantees[0].unit, kUnitEmbedding);
  EXPECT_NEAR(set.guarantees[0].radius, 0.5 * 1.2815515655446004, 1e-12);
  EXPECT_TRUE(set.candidates.empty());
  EXPECT_THAT(set.in_words(), HasSubstr("any substitution that changes the embeddings by up to"));
  EXPECT_EQ(certificate->certify({1, 0}, 20).radius(Operation::kSubstitution), kUnlimited);
  const Coverage coverage =
      certificate->covers({0.9, 0.1}, std::vector<WordId>{3, 4}, std::vector<WordId>{4, 5});
  EXPECT_TRUE(coverage.covered);
  EXPECT_EQ(coverage.why, "the embeddings change by 0.2062 (l2), the radius is 0.6408");
}

// The adversary may be given fewer candidates than the model has synonyms, or more.
TEST(Gaussian, TheAdversarysCandidatesCount) {
  World world;
  const SynonymTable far("far", {{}, {}, {}, {9}, {}, {}, {}, {}, {}, {3}, {}});
  world.context.candidates = &far;
  const CertifiedSet set = world.certificate()->certify({0.9, 0.1}, std::vector<WordId>{3, 4, 5});
  EXPECT_EQ(set.candidates, "far");
  EXPECT_EQ(set.replaceable, 1);
  EXPECT_EQ(set.radius(Operation::kSubstitution), 0);
}

TEST(Gaussian, NeedsVectorsWhereItMeasures) {
  World world;
  world.context.embeddings = nullptr;
  EXPECT_THROW(world.certificate(), Error);  // of candidates
  world.context.synonyms = nullptr;
  const auto certificate = world.certificate();
  const std::vector<WordId> text = {3, 4}, edited = {3, 5};
  EXPECT_GT(certificate->certify({0.9, 0.1}, 2).radius(Operation::kSubstitution), 0);
  EXPECT_TRUE(certificate->covers({0.9, 0.1}, text, text).covered);
  EXPECT_THROW(certificate->covers({0.9, 0.1}, text, edited), Error);
}

// 0.7 rounded to float32, which is what is drawn, is smaller.
TEST(Gaussian, IsNotAboutMoreThanIsDrawn) {
  const Bounds bounds{0.9, 0.1};
  const auto radius = [&](const std::string& spec) {
    return make_certificate(spec, CertificateMode::kSound, {})
        ->certify(bounds, 20)
        .radius(Operation::kSubstitution);
  };
  EXPECT_LT(radius("gaussian:sigma=0.7"), static_cast<float>(0.7) * 1.2815515655446004);
  EXPECT_EQ(radius("gaussian:sigma=0.7"),
            make_certificate("insert:sigma=0.7", CertificateMode::kSound, {})
                ->certify(bounds, 20)
                .radius(Operation::kSubstitution));
}

}  // namespace
}  // namespace textcrs
