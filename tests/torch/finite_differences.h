#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstddef>

namespace textcrs {

// Compares the gradient of loss_of(c, logits) in the logits with differences of plain_loss(c), for
// a case c that has its logits, doubles, in a member `logits`.
template <typename Case, typename LossOf, typename PlainLoss>
void expect_gradient_of_differences(const Case& c, at::Tensor logits, const LossOf& loss_of,
                                    const PlainLoss& plain_loss) {
  constexpr double kStep = 1e-6;
  logits.set_requires_grad(true);
  loss_of(c, logits).backward();
  const at::Tensor gradient = logits.grad().contiguous();
  for (size_t i = 0; i < c.logits.size(); ++i) {
    Case up = c, down = c;
    up.logits[i] += kStep;
    down.logits[i] -= kStep;
    EXPECT_NEAR(gradient.data_ptr<double>()[i], (plain_loss(up) - plain_loss(down)) / (2 * kStep),
                1e-5)
        << i;
  }
}

}  // namespace textcrs
