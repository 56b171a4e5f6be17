#include "torch/summed_gradients.h"

#include <torch/csrc/autograd/autograd.h>

#include <vector>

#include "base/in_order.h"
#include "torch/libtorch_threads.h"

namespace textcrs {
namespace {

struct Term {
  at::Tensor loss;
  std::vector<at::Tensor>
      gradients;  // one per parameter; undefined: the loss does not depend on it
};

Term term_of(const std::vector<at::Tensor>& parameters, const at::Tensor& loss) {
  return {loss.detach(), torch::autograd::grad({loss}, parameters, /*grad_outputs=*/{},
                                               /*retain_graph=*/false, /*create_graph=*/false,
                                               /*allow_unused=*/true)};
}

}  // namespace

double sum_gradients(const TensorMap& parameters, size_t parts, int threads,
                     const std::function<at::Tensor(size_t)>& loss_of) {
  const LibTorchThreads alone(1);
  std::vector<at::Tensor> list;
  for (const auto& [name, parameter] : parameters) list.push_back(parameter);
  at::Tensor total;
  std::vector<at::Tensor> sums(list.size());
  const auto add = [](at::Tensor& sum, const at::Tensor& term) {
    if (!term.defined()) return;
    // A gradient may share its memory, with itself or with another.
    if (sum.defined())
      sum.add_(term);
    else
      sum = term.clone(at::MemoryFormat::Contiguous);
  };
  for_each_in_order(
      parts, threads,
      [&](size_t i) {
        const LibTorchThreads alone_here(1);
        return term_of(list, loss_of(i));
      },
      [&](Term term) {
        add(total, term.loss);
        for (size_t k = 0; k < sums.size(); ++k) add(sums[k], term.gradients[k]);
      });
  for (size_t k = 0; k < list.size(); ++k) list[k].mutable_grad() = sums[k];
  return total.item<double>();
}

}  // namespace textcrs
