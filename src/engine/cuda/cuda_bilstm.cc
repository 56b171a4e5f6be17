// The BiLSTM of src/torch/bilstm.cc on a GPU.
#include <algorithm>

#include "engine/cpu_model.h"
#include "engine/cuda/first_layer.h"
#include "kernels/cuda/lstm.h"

namespace textcrs {
namespace {

// weight_ih and the biases of a direction, for rows as the kernels read them.
LayerWeights layer_of(const Classifier& classifier, const std::string& suffix, int padded) {
  const auto& weight = values_of(classifier, "lstm.weight_ih_l0" + suffix);
  const auto& bias = values_of(classifier, "lstm.bias_ih_l0" + suffix);
  const auto& second = values_of(classifier, "lstm.bias_hh_l0" + suffix);
  const int units = classifier.config().hidden, inputs = classifier.config().dimension;
  const int columns = 4 * padded;
  LayerWeights layer{inputs, columns, {}, {}};
  layer.weights.resize(static_cast<size_t>(inputs) * static_cast<size_t>(columns));
  layer.start.resize(static_cast<size_t>(columns));
  for (int gate = 0; gate < 4; ++gate)
    for (int unit = 0; unit < units; ++unit) {
      const auto from = static_cast<size_t>(gate * units + unit);
      const auto to = static_cast<size_t>(row_place(gate, unit));
      const float scale = gate_scale(gate);
      layer.start[to] = double{scale} * double{bias[from] + second[from]};
      for (size_t d = 0; d < static_cast<size_t>(inputs); ++d)
        layer.weights[d * static_cast<size_t>(columns) + to] =
            scale * weight[from * static_cast<size_t>(inputs) + d];
    }
  return layer;
}

class CudaBiLstm final : public CudaModel {
 public:
  CudaBiLstm(const Classifier& classifier, const GpuQueue& queue)
      : card_(gpu_properties()), slots_(classifier.config().slots), vectors_(queue, classifier) {
    const ModelConfig& config = classifier.config();
    lstm_.kernel = choose_lstm_kernel(card_, config.hidden);
    lstm_.units = config.hidden;
    lstm_.padded = padded_units(lstm_.kernel, config.hidden);
    lstm_.classes = static_cast<int>(config.classes.size());
    for (const int direction : {0, 1}) load(classifier, direction, queue);
    bias_.upload(queue, values_of(classifier, "head.bias"), "weights");
    scratch_.reserve(lstm_scratch_bytes(card_, lstm_), "an LSTM's states");
    queue.wait();
  }

  void score(const GpuQueue& queue, const CudaBatch& batch, double* scores) override {
    const int slots = std::clamp(batch.longest, 1, slots_);
    const auto count = static_cast<size_t>(batch.copies.count);
    bins_.reserve(static_cast<size_t>(slots) + 2, "copies");
    order_.reserve(count, "copies");
    directions_.reserve(2 * count * static_cast<size_t>(lstm_.classes), "scores");
    sort_by_length(queue, batch.copies, slots, bins_.data(), order_.data());
    GpuLstmRun run{.copies = batch.copies,
                   .order = order_.data(),
                   .slots = slots,
                   .rows = {layers_[0].table(), layers_[1].table()},
                   .row_per_slot = batch.sigma > 0,
                   .scores = directions_.data()};
    if (batch.sigma > 0) {
      const GpuBf16* const noisy = vectors_.draw(queue, batch, slots);
      for (const int direction : {0, 1})
        run.rows[direction] = layers_[static_cast<size_t>(direction)].noisy(
            queue, noisy, static_cast<int64_t>(count) * slots);
    }
    run_lstm(queue, card_, lstm_, run, scratch_.data());
    add_directions(queue, batch.copies.count, lstm_.classes, directions_.data(), bias_.data(),
                   scores);
  }

  size_t bytes_per_copy(int longest, bool noisy) const override {
    const auto slots = static_cast<size_t>(std::clamp(longest, 1, slots_));
    const size_t rows = noisy ? vectors_.bytes_per_row() + 2 * layers_[0].bytes_per_row() : 0;
    return sizeof(int32_t) + 2 * static_cast<size_t>(lstm_.classes) * sizeof(float) + slots * rows;
  }

 private:
  void load(const Classifier& classifier, int direction, const GpuQueue& queue) {
    const std::string suffix = direction == 0 ? "" : "_reverse";
    const auto d = static_cast<size_t>(direction);
    weights_[d].upload(queue,
                       pack_weights(lstm_.kernel, lstm_.units,
                                    values_of(classifier, "lstm.weight_hh_l0" + suffix)),
                       "weights");
    // head.weight is (classes, 2 units): forward, then backward.
    const auto& head = values_of(classifier, "head.weight");
    const auto units = static_cast<size_t>(lstm_.units), padded = static_cast<size_t>(lstm_.padded);
    std::vector<float> mine(static_cast<size_t>(lstm_.classes) * padded);
    for (size_t c = 0; c < static_cast<size_t>(lstm_.classes); ++c)
      std::copy_n(head.begin() + static_cast<ptrdiff_t>((2 * c + d) * units), units,
                  mine.begin() + static_cast<ptrdiff_t>(c * padded));
    head_[d].upload(queue, mine, "weights");
    lstm_.weights[direction] = weights_[d].data();
    lstm_.head[direction] = head_[d].data();
    layers_.emplace_back(queue, vectors_.of_words(), classifier.vocabulary().size(),
                         layer_of(classifier, suffix, lstm_.padded));
  }

  GpuProperties card_;
  int slots_;
  NoisyVectors vectors_;
  GpuLstm lstm_;
  std::vector<FirstLayer> layers_;  // forward, backward
  GpuArray<GpuBf16> weights_[2];
  GpuArray<float> head_[2], bias_;
  // Of a call.
  GpuArray<int32_t> bins_, order_;
  GpuArray<float> directions_;
  GpuMemory scratch_;
};

}  // namespace

bool cuda_bilstm_runs(const ModelConfig& config) {
  return config.hidden <= kMostGpuUnits && config.dimension <= kMostRowInputs &&
         cuda_slot_map_runs(config);
}

std::unique_ptr<CudaModel> make_cuda_bilstm(const Classifier& classifier, const GpuQueue& queue) {
  return std::make_unique<CudaBiLstm>(classifier, queue);
}

}  // namespace textcrs
