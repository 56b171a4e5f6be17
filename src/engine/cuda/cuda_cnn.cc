// The CNN of src/torch/cnn.cc on a GPU.
#include <algorithm>

#include "engine/cpu_model.h"
#include "engine/cuda/first_layer.h"
#include "kernels/cnn.h"
#include "kernels/cuda/cnn.h"

namespace textcrs {
namespace {

std::string filter_name(int width, const char* part) {
  return "conv" + std::to_string(width) + "." + part;
}

// Column offset * filters + filter, the offsets of the three widths one after the other.
LayerWeights layer_of(const Classifier& classifier, int filters) {
  const int inputs = classifier.config().dimension;
  const int columns = (kCnnOffsets * filters + 15) / 16 * 16;
  LayerWeights layer{inputs, columns, {}, std::vector<double>(static_cast<size_t>(columns))};
  layer.weights.resize(static_cast<size_t>(inputs) * static_cast<size_t>(columns));
  int first = 0;
  for (const int width : kCnnWidths) {
    const float* from =
        values_of(classifier, filter_name(width, "weight")).data();  // (F, D, width)
    for (int filter = 0; filter < filters; ++filter)
      for (int d = 0; d < inputs; ++d)
        for (int offset = 0; offset < width; ++offset)
          layer.weights[static_cast<size_t>(d) * static_cast<size_t>(columns) +
                        static_cast<size_t>((first + offset) * filters + filter)] = *from++;
    first += width;
  }
  return layer;
}

class CudaCnn final : public CudaModel {
 public:
  CudaCnn(const Classifier& classifier, const GpuQueue& queue)
      : slots_(classifier.config().slots),
        vectors_(queue, classifier),
        layer_(queue, vectors_.of_words(), classifier.vocabulary().size(),
               layer_of(classifier, filters_of(classifier))) {
    std::vector<float> biases;
    for (const int width : kCnnWidths) {
      const auto& bias = values_of(classifier, filter_name(width, "bias"));
      biases.insert(biases.end(), bias.begin(), bias.end());
    }
    biases_.upload(queue, biases, "weights");
    head_.upload(queue, values_of(classifier, "head.weight"), "weights");
    head_bias_.upload(queue, values_of(classifier, "head.bias"), "weights");
    queue.wait();
    cnn_ = {.filters = filters_of(classifier),
            .classes = static_cast<int>(classifier.config().classes.size()),
            .row_size = static_cast<int>(layer_.bytes_per_row() / sizeof(float)),
            .biases = biases_.data(),
            .head = head_.data(),
            .head_bias = head_bias_.data()};
  }

  void score(const GpuQueue& queue, const CudaBatch& batch, double* scores) override {
    const int slots = std::clamp(batch.longest, 1, slots_);
    GpuCnnRun run{.copies = batch.copies,
                  .slots = slots,
                  .rows = layer_.table(),
                  .row_per_slot = batch.sigma > 0,
                  .scores = scores};
    if (batch.sigma > 0)
      run.rows = layer_.noisy(queue, vectors_.draw(queue, batch, slots),
                              static_cast<int64_t>(batch.copies.count) * slots);
    run_cnn(queue, cnn_, run);
  }

  size_t bytes_per_copy(int longest, bool noisy) const override {
    const auto slots = static_cast<size_t>(std::clamp(longest, 1, slots_));
    return noisy ? slots * (vectors_.bytes_per_row() + layer_.bytes_per_row()) : 0;
  }

 private:
  static int filters_of(const Classifier& classifier) {
    return static_cast<int>(values_of(classifier, filter_name(kCnnWidths[0], "bias")).size());
  }

  int slots_;
  NoisyVectors vectors_;
  FirstLayer layer_;
  GpuArray<float> biases_, head_, head_bias_;
  GpuCnn cnn_;
};

}  // namespace

bool cuda_cnn_runs(const ModelConfig& config) {
  return config.dimension <= kMostRowInputs && cuda_slot_map_runs(config);
}

std::unique_ptr<CudaModel> make_cuda_cnn(const Classifier& classifier, const GpuQueue& queue) {
  return std::make_unique<CudaCnn>(classifier, queue);
}

}  // namespace textcrs
