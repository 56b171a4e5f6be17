// The written-out LSTM against LibTorch's own, values and gradients.
#include "torch/bilstm_cpu.h"

#include <gtest/gtest.h>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

at::Tensor random(at::IntArrayRef shape, uint32_t key, float scale) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  Stream(11, key, 0).normals({tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())});
  return tensor.mul_(scale);
}

struct Case {
  std::vector<int64_t> batch_sizes;
  int64_t dimension, units;
};

struct Problem {
  explicit Problem(const Case& c) {
    int64_t rows = 0;
    for (int64_t size : c.batch_sizes) rows += size;
    words = random({rows, c.dimension}, 0, 1).set_requires_grad(true);
    for (uint32_t d = 0; d < 2; ++d) {
      weights.push_back(random({4 * c.units, c.dimension}, 10 * d + 1, .5f));
      weights.push_back(random({4 * c.units, c.units}, 10 * d + 2, .5f));
      weights.push_back(random({4 * c.units}, 10 * d + 3, .5f));
      weights.push_back(random({4 * c.units}, 10 * d + 4, .5f));
    }
    for (auto& weight : weights) weight.set_requires_grad(true);
    target = random({c.batch_sizes[0], 2 * c.units}, 99, 1);
  }
  // The gradients of sum(pooled * target), words first.
  std::vector<at::Tensor> gradients(const at::Tensor& pooled) {
    (pooled * target).sum().backward();
    std::vector<at::Tensor> list = {words.grad().clone()};
    words.mutable_grad().reset();
    for (auto& weight : weights) {
      list.push_back(weight.grad().clone());
      weight.mutable_grad().reset();
    }
    return list;
  }
  at::Tensor words, target;
  std::vector<at::Tensor> weights;
};

at::Tensor pool_by_libtorch(const Problem& problem, const Case& c) {
  const at::Tensor sizes = at::tensor(c.batch_sizes, at::kLong);
  const at::Tensor zeros = at::zeros({2, c.batch_sizes[0], c.units});
  const auto output =
      at::lstm(problem.words, sizes, {zeros, zeros}, problem.weights, true, 1, 0.0, true, true);
  return std::get<0>(
      std::get<0>(at::_pad_packed_sequence(std::get<0>(output), sizes, false, -INFINITY, -1))
          .max(0));
}

class BiLstmCpu : public testing::TestWithParam<Case> {};

TEST_P(BiLstmCpu, AgreesWithLibTorch) {
  Problem problem(GetParam());
  const at::Tensor expected = pool_by_libtorch(problem, GetParam());
  const at::Tensor found =
      bilstm_max_pool_cpu(problem.words, GetParam().batch_sizes, problem.weights, 2);
  EXPECT_LT((found - expected).abs().max().item<float>(), 2e-6f);
  const auto expected_gradients = problem.gradients(expected);
  const auto found_gradients = problem.gradients(found);
  for (size_t i = 0; i < expected_gradients.size(); ++i) {
    const float scale = 1 + expected_gradients[i].abs().max().item<float>();
    EXPECT_LT((found_gradients[i] - expected_gradients[i]).abs().max().item<float>(), 2e-5f * scale)
        << "gradient " << i;
  }
}

TEST_P(BiLstmCpu, SameValuesWithAndWithoutGradientsAndForAnyThreads) {
  Problem problem(GetParam());
  const at::Tensor with =
      bilstm_max_pool_cpu(problem.words, GetParam().batch_sizes, problem.weights, 2);
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(
      with.equal(bilstm_max_pool_cpu(problem.words, GetParam().batch_sizes, problem.weights, 1)));
}

INSTANTIATE_TEST_SUITE_P(Shapes, BiLstmCpu,
                         testing::Values(Case{{1}, 3, 2}, Case{{4, 4, 3, 1, 1}, 5, 7},
                                         Case{{70, 66, 65, 64, 63, 2}, 6, 17},  // two shards
                                         Case{{130, 130, 90, 5}, 20, 33}));

}  // namespace
}  // namespace textcrs
