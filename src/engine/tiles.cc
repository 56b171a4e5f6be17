#include "engine/tiles.h"

#include <algorithm>

#include "model/libtorch_threads.h"
#include "model/network.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

constexpr uint32_t kDeviceBatch = 4096;
constexpr uint64_t kMostAtATime = 8;

}  // namespace

Tiles::Tiles(const Classifier& classifier, const EngineOptions& options)
    : classifier_(classifier),
      on_cpu_(classifier.network().vectors().is_cpu()),
      threads_(options.threads > 0 ? options.threads : available_cores()),
      batch_size_(options.batch_size > 0 ? static_cast<uint32_t>(options.batch_size)
                  : on_cpu_              ? kTile
                                         : kDeviceBatch) {}

std::vector<int> Tiles::classify_alone(const CopyBatch& batch) const {
  constexpr size_t kAtATime = 16;
  const size_t count = batch.copies.size();
  std::vector<int> classes(count);
  const auto run = [&](size_t unit) {
    CopyBatch alone;
    alone.sigma = batch.sigma;
    for (size_t i = unit * kAtATime; i < std::min(count, (unit + 1) * kAtATime); ++i) {
      alone.copies.assign(1, batch.copies[i]);
      if (batch.sigma > 0) alone.gaussians.assign(1, batch.gaussians[i]);
      classes[i] = classifier_.classify(alone)[0];
    }
  };
  const size_t units = (count + kAtATime - 1) / kAtATime;
  if (on_cpu_) {
    parallel_for(units, threads_, [&](size_t unit) {
      const LibTorchThreads alone(1);
      run(unit);
    });
  } else {
    for (size_t unit = 0; unit < units; ++unit) run(unit);
  }
  return classes;
}

std::vector<int64_t> Tiles::votes(uint64_t begin, uint64_t end, const Fill& fill) const {
  const uint64_t size = on_cpu_ ? kTile : batch_size_;
  const uint64_t first = begin / size, last = begin < end ? (end - 1) / size + 1 : first;
  const size_t batches = last - first, classes = classifier_.config().classes.size();
  // A thread takes batch_size_ / size batches at a time, few enough for all threads to have some,
  // and runs LibTorch alone.
  const size_t stride = on_cpu_ ? std::clamp<uint64_t>(batch_size_ / size, 1, kMostAtATime) : 1;
  const size_t units = batches == 0 ? 0 : (batches + stride - 1) / stride;
  std::vector<std::vector<int64_t>> counts(units, std::vector<int64_t>(classes));
  const auto run = [&](size_t unit, int filling_threads) {
    CopyBatch batch;
    for (size_t i = unit * stride; i < std::min(batches, (unit + 1) * stride); ++i) {
      fill(std::max(begin, (first + i) * size), std::min(end, (first + i + 1) * size),
           filling_threads, batch);
      for (int answer : classifier_.classify(batch)) ++counts[unit][static_cast<size_t>(answer)];
    }
  };
  if (on_cpu_) {
    parallel_for(units, threads_, [&](size_t unit) {
      const LibTorchThreads alone(1);
      run(unit, 1);
    });
  } else {
    const int at_a_time = batches_in_flight(classifier_.config());
    parallel_for(units, at_a_time,
                 [&](size_t unit) { run(unit, std::max(1, threads_ / at_a_time)); });
  }
  std::vector<int64_t> total(classes);
  for (const auto& count : counts)
    for (size_t c = 0; c < classes; ++c) total[c] += count[c];
  return total;
}

}  // namespace textcrs
