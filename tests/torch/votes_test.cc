// Words that vote: the cpu engine and the reference have the same sums, to the last bit.
#include <gtest/gtest.h>

#include "model/small_model.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

TEST(Votes, TheTwoEnginesAgreeForWindowsAndPresence) {
  for (const VoteShape& shape :
       {VoteShape{}, VoteShape{.windows = 2, .window_rows = 100},
        VoteShape{.windows = 3, .window_rows = 7}, VoteShape{.presence = true}}) {
    ModelConfig config = small_config("votes");
    config.votes = shape;
    const auto classifier = small_votes(config);
    const auto reference = torch_backend().reference_engine(*classifier, "cpu");
    const auto engine = make_cpu_engine(*classifier);
    const CopyBatch batch = random_copies(300, 30, 5);  // some are empty, some of one word
    EXPECT_EQ(engine->scores(batch), reference->scores(batch));
    EXPECT_EQ(engine->classify(batch), reference->classify(batch));
    Words text;
    for (int i = 0; i < 40; ++i) text.push_back(3 + i * 7 % 20);
    const auto noise = make_noise("universal:p=0.8", {&classifier->vocabulary(), nullptr, 12});
    EXPECT_EQ(engine->votes(text, *noise, {1, 2, 0, 500}),
              reference->votes(text, *noise, {1, 2, 0, 500}));
  }
}

}  // namespace
}  // namespace textcrs
