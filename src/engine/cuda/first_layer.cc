#include "engine/cuda/first_layer.h"

namespace textcrs {

FirstLayer::FirstLayer(const GpuQueue& queue, const float* vectors, int words,
                       const LayerWeights& layer)
    : inputs_(layer.inputs), columns_(layer.columns) {
  GpuArray<float> weights;
  GpuArray<double> start;
  weights.upload(queue, layer.weights, "weights");
  start.upload(queue, layer.start, "weights");
  table_.reserve(static_cast<size_t>(words) * static_cast<size_t>(columns_),
                 "the rows of all words");
  make_word_rows(queue, {.words = words,
                         .inputs = inputs_,
                         .columns = columns_,
                         .vectors = vectors,
                         .weights = weights.data(),
                         .start = start.data(),
                         .table = table_.data()});
  weights_.upload(queue, pack_row_weights(inputs_, columns_, layer.weights), "weights");
  start_.upload(queue, std::vector<float>(layer.start.begin(), layer.start.end()), "weights");
  queue.wait();
}

const float* FirstLayer::noisy(const GpuQueue& queue, const GpuBf16* vectors, int64_t rows) {
  rows_.reserve(static_cast<size_t>(rows) * static_cast<size_t>(columns_), "noisy rows");
  make_noisy_rows(queue, {.count = rows,
                          .inputs = inputs_,
                          .columns = columns_,
                          .noisy = vectors,
                          .weights = weights_.data(),
                          .start = start_.data(),
                          .rows = rows_.data()});
  return rows_.data();
}

NoisyVectors::NoisyVectors(const GpuQueue& queue, std::span<const float> vectors, int inputs)
    : inputs_(inputs) {
  vectors_.upload(queue, vectors, "word vectors");
}

const GpuBf16* NoisyVectors::draw(const GpuQueue& queue, const CudaBatch& batch, int slots) {
  noisy_.reserve(static_cast<size_t>(batch.copies.count) * static_cast<size_t>(slots) *
                     static_cast<size_t>(noisy_stride(inputs_)),
                 "noisy vectors");
  make_noisy_vectors(queue, {.copies = batch.copies,
                             .streams = batch.streams,
                             .slots = slots,
                             .inputs = inputs_,
                             .vectors = vectors_.data(),
                             .sigma = static_cast<float>(batch.sigma),
                             .noisy = noisy_.data()});
  return noisy_.data();
}

}  // namespace textcrs
