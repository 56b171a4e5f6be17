// What a noise leaves of a text: blank copies, and copies of the text without some of its words.
#include <gtest/gtest.h>

#include <algorithm>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::all_specs;
using testing::context;
using testing::total_variation;

const Words kText = {3, 4, 5, 8};

TEST(Noise, ItsBlankShareIsTheLawsShareOfCopiesWithoutAnyWord) {
  for (const std::string& spec : all_specs()) {
    if (spec.starts_with("hash")) continue;  // there an empty copy casts no vote
    SCOPED_TRACE(spec);
    const auto noise = make_noise(spec, context());
    double blank = 0;
    for (const auto& [copy, probability] : noise->law(kText))
      if (std::all_of(copy.begin(), copy.end(), [](WordId word) { return word < kFirstWord; }))
        blank += probability;
    EXPECT_NEAR(noise->blank_share(kText), blank, 1e-12);
  }
  EXPECT_EQ(make_noise("hash:buckets=9,functions=1", context())->blank_share(kText), 0);
  EXPECT_NEAR(make_noise("delete:p=0.9")->blank_share(Words{3, 4, 5}), 0.729, 1e-12);
}

// Of the text with distinct words, so that a word is its place.
TEST(Noise, WhatPicksPlacesForgetsTheOthers) {
  size_t picking = 0;
  for (const std::string& spec : all_specs()) {
    SCOPED_TRACE(spec);
    const auto noise = make_noise(spec, context());
    if (!noise->picks_places()) continue;
    ++picking;
    const auto less = [](Words words) {
      std::erase_if(words, [](WordId word) { return word == 4 || word == 8; });
      return words;
    };
    Law projected;
    for (const auto& [copy, probability] : noise->law(kText)) projected[less(copy)] += probability;
    EXPECT_LT(total_variation(projected, noise->law(less(kText))), 1e-12);
    // The same places, whatever stands there.
    for (uint32_t i = 0; i < 20; ++i) {
      Words places, copy;
      Stream first(1, 2, i), second(1, 2, i);
      noise->sample(Words{0, 1, 2, 3}, first, places);
      noise->sample(kText, second, copy);
      for (WordId& place : places) place = kText[static_cast<size_t>(place)];
      EXPECT_EQ(places, copy);
    }
  }
  EXPECT_EQ(picking, 5u);  // none, reorder:full, delete twice, universal
}

}  // namespace
}  // namespace textcrs
