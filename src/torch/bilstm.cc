// One bidirectional LSTM layer, max-pooled over time, with a linear head (the paper's LSTM).
#include "torch/bilstm_cpu.h"
#include "torch/network.h"
#include "torch/packed_maxima.h"

namespace textcrs {
namespace {

constexpr const char* kWeightNames[8] = {"lstm.weight_ih_l0",         "lstm.weight_hh_l0",
                                         "lstm.bias_ih_l0",           "lstm.bias_hh_l0",
                                         "lstm.weight_ih_l0_reverse", "lstm.weight_hh_l0_reverse",
                                         "lstm.bias_ih_l0_reverse",   "lstm.bias_hh_l0_reverse"};

class BiLstm : public Network {
 public:
  BiLstm(const Classifier& classifier, const at::Device& device) : Network(classifier, device) {
    if (!device.is_cuda()) return;
    // cuDNN wants the weights in one piece of memory; otherwise it copies them at every call.
    constexpr int64_t kLstm = 2;  // cuDNN's number for the kind of cell
    const at::NoGradGuard no_grad;
    at::_cudnn_rnn_flatten_weight(weights(), /*weight_stride0=*/4, config().dimension, kLstm,
                                  config().hidden, /*proj_size=*/0, /*num_layers=*/1,
                                  /*batch_first=*/false, /*bidirectional=*/true);
  }

  bool uses_threads() const override { return true; }

  at::Tensor forward(const CopyView& batch, const TrainingStep* training) const override {
    const PackedCopies packed =
        pack_copies(batch, config().slots, vectors(), training, config().input_dropout, slot_map());
    const at::Tensor pooled =
        vectors().is_cuda() ? pool_on_device(packed)
                            : bilstm_max_pool_cpu(packed.words, packed.batch_sizes, weights(),
                                                  training != nullptr ? training->threads : 1);
    std::vector<int64_t> rank(packed.order.size());
    for (size_t k = 0; k < rank.size(); ++k) rank[packed.order[k]] = static_cast<int64_t>(k);
    const at::Tensor back = at::tensor(rank, at::kLong).to(pooled.device());
    return head(pooled.index_select(0, back), training);
  }

 private:
  std::vector<at::Tensor> weights() const {
    std::vector<at::Tensor> list;
    for (const char* name : kWeightNames) list.push_back(parameter(name));
    return list;
  }

  // cuDNN's packed LSTM, then a maximum over the real slots.
  at::Tensor pool_on_device(const PackedCopies& packed) const {
    const int64_t copies = packed.batch_sizes[0];
    const at::Tensor sizes = at::tensor(packed.batch_sizes, at::kLong);
    const at::Tensor zeros = at::zeros({2, copies, config().hidden}, packed.words.options());
    const auto output =
        at::lstm(packed.words, sizes, {zeros, zeros}, weights(), /*has_biases=*/true,
                 /*num_layers=*/1, /*dropout=*/0.0,
                 /*train=*/at::GradMode::is_enabled(), /*bidirectional=*/true);
    return packed_maxima(std::get<0>(output), packed.batch_sizes);
  }
};

}  // namespace

std::unique_ptr<Network> make_bilstm(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<BiLstm>(classifier, device);
}

}  // namespace textcrs
