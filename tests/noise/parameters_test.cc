#include "textcrs/noise/parameters.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "noise/coin.h"
#include "noise/fixture.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs {
namespace {

std::string canonical(const std::string& text) {
  const Spec spec = Spec::parse(text);
  if (spec.name() == "delete" || spec.name() == "universal")
    return DeletionParameters::parse(spec).spec();
  if (spec.name() == "mask") return MaskParameters::parse(spec).spec();
  if (spec.name() == "reorder") return ReorderParameters::parse(spec).spec();
  if (spec.name() == "insert" || spec.name() == "gaussian")
    return GaussianParameters::parse(spec).spec();
  if (spec.name() == "adapt") return AdaptParameters::parse(spec).spec();
  if (spec.name() == "hash") return HashParameters::parse(spec).spec();
  if (spec.name() == "substitute") return SubstitutionRule::parse(spec).spec();
  return text;
}

TEST(Parameters, TheSpecOfEveryNoiseParsesToItself) {
  for (const std::string& spec : testing::all_specs()) EXPECT_EQ(canonical(spec), spec);
}

TEST(Parameters, OtherSpellingsHaveOneCanonicalForm) {
  const auto expect = [](const std::string& given, const std::string& expected) {
    EXPECT_EQ(canonical(given), expected);
    EXPECT_EQ(canonical(expected), expected);
    EXPECT_EQ(make_noise(given, testing::context())->spec(), expected);
  };
  expect("delete:p=0.30,order=kept", "delete:p=0.3");
  expect("delete:order=shuffled,p=3e-1", "delete:p=0.3,order=shuffled");
  expect("universal:p=.5", "universal:p=0.5");
  expect("mask:p=5e-1", "mask:p=0.5");
  expect("reorder:order=shuffled,block=4", "reorder:block=4");
  expect("reorder:order=sorted,block=4", "reorder:block=4,order=sorted");
  expect("insert:sigma=2.0e-1", "insert:sigma=0.2");
  expect("gaussian:sigma=.20", "gaussian:sigma=0.2");
  expect("adapt:growth=2,keep=1e1,least=0.60", "adapt:keep=10,growth=2");
  expect("hash:functions=2,buckets=3", "hash:buckets=3,functions=2");
  expect("substitute:size=5,eps=1,kernel=staircase", "substitute:kernel=staircase,size=5");
}

TEST(Parameters, AreWhatWasGiven) {
  const auto deletion = DeletionParameters::parse(Spec::parse("delete:p=0.3,order=shuffled"));
  EXPECT_EQ(deletion.p, 0.3);
  EXPECT_TRUE(deletion.shuffled);
  EXPECT_FALSE(deletion.universal);
  const auto universal = DeletionParameters::parse(Spec::parse("universal:p=0.3"));
  EXPECT_TRUE(universal.shuffled);
  EXPECT_TRUE(universal.universal);
  const auto groups = ReorderParameters::parse(Spec::parse("reorder:groups=7"));
  EXPECT_EQ(groups.kind, ReorderParameters::Kind::kGroups);
  EXPECT_EQ(groups.length, 7);
  const auto hash = HashParameters::parse(Spec::parse("hash:buckets=3,functions=4"));
  EXPECT_EQ(hash.buckets, 3);
  EXPECT_EQ(hash.functions, 4);
}

TEST(Parameters, AnyProbabilityRoundTrips) {
  EXPECT_TRUE(rc::check([] {
    const double p =
        std::ldexp(*rc::gen::inRange<int64_t>(1, int64_t{1} << 53), -53 - *rc::gen::inRange(0, 80));
    const DeletionParameters parsed =
        DeletionParameters::parse(Spec::parse(DeletionParameters{p, false, false}.spec()));
    RC_ASSERT(parsed.p == p);
    RC_ASSERT(MaskParameters::parse(Spec::parse(MaskParameters{p}.spec())).p == p);
  }));
}

TEST(SampledProbability, IsThatOfTheCoin) {
  EXPECT_TRUE(rc::check([] {
    const double p =
        std::ldexp(*rc::gen::inRange<int64_t>(1, int64_t{1} << 53), -53 - *rc::gen::inRange(0, 80));
    const double sampled = sampled_probability(p);
    RC_ASSERT(Coin(p).probability() == sampled);
    RC_ASSERT(sampled <= p);
    RC_ASSERT(p - sampled < 0x1p-64);
    RC_ASSERT(p < 0x1p-11 || sampled == p);
  }));
  EXPECT_EQ(sampled_probability(0x1.8p-63), 0x1p-63 + 0x1p-64);
  EXPECT_EQ(sampled_probability(0x1.cp-63), 0x1p-63 + 0x1p-64);
  EXPECT_EQ(sampled_probability(0x1p-65), 0);
}

// The law that is written down is that of the coin, however small p is.
TEST(SampledProbability, IsThatOfTheLaws) {
  for (const double p : {0.3, 0x1.cp-63, 1e-18}) {
    const std::string value = shortest(p);
    EXPECT_EQ(make_noise("delete:p=" + value)->law(Words{3}).at({}), sampled_probability(p));
    EXPECT_EQ(make_noise("universal:p=" + value)->law(Words{3}).at({}), sampled_probability(p));
    EXPECT_EQ(make_noise("mask:p=" + value)->law(Words{3}).at({kMask}), sampled_probability(p));
  }
}

}  // namespace
}  // namespace textcrs
