// Scores of words, added up, on a GPU: the whole numbers of engine/cpu_votes.cc.
#include "engine/cuda/cuda_model.h"
#include "kernels/cuda/linear.h"
#include "model/tensors.h"
#include "model/vote_table.h"
#include "model/vote_windows.h"

namespace textcrs {
namespace {

class CudaLinear final : public CudaModel {
 public:
  CudaLinear(const Classifier& classifier, const GpuQueue& queue) {
    const VoteShape& votes = classifier.config().votes;
    table_.upload(queue, whole_numbers(classifier, kVoteScores), "the scores of all words");
    bias_.upload(queue, whole_numbers(classifier, kVoteBias), "weights");
    linear_ = {.classes = static_cast<int>(classifier.config().classes.size()),
               .table = table_.data(),
               .bias = bias_.data(),
               .presence = votes.presence,
               .window_rows = static_cast<uint64_t>(votes.window_rows)};
    for (int width = 2; width <= votes.windows; ++width) {
      GpuArray<int32_t>& windows = windows_[width - 2];
      windows.upload(queue, whole_numbers(classifier, window_scores(width)),
                     "the scores of all windows");
      linear_.windows[width - 2] = windows.data();
    }
    queue.wait();
  }

  void score(const GpuQueue& queue, const CudaBatch& batch, double* scores) override {
    run_linear(queue, linear_, batch.copies, scores);
  }

  size_t bytes_per_copy(int, bool) const override { return 0; }

 private:
  GpuArray<int32_t> table_, bias_, windows_[2];
  GpuLinear linear_;
};

}  // namespace

std::unique_ptr<CudaModel> make_cuda_linear(const Classifier& classifier, const GpuQueue& queue) {
  return std::make_unique<CudaLinear>(classifier, queue);
}

}  // namespace textcrs
