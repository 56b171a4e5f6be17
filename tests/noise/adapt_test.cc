#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "noise/deletion_rates.h"
#include "noise/fixture.h"

namespace textcrs {
namespace {

DeletionRates rates(const std::string& spec) {
  return DeletionRates(AdaptParameters::parse(Spec::parse(spec)));
}

double rate(const DeletionRates& of, int words) { return of.bins()[of.bin_of(words)].p; }

TEST(DeletionRates, EveryLengthIsInOneBin) {
  for (const char* spec : {"adapt:keep=10", "adapt:keep=3,growth=1.01", "adapt:keep=1,growth=7",
                           "adapt:keep=1000000,least=0.5,most=0.5"}) {
    const DeletionRates of = rates(spec);
    EXPECT_EQ(of.bins().front().first, 0);
    for (size_t bin = 0; bin < of.bins().size(); ++bin) {
      const int first = of.bins()[bin].first, last = of.last_of(bin);
      EXPECT_LE(first, last);
      EXPECT_EQ(of.bin_of(first), bin);
      EXPECT_EQ(of.bin_of(last), bin);
      if (bin > 0) {
        EXPECT_LT(of.bins()[bin - 1].p, of.bins()[bin].p) << "longer texts lose more";
        EXPECT_EQ(of.last_of(bin - 1), first - 1);
      }
    }
    EXPECT_EQ(of.last_of(of.bins().size() - 1), std::numeric_limits<int>::max());
  }
}

TEST(DeletionRates, AboutKWordsSurviveBetweenTheEnds) {
  const DeletionRates of = rates("adapt:keep=10");
  for (int words = 26; words <= 900; ++words)
    EXPECT_NEAR((1 - rate(of, words)) * words, 10, 1.35) << words;
  EXPECT_EQ(rate(of, 0), 0.6);
  EXPECT_EQ(rate(of, 20), 0.6);
  EXPECT_EQ(rate(of, 5000), 0.99);
  // A bin of one word each: exactly K.
  const DeletionRates fine = rates("adapt:keep=10,growth=1.01");
  for (int words = 25; words < 99; ++words)
    EXPECT_DOUBLE_EQ(rate(fine, words), 1 - 10.0 / words) << words;
}

TEST(DeletionRates, BinsGrowByTheFactor) {
  const DeletionRates of = rates("adapt:keep=1,least=0.01,most=0.999,growth=2");
  std::vector<int> firsts;
  for (const DeletionRates::Bin& bin : of.bins()) firsts.push_back(bin.first);
  ASSERT_GE(firsts.size(), 5u);
  EXPECT_EQ((std::vector<int>(firsts.begin(), firsts.begin() + 5)),
            (std::vector<int>{0, 2, 4, 8, 16}));
  EXPECT_DOUBLE_EQ(of.bins()[1].p, 1 - 1 / 2.5);
  EXPECT_DOUBLE_EQ(of.bins()[2].p, 1 - 1 / 5.5);
}

TEST(Adapt, IsTheDeletionNoiseOfTheTextsLength) {
  const DeletionRates of = rates("adapt:keep=2,least=0.2,growth=1.01");
  for (const std::string order : {"", ",order=shuffled"}) {
    const auto noise = make_noise("adapt:keep=2,least=0.2,growth=1.01" + order);
    for (int words = 0; words <= 6; ++words) {
      Words text(static_cast<size_t>(words));
      std::iota(text.begin(), text.end(), 3);
      const auto same = make_noise("delete:p=" + shortest(rate(of, words)) + order);
      EXPECT_EQ(noise->law(text), same->law(text));
      EXPECT_EQ(noise->blank_share(text), same->blank_share(text));
      Words copy, expected;
      for (uint32_t i = 0; i < 20; ++i) {
        Stream stream(1, 2, i), again(1, 2, i);
        noise->sample(text, stream, copy);
        same->sample(text, again, expected);
        EXPECT_EQ(copy, expected);
      }
    }
    // The text less a word has a law of its own.
    EXPECT_FALSE(noise->picks_places());
  }
}

TEST(Adapt, LongAndShortTextsKeepAsMany) {
  const auto noise = make_noise("adapt:keep=12");
  for (const size_t words : {60, 250, 1000}) {
    const Words text(words, 7);
    Words copy;
    double kept = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
      Stream stream(8, 0, i);
      noise->sample(text, stream, copy);
      kept += static_cast<double>(copy.size());
    }
    EXPECT_NEAR(kept / 2000, 12, 2) << words;
  }
}

}  // namespace
}  // namespace textcrs
