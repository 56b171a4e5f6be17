#include "engine/cuda/first_layer.h"

#include "engine/cpu_model.h"

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

NoisyVectors::NoisyVectors(const GpuQueue& queue, const Classifier& classifier)
    : inputs_(classifier.config().dimension), map_(queue, classifier) {
  const ModelConfig& config = classifier.config();
  vectors_.upload(queue, values_of(classifier, config.kind().embedding), "word vectors");
  if (config.maps_slots()) words_ = map_words(queue, classifier);
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
                             .mean = map_.mean(),
                             .noisy = noisy_.data()});
  map_.reconstruct(queue, static_cast<int64_t>(batch.copies.count) * slots, noisy_.data());
  return noisy_.data();
}

}  // namespace textcrs
