#include "plot/ticks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace textcrs::plot {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(Range range, size_t count, bool logarithmic = false) {
  std::vector<std::string> all;
  for (const Tick& tick : choose_ticks(range, count, logarithmic)) all.push_back(tick.label);
  return all;
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_THAT(labels({0, 100}, 6), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(labels({0, 100}, 5), ElementsAre("0", "50", "100"));
  EXPECT_THAT(labels({0, 1.2}, 7), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1", "1.2"));
  EXPECT_THAT(labels({-0.27, 0.3}, 6), ElementsAre("-0.2", "-0.1", "0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(labels({0, 30000}, 4), ElementsAre("0", "10k", "20k", "30k"));
  EXPECT_THAT(labels({0, 3e6}, 4), ElementsAre("0", "1M", "2M", "3M"));
}

TEST(Ticks, OfALogarithmicAxisArePowersOfTenWith2And5WhereThereIsRoom) {
  EXPECT_THAT(labels({100, 100000}, 8, true), ElementsAre("100", "1000", "10k", "100k"));
  EXPECT_THAT(labels({20, 300}, 6, true), ElementsAre("20", "50", "100", "200"));
  EXPECT_THAT(labels({1e-9, 1e9}, 5, true), ElementsAre("1e-08", "0.0001", "1", "10k", "100M"));
  EXPECT_THAT(labels({6, 9}, 5, true), ElementsAre("6", "7", "8", "9")) << "no power between";
}

TEST(Ticks, LieInTheRangeAndAreAtMostSoMany) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const bool logarithmic = i % 2 == 1;
    const double scale = std::pow(10, std::uniform_real_distribution<>(-8, 8)(random));
    const double least =
        scale * std::uniform_real_distribution<>(logarithmic ? 0.1 : -1, 1)(random);
    const double most = logarithmic
                            ? least * std::pow(10, std::uniform_real_distribution<>(0.1, 9)(random))
                            : least + scale * std::uniform_real_distribution<>(0.01, 2)(random);
    const auto count = std::uniform_int_distribution<size_t>(2, 9)(random);
    const std::vector<Tick> ticks = choose_ticks({least, most}, count, logarithmic);
    ASSERT_LE(ticks.size(), count) << least << " " << most;
    ASSERT_GE(ticks.size(), 1u) << least << " " << most;
    for (size_t t = 0; t < ticks.size(); ++t) {
      ASSERT_GE(ticks[t].at, least - 1e-8 * (most - least));
      ASSERT_LE(ticks[t].at, most + 1e-8 * (most - least));
      if (t > 0) {
        ASSERT_GT(ticks[t].at, ticks[t - 1].at);
        ASSERT_NE(ticks[t].label, ticks[t - 1].label);
      }
    }
  }
}

}  // namespace
}  // namespace textcrs::plot
