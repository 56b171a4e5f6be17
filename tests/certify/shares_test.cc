// Exact probabilities of short texts: what certify_shares() makes of them, against every edited
// text there is.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "certify/text_of.h"
#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/certify/deterministic.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

// A base classifier without rhyme or reason that says 0 for about `percent` of the copies.
class Arbitrary {
 public:
  Arbitrary(uint32_t seed, uint64_t percent) : seed_(seed), percent_(percent) {}
  size_t operator()(const Words& copy) const {
    uint64_t hash = fnv1a(std::to_string(seed_));
    for (const WordId word : copy) hash = fnv1a(std::to_string(word) + ",", hash);
    return hash % 100 < percent_ ? 0 : 1 + hash / 100 % 2;
  }

 private:
  uint32_t seed_;
  uint64_t percent_;
};

struct Counted {
  Votes votes = Votes(3);
  std::vector<double> shares = std::vector<double>(3);
};

Counted count(const Law& law, const Arbitrary& h) {
  Counted counted;
  for (const auto& [copy, probability] : law) {
    ++counted.votes[h(copy)];
    counted.shares[h(copy)] += probability;
  }
  return counted;
}

TEST(CertifyShares, NoDeletionWithinTheRadiusChangesTheExactAnswer) {
  const Words text = {3, 4, 5, 3, 6, 7};
  int reached = 0;
  for (const char* spec : {"delete:p=0.6", "universal:p=0.7"}) {
    const auto noise = make_noise(spec);
    const auto certificate = make_certificate(spec, CertificateMode::kSound, {8});
    for (uint32_t seed = 0; seed < 60; ++seed) {
      const Arbitrary h(seed, 60 + seed % 40);
      const Counted counted = count(noise->law(text), h);
      const Certification c =
          certify_shares(counted.votes, counted.shares, text, certificate.get(), nullptr);
      if (c.abstained) continue;
      for (unsigned gone = 1; gone < 1u << text.size(); ++gone) {
        Words edited;
        for (size_t i = 0; i < text.size(); ++i)
          if (!(gone >> i & 1)) edited.push_back(text[i]);
        if (std::popcount(gone) > c.sound.radius(Operation::kDeletion)) continue;
        ++reached;
        const auto shares = count(noise->law(edited), h).shares;
        const auto top = static_cast<size_t>(c.prediction);
        for (size_t other = 0; other < shares.size(); ++other)
          if (other != top) ASSERT_GT(shares[top], shares[other]) << spec << " " << seed;
      }
    }
  }
  EXPECT_GT(reached, 100);
}

TEST(CertifyShares, StatesTheSharesOnTheSafeSide) {
  const auto certificate = make_certificate("universal:p=0.9", CertificateMode::kSound, {8});
  const std::vector<double> shares = {0.125, 0.75, 0.125};
  const Certification c = certify_shares({3, 5, 4}, shares, text_of(4), certificate.get(), nullptr);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.prediction, 1);
  EXPECT_EQ(c.samples, 12u);
  EXPECT_EQ(c.counts, (Votes{3, 5, 4}));
  EXPECT_EQ(c.bounds.pa, 0.75 - kShareError);
  EXPECT_EQ(c.bounds.pb, 0.125 + kShareError);
  EXPECT_EQ(c.sound.frontier, certificate->certify(c.bounds, 4).frontier);
  EXPECT_FALSE(c.paper.certified);

  const std::vector<double> unanimous = {1, 0};
  const Certification sure = certify_shares({7, 0}, unanimous, text_of(4), nullptr, nullptr);
  EXPECT_EQ(sure.bounds.pa, 1 - kShareError);
  EXPECT_EQ(sure.bounds.pb, kShareError);

  const std::vector<double> tie = {0.5, 0.5};
  EXPECT_TRUE(certify_shares({1, 1}, tie, text_of(4), certificate.get(), nullptr).abstained);
}

TEST(CertifyShares, RefusesWhatIsNoLaw) {
  const std::vector<double> half = {0.5, 0.25}, one = {1}, shares = {0.5, 0.5};
  EXPECT_THROW(certify_shares({1, 1}, half, text_of(2), nullptr, nullptr), std::logic_error);
  EXPECT_THROW(certify_shares({1}, one, text_of(2), nullptr, nullptr), std::logic_error);
  EXPECT_THROW(certify_shares({1}, shares, text_of(2), nullptr, nullptr), std::logic_error);
}

}  // namespace
}  // namespace textcrs
