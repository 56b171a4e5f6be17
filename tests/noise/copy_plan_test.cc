// draw_copy() on plan() is sample(), word by word.
#include "textcrs/noise/copy_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "noise/draw_plan.h"
#include "noise/plan_cases.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

Words drawn(const CopyPlan& plan, uint64_t seed, uint32_t example, uint32_t sample) {
  constexpr WordId kUntouched = -77;
  constexpr size_t kStride = 3;  // entries of a copy need not be neighbours
  Words memory(kStride * (plan.capacity() + 1), kUntouched);
  const int size = draw_copy(draw_plan_of(plan), PhiloxStream(seed, example, sample, lane::kWords),
                             [&](size_t i) -> int32_t& { return memory.at(kStride * i); });
  Words copy;
  for (size_t i = 0; i < memory.size(); ++i) {
    if (i % kStride != 0 || i / kStride == plan.capacity())
      EXPECT_EQ(memory[i], kUntouched) << "entry " << i;
    else if (i / kStride < static_cast<size_t>(size))
      copy.push_back(memory[i]);
  }
  return copy;
}

void expect_same_copies(const Noise& noise, Text text, uint32_t samples) {
  const std::optional<CopyPlan> plan = noise.plan(text);
  ASSERT_TRUE(plan.has_value());
  Words expected;
  for (const uint64_t seed : kPlanSeeds)
    for (uint32_t sample = 0; sample < samples; ++sample) {
      Stream stream(seed, 9, sample, lane::kWords);
      noise.sample(text, stream, expected);
      ASSERT_EQ(drawn(*plan, seed, 9, sample), expected) << "seed " << seed << ", " << sample;
    }
}

class EveryPlan : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPlan, DrawsTheCopiesOfSample) {
  for (const int slots : {1, 20, 256}) {
    const auto noise = make_noise(GetParam(), plan_context(slots));
    if (slots != 20 && noise->sigma() == 0) continue;
    for (const size_t size : {0, 1, 2, 7, 43, 300}) {
      SCOPED_TRACE(std::to_string(size) + " words, " + std::to_string(slots) + " slots");
      const SpelledText text = plan_text(size);
      expect_same_copies(*noise, text.view(), 150);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CopyPlan, EveryPlan, ::testing::ValuesIn(plan_specs()), plan_name);

TEST(CopyPlan, NoKindOfNoiseIsForgotten) {
  std::set<std::string> tried, known;
  for (const std::string& spec : plan_specs()) tried.insert(Spec::parse(spec).name());
  for (const NoiseKind& kind : noise_kinds()) known.insert(kind.name);
  EXPECT_EQ(tried, known);
}

// A coin whose threshold begins with the draw for word k: the next draw decides.
TEST(CopyPlan, TiesOfTheCoin) {
  const SpelledText text = plan_text(43);
  int below = 0, above = 0;
  for (uint32_t k = 0; k < 43; ++k) {
    Stream stream(kPlanSeeds[2], 9, k % 4, lane::kWords);
    for (uint32_t i = 0; i < k; ++i) stream();
    const double high = stream(), low = stream() & 0xfff00000;
    const double p = std::ldexp(high, -32) + std::ldexp(0x80000000u, -64);
    ++(low < 0x80000000u ? below : above);
    for (const std::string noise : {"delete:p=", "universal:p=", "mask:p="}) {
      SCOPED_TRACE(noise + shortest(p));
      expect_same_copies(*make_noise(noise + shortest(p)), text.view(), 4);
    }
  }
  EXPECT_GT(below, 5);
  EXPECT_GT(above, 5);
}

TEST(CopyPlan, SortedBlocksByTheNumbersOfWords) {
  const auto noise = make_noise("reorder:block=5,order=sorted");
  const SpelledText text = plan_text(43);
  expect_same_copies(*noise, Text(text.ids), 100);
  EXPECT_THROW(noise->plan(text.view()), std::logic_error);
}

TEST(CopyPlan, AWordThatComesTwiceHasItsTableOnce) {
  const auto noise = make_noise("substitute:kernel=uniform", plan_context(1));
  const CopyPlan once = noise->plan(Words{5}).value();
  EXPECT_GT(once.columns.size(), 1u);
  EXPECT_EQ(noise->plan(Words{5, 30, 5, 5}).value().columns.size(), once.columns.size());
}

// A noise of a user's own.
TEST(CopyPlan, IsNotAskedOfEveryNoise) {
  class Own final : public Noise {
    std::string spec() const override { return "own"; }
    void sample(Text, Stream&, Words& out) const override { out.clear(); }
    Law law(Text) const override { return {}; }
  };
  const std::unique_ptr<Noise> noise = std::make_unique<Own>();
  EXPECT_FALSE(noise->plan(Words{3, 4}).has_value());
}

}  // namespace
}  // namespace textcrs
