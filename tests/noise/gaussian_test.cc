#include <gtest/gtest.h>

#include "noise/fixture.h"

namespace textcrs {
namespace {

TEST(Gaussian, ACopyIsTheTextCutToTheSlots) {
  const auto noise = make_noise("gaussian:sigma=1.5", {.slots = 4});
  EXPECT_EQ(noise->sigma(), 1.5);
  Words copy;
  Stream stream(1, 2, 3);
  for (const Words& text : {Words{}, Words{3}, Words{3, 4, 3, 5}}) {
    noise->sample(text, stream, copy);
    EXPECT_EQ(copy, text);
  }
  noise->sample(Words{3, 4, 3, 5, 6, 7}, stream, copy);
  EXPECT_EQ(copy, (Words{3, 4, 3, 5}));
  EXPECT_EQ(noise->law(Words{3, 4, 3, 5, 6, 7}), (Law{{{3, 4, 3, 5}, 1.0}}));
  EXPECT_EQ(noise->plan(Words{3, 4, 3, 5, 6, 7})->words, (Words{3, 4, 3, 5}));
}

}  // namespace
}  // namespace textcrs
