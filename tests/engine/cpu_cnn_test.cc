// The CNN on the CPU against the LibTorch graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/cpu_model.h"
#include "model/network.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

class CpuCnn : public testing::TestWithParam<double> {
 protected:
  CpuCnn() : batch_(random_copies(400, 20, 7)) {  // some are empty, some longer than the slots
    classifier_ = small_classifier(folder_.path(), small_config("cnn"), 2);
    batch_.sigma = GetParam();
    if (batch_.sigma > 0)
      for (uint32_t i = 0; i < batch_.copies.size(); ++i) batch_.gaussians.emplace_back(8, 0, i, 1);
  }

  std::vector<int> classify(const CpuModel& model, const CopyBatch& batch) const {
    std::vector<int> classes(batch.copies.size(), -1);
    model.classify(batch.copies, batch.sigma, batch.gaussians, classes);
    return classes;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  CopyBatch batch_;
};

TEST_P(CpuCnn, AgreesWithTheClassifier) {
  const std::vector<int> expected = classifier_->classify(batch_);
  const at::NoGradGuard no_grad;
  const at::Tensor best_two = std::get<0>(classifier_->network().forward(batch_, nullptr).topk(2));
  const at::Tensor lead = best_two.select(1, 0) - best_two.select(1, 1);
  EXPECT_EQ(std::set<int>(expected.begin(), expected.end()).size(), 3u) << "the case is trivial";
  for (const Isa isa : available_isas()) {
    const auto model = make_cpu_cnn(classifier_->network(), isa, Precision::kBf16);
    const std::vector<int> found = classify(*model, batch_);
    int compared = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      if (lead[static_cast<int64_t>(i)].item<float>() < 1e-4f) continue;
      EXPECT_EQ(found[i], expected[i]) << to_string(isa) << " copy " << i;
      ++compared;
    }
    EXPECT_GT(compared, 390);
  }
}

TEST_P(CpuCnn, ACopysClassDependsOnTheCopyAlone) {
  for (const Isa isa : available_isas()) {
    const auto model = make_cpu_cnn(classifier_->network(), isa, Precision::kFp32);
    const std::vector<int> together = classify(*model, batch_);
    for (size_t i = 0; i < together.size(); i += 7) {
      CopyBatch alone;
      alone.copies = {batch_.copies[i]};
      alone.sigma = batch_.sigma;
      if (alone.sigma > 0) alone.gaussians = {batch_.gaussians[i]};
      EXPECT_EQ(classify(*model, alone)[0], together[i]) << to_string(isa) << " copy " << i;
    }
  }
}

TEST_P(CpuCnn, WantsAClassAndAStreamACopy) {
  const auto model = make_cpu_cnn(classifier_->network(), Isa::kPortable, Precision::kFp32);
  std::vector<int> classes(batch_.copies.size() - 1);
  EXPECT_THROW(model->classify(batch_.copies, batch_.sigma, batch_.gaussians, classes),
               std::logic_error);
  classes.resize(batch_.copies.size());
  EXPECT_THROW(model->classify(batch_.copies, 1, {}, classes), std::logic_error);
  EXPECT_NO_THROW(model->classify({}, 0, {}, {}));
}

INSTANTIATE_TEST_SUITE_P(Sigmas, CpuCnn, testing::Values(0.0, 0.8));

}  // namespace
}  // namespace textcrs
