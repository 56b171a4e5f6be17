// The CNN in the cpu engine: a copy by itself. tests/torch compares it with LibTorch's.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/cpu_model.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/lanes.h"

namespace textcrs {
namespace {

constexpr size_t kClasses = 3;

class CpuCnn : public testing::TestWithParam<double> {  // sigma
 protected:
  CpuCnn() : batch_(random_copies(400, 20, 7)) {  // some are empty, some longer than the slots
    classifier_ = small_classifier(folder_.path(), small_config("cnn"), 2);
    batch_.sigma = GetParam();
    if (batch_.sigma > 0)
      for (uint32_t i = 0; i < batch_.copies.size(); ++i)
        batch_.gaussians.emplace_back(8, 0, i, lane::kGaussian);
  }

  static std::vector<double> scores(const CpuModel& model, const CopyView& batch) {
    std::vector<double> found(batch.size() * kClasses);
    model.score(batch, found);
    return found;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  CopyBatch batch_;
};

TEST_P(CpuCnn, ACopysScoresDependOnTheCopyAlone) {
  for (const Isa isa : available_isas()) {
    const auto model = make_cpu_cnn(*classifier_, isa, Precision::kFp32);
    const std::vector<double> together = scores(*model, batch_);
    for (size_t i = 0; i < batch_.copies.size(); ++i) {
      const auto first = together.begin() + static_cast<ptrdiff_t>(i * kClasses);
      EXPECT_EQ(scores(*model, CopyView(batch_).part(i, 1)),
                std::vector<double>(first, first + kClasses))
          << to_string(isa) << " copy " << i;
    }
  }
}

TEST_P(CpuCnn, WantsAScorePerClassAndAStreamPerCopy) {
  const auto model = make_cpu_cnn(*classifier_, Isa::kPortable, Precision::kFp32);
  std::vector<double> found(batch_.copies.size() * kClasses - 1);
  EXPECT_THROW(model->score(batch_, found), std::logic_error);
  found.resize(batch_.copies.size() * kClasses);
  EXPECT_NO_THROW(model->score(batch_, found));
  batch_.sigma = 1;
  batch_.gaussians.clear();
  EXPECT_THROW(model->score(batch_, found), std::logic_error);
  EXPECT_NO_THROW(model->score({}, {}));
}

INSTANTIATE_TEST_SUITE_P(Sigmas, CpuCnn, testing::Values(0.0, 0.8));

}  // namespace
}  // namespace textcrs
