// The cpu engine against LibTorch on word models, on every ISA the machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/known_precision.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

const std::vector<std::string> kNoises = {
    "none",          "delete:p=0.3",     "universal:p=0.7", "reorder:full",       "mask:p=0.4",
    "delete:p=0.99", "insert:sigma=0.5", "reorder:block=3", "gaussian:sigma=0.5", "adapt:keep=4",
};

class CpuEngineAgainstLibTorch : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  CpuEngineAgainstLibTorch() {
    ModelConfig config = small_config(GetParam());
    config.hidden = 37;
    classifier_ = small_classifier(folder_.path(), config, 2);
    reference_ = torch_backend().reference_engine(*classifier_, "cpu");
  }

  std::unique_ptr<Engine> engine(Precision precision, Isa isa) const {
    return make_cpu_engine(
        *classifier_, {.threads = 1, .precision = precision, .isa = std::string(to_string(isa))});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Engine> reference_;
};

TEST_P(CpuEngineAgainstLibTorch, ClassifiesAsTheReferenceButForTies) {
  CopyBatch batch;
  Stream stream(41, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    Words copy(stream.below(20));  // some are empty, some longer than the slots
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(23));
    batch.copies.push_back(copy);
  }
  const auto expected = reference_->classify(batch);
  const auto scores = reference_->scores(batch);
  EXPECT_LT(std::count(expected.begin(), expected.end(), expected[0]), 3000) << "trivial";
  // The lead of the best score over the next.
  const auto lead = [&](size_t copy) {
    std::vector<double> row(scores.begin() + static_cast<ptrdiff_t>(3 * copy),
                            scores.begin() + static_cast<ptrdiff_t>(3 * copy + 3));
    std::sort(row.begin(), row.end(), std::greater<>());
    return row[0] - row[1];
  };
  for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      SCOPED_TRACE(to_string(isa));
      const auto found = engine(precision, isa)->classify(batch);
      const double tie = precision == Precision::kFp32 ? 1e-5 : 1e-2;
      int different = 0;
      for (size_t i = 0; i < found.size(); ++i) {
        if (found[i] == expected[i]) continue;
        ++different;
        EXPECT_LT(lead(i), tie) << i;
      }
      EXPECT_LE(different, precision == Precision::kFp32 ? 3 : 90);
    }
  }
}

TEST_P(CpuEngineAgainstLibTorch, ScoresAreTheSameButForRounding) {
  CopyBatch batch = random_copies(500, 20, 42);
  for (const double sigma : {0.0, 0.8}) {
    batch.sigma = sigma;
    if (sigma > 0)
      for (uint32_t i = 0; i < 500; ++i) batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
    const auto expected = reference_->scores(batch);
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        SCOPED_TRACE(to_string(isa));
        const auto found = engine(precision, isa)->scores(batch);
        ASSERT_EQ(found.size(), expected.size());
        double largest = 0;
        for (size_t i = 0; i < found.size(); ++i)
          largest = std::max(largest, std::abs(found[i] - expected[i]));
        EXPECT_LT(largest, precision == Precision::kFp32 ? 1e-5 : 2e-2);
      }
    }
  }
}

TEST_P(CpuEngineAgainstLibTorch, VotesLikeTheReference) {
  Words text;
  for (size_t i = 0; i < 15; ++i) text.push_back(static_cast<WordId>(3 + i * 7 % 20));
  for (const std::string& spec : kNoises) {
    SCOPED_TRACE(spec);
    const auto noise =
        make_noise(spec, {&classifier_->vocabulary(), nullptr, classifier_->config().slots});
    const SampleRange range{7, 3, 100, 1100};
    const Votes expected = reference_->votes(text, *noise, range);
    for (const Isa isa : available_isas()) {
      const Precision precision =
          knows(isa, Precision::kFp32) ? Precision::kFp32 : Precision::kBf16;
      const Votes found = engine(precision, isa)->votes(text, *noise, range);
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), 1000);
      for (size_t c = 0; c < found.size(); ++c)
        EXPECT_NEAR(static_cast<double>(found[c]), static_cast<double>(expected[c]),
                    precision == Precision::kFp32 ? 2 : 40)
            << to_string(isa);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CpuEngineAgainstLibTorch, testing::Values("bilstm", "cnn"));

// The precision changes nothing in a cnn.
class CpuCnnAgainstLibTorch : public testing::TestWithParam<double> {};  // sigma

TEST_P(CpuCnnAgainstLibTorch, ClassifiesAsTheReferenceButForTies) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"), 2);
  CopyBatch batch = random_copies(400, 20, 7);  // some are empty, some longer than the slots
  batch.sigma = GetParam();
  if (batch.sigma > 0)
    for (uint32_t i = 0; i < batch.copies.size(); ++i)
      batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
  const auto reference = torch_backend().reference_engine(*classifier, "cpu");
  const auto expected = reference->classify(batch);
  const auto scores = reference->scores(batch);
  for (int c = 0; c < 3; ++c)
    EXPECT_GT(std::count(expected.begin(), expected.end(), c), 0) << "the case is trivial";
  for (const Isa isa : available_isas()) {
    const auto found =
        make_cpu_engine(*classifier, {.threads = 1, .isa = std::string(to_string(isa))})
            ->classify(batch);
    int compared = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      std::vector<double> row(scores.begin() + static_cast<ptrdiff_t>(3 * i),
                              scores.begin() + static_cast<ptrdiff_t>(3 * i + 3));
      std::sort(row.begin(), row.end(), std::greater<>());
      if (row[0] - row[1] < 1e-4) continue;
      EXPECT_EQ(found[i], expected[i]) << to_string(isa) << " copy " << i;
      ++compared;
    }
    EXPECT_GT(compared, 390);
  }
}

INSTANTIATE_TEST_SUITE_P(Sigmas, CpuCnnAgainstLibTorch, testing::Values(0.0, 0.8));

}  // namespace
}  // namespace textcrs
