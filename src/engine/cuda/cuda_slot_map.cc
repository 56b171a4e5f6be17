#include "engine/cuda/cuda_slot_map.h"

#include <algorithm>
#include <vector>

#include "engine/cpu_model.h"
#include "kernels/cuda/slot_map.h"
#include "model/slot_map.h"

namespace textcrs {
namespace {

// weight (outputs, inputs) as (inputs, columns), with zeros in the columns behind the outputs.
std::vector<float> transposed(std::span<const float> weight, size_t inputs, size_t columns) {
  std::vector<float> result(inputs * columns);
  for (size_t i = 0; i < weight.size(); ++i) result[i % inputs * columns + i / inputs] = weight[i];
  return result;
}

// A layer on the vectors of all words, (words, inputs).
GpuArray<float> run_on_words(const GpuQueue& queue, const Classifier& classifier,
                             const char* weight, const char* bias, const float* vectors) {
  const std::vector<float>& biases = values_of(classifier, bias);
  const size_t outputs = biases.size(), inputs = values_of(classifier, weight).size() / outputs;
  const int words = classifier.vocabulary().size();
  GpuArray<float> weights, result;
  GpuArray<double> start;
  weights.upload(queue, transposed(values_of(classifier, weight), inputs, outputs), "weights");
  start.upload(queue, std::vector<double>(biases.begin(), biases.end()), "weights");
  result.reserve(static_cast<size_t>(words) * outputs, "the vectors of all words");
  make_word_rows(queue, {.words = words,
                         .inputs = static_cast<int>(inputs),
                         .columns = static_cast<int>(outputs),
                         .vectors = vectors,
                         .weights = weights.data(),
                         .start = start.data(),
                         .table = result.data()});
  queue.wait();
  return result;
}

}  // namespace

void CudaSlotMap::Layer::load(const GpuQueue& queue, const Classifier& classifier,
                              const char* weight, const char* bias) {
  std::vector<float> begin = values_of(classifier, bias);
  const std::vector<float>& values = values_of(classifier, weight);
  inputs = static_cast<int>(values.size() / begin.size());
  columns = noisy_stride(static_cast<int>(begin.size()));
  begin.resize(static_cast<size_t>(columns));
  weights.upload(queue,
                 pack_row_weights(inputs, columns,
                                  transposed(values, static_cast<size_t>(inputs), begin.size())),
                 "weights");
  start.upload(queue, begin, "weights");
}

void CudaSlotMap::Layer::run(const GpuQueue& queue, int64_t rows, const GpuBf16* from,
                             float* to) const {
  make_noisy_rows(queue, {.count = rows,
                          .inputs = inputs,
                          .columns = columns,
                          .noisy = from,
                          .weights = weights.data(),
                          .start = start.data(),
                          .rows = to});
}

CudaSlotMap::CudaSlotMap(const GpuQueue& queue, const Classifier& classifier) {
  const ModelConfig& config = classifier.config();
  if (config.noise_mean) mean_.upload(queue, values_of(classifier, kNoiseMean), "weights");
  if (config.reconstruction == 0) return;
  encoder_.load(queue, classifier, kEncoderWeight, kEncoderBias);
  decoder_.load(queue, classifier, kDecoderWeight, kDecoderBias);
}

void CudaSlotMap::reconstruct(const GpuQueue& queue, int64_t rows, GpuBf16* vectors) {
  if (encoder_.columns == 0) return;
  const int64_t units = rows * encoder_.columns, numbers = rows * decoder_.columns;
  sums_.reserve(static_cast<size_t>(std::max(units, numbers)), "reconstructed vectors");
  hidden_.reserve(static_cast<size_t>(units), "reconstructed vectors");
  encoder_.run(queue, rows, vectors, sums_.data());
  round_numbers(queue, {.count = units, .relu = true, .from = sums_.data(), .to = hidden_.data()});
  decoder_.run(queue, rows, hidden_.data(), sums_.data());
  round_numbers(queue, {.count = numbers, .from = sums_.data(), .to = vectors});
}

size_t CudaSlotMap::bytes_per_row() const {
  const auto units = static_cast<size_t>(encoder_.columns);
  return std::max(units, static_cast<size_t>(decoder_.columns)) * sizeof(float) +
         units * sizeof(GpuBf16);
}

GpuArray<float> map_words(const GpuQueue& queue, const Classifier& classifier) {
  const ModelConfig& config = classifier.config();
  std::vector<float> moved = values_of(classifier, config.kind().embedding);
  if (config.noise_mean) {
    const std::vector<float>& mean = values_of(classifier, kNoiseMean);
    for (size_t i = 0; i < moved.size(); ++i) moved[i] += mean[i % mean.size()];
  }
  GpuArray<float> vectors;
  vectors.upload(queue, moved, "word vectors");
  if (config.reconstruction == 0) return vectors;
  const GpuArray<float> hidden =
      run_on_words(queue, classifier, kEncoderWeight, kEncoderBias, vectors.data());
  relu_numbers(queue, hidden.data(),
               int64_t{classifier.vocabulary().size()} * config.reconstruction);
  return run_on_words(queue, classifier, kDecoderWeight, kDecoderBias, hidden.data());
}

bool cuda_slot_map_runs(const ModelConfig& config) {
  return config.reconstruction <= kMostRowInputs;
}

}  // namespace textcrs
