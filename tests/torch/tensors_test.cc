// Between LibTorch's tensors and plain ones.
#include "torch/tensors.h"

#include <gtest/gtest.h>

#include "model/expect_error.h"

namespace textcrs {
namespace {

TEST(Tensors, GoThereAndBack) {
  for (const FloatTensor& plain : {FloatTensor{{2, 3}, {1, 2, 3, 4, 5, -6}}, FloatTensor{{}, {7}},
                                   FloatTensor{{0, 4}, {}}, FloatTensor{{1, 1, 2}, {8, 9}}}) {
    EXPECT_EQ(to_plain(to_tensor(plain)), plain);
    EXPECT_EQ(to_plain(as_tensor(plain)), plain);
  }
  const FloatTensor plain{{2, 3}, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(to_tensor(plain)[1][0].item<float>(), 4);
  EXPECT_EQ(to_plain(TensorMap{{"a", to_tensor(plain)}}), (Weights{{"a", plain}}));
}

TEST(Tensors, WhateverItsLayoutAndTypeATensorIsMadePlain) {
  const at::Tensor tensor = at::arange(6, at::kDouble).view({2, 3});
  EXPECT_EQ(to_plain(tensor.t()), (FloatTensor{{3, 2}, {0, 3, 1, 4, 2, 5}}));
  EXPECT_EQ(to_plain(tensor.to(at::kFloat).set_requires_grad(true)),
            (FloatTensor{{2, 3}, {0, 1, 2, 3, 4, 5}}));
}

TEST(Tensors, ACopyIsACopy) {
  const FloatTensor plain{{2}, {1, 2}};
  at::Tensor copy = to_tensor(plain);
  copy.fill_(5);
  EXPECT_EQ(plain.values, (std::vector<float>{1, 2}));
  EXPECT_EQ(as_tensor(plain).data_ptr<float>(), plain.values.data());
  at::Tensor tensor = at::ones({2});
  const FloatTensor before = to_plain(tensor);
  tensor.fill_(5);
  EXPECT_EQ(before.values, (std::vector<float>{1, 1}));
}

TEST(Tensors, ValuesMustFillTheShape) {
  for (const FloatTensor& wrong : {FloatTensor{{3}, {1, 2}}, FloatTensor{{1}, {1, 2}}}) {
    EXPECT_THROW(to_tensor(wrong), std::logic_error);
    EXPECT_THROW(as_tensor(wrong), std::logic_error);
  }
}

TEST(Devices, AreCpuAndCuda) {
  EXPECT_TRUE(parse_device("cpu").is_cpu());
  const std::string message = expect_error(ErrorKind::kUsage, [] { parse_device("tpu"); });
  EXPECT_NE(message.find("'tpu', expected cpu or cuda"), std::string::npos) << message;
}

}  // namespace
}  // namespace textcrs
