// Parts of a batch: every copy keeps what belongs to it.
#include "textcrs/model/copy_batch.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

class Copies : public testing::Test {
 protected:
  Copies() {
    batch_.copies = {{3}, {4, 5}, {}, {6}};
    batch_.sigma = 0.5;
    for (uint32_t i = 0; i < 4; ++i) batch_.gaussians.emplace_back(1, i, 0);
    batch_.own = {first_, first_, second_, {}};
  }

  const std::vector<std::string> first_ = {"a", "b"}, second_ = {"c"};
  CopyBatch batch_;
};

TEST_F(Copies, AViewIsTheWholeBatch) {
  const CopyView view = batch_;
  EXPECT_EQ(view.size(), 4u);
  EXPECT_EQ(view.sigma, 0.5);
  EXPECT_EQ(view.copies.data(), batch_.copies.data());
  EXPECT_EQ(view.gaussians.data(), batch_.gaussians.data());
  EXPECT_EQ(view.own_of(1)[1], "b");
  EXPECT_TRUE(view.own_of(3).empty());
  EXPECT_EQ(CopyView().size(), 0u);
  EXPECT_EQ(CopyView(CopyBatch()).size(), 0u);
}

TEST_F(Copies, APartTakesWhatBelongsToItsCopies) {
  const CopyView part = CopyView(batch_).part(1, 2);
  ASSERT_EQ(part.size(), 2u);
  EXPECT_EQ(part.sigma, 0.5);
  EXPECT_EQ(part.copies[0], (std::vector<WordId>{4, 5}));
  ASSERT_EQ(part.gaussians.size(), 2u);
  EXPECT_EQ(part.gaussians[1].position().example, 2u);
  EXPECT_EQ(part.own_of(0)[0], "a");
  EXPECT_EQ(part.own_of(1)[0], "c");
  const CopyView last = part.part(1, 1);
  EXPECT_EQ(last.own_of(0)[0], "c");
  EXPECT_EQ(last.gaussians[0].position().example, 2u);
}

TEST_F(Copies, WithoutNoiseAndOwnWordsThereIsNothingToTake) {
  batch_.sigma = 0;
  batch_.gaussians.clear();
  batch_.own.clear();
  const CopyView part = CopyView(batch_).part(2, 2);
  EXPECT_EQ(part.size(), 2u);
  EXPECT_TRUE(part.gaussians.empty());
  EXPECT_TRUE(part.own_of(1).empty());
}

TEST_F(Copies, HalfOfTheGaussiansOrOwnWordsIsABug) {
  CopyBatch no_gaussians = batch_, few_gaussians = batch_, few_own = batch_;
  no_gaussians.gaussians.clear();
  few_gaussians.gaussians.pop_back();
  few_own.own.pop_back();
  EXPECT_THROW(CopyView{no_gaussians}, std::logic_error);
  EXPECT_THROW(CopyView{few_gaussians}, std::logic_error);
  EXPECT_THROW(CopyView{few_own}, std::logic_error);
}

}  // namespace
}  // namespace textcrs
