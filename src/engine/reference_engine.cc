// Noisy copies through the LibTorch graph.
//
// A forward pass rounds its last bits by the shape of its batch, and a vote near a tie may follow
// them. Votes must not depend on how the work was split, so on the CPU the batches are fixed: tiles
// of kTile consecutive samples, cut at multiples of kTile whatever range was asked for; threads and
// batch size only decide who computes which tiles. On a GPU one batch keeps the device busy and its
// size is part of what is executed: votes are the same for the same batch size.
#include <algorithm>

#include "model/libtorch_threads.h"
#include "model/network.h"
#include "textcrs/base/parallel.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

constexpr uint32_t kTile = 128;
constexpr uint32_t kDeviceBatch = 4096;

void draw_copies(std::span<const WordId> text, const Noise& noise, const SampleRange& range,
                 int threads, CopyBatch& batch) {
  constexpr size_t kChunk = 256;
  const size_t count = range.end - range.begin;
  batch.copies.resize(count);
  batch.sigma = noise.sigma();
  batch.gaussians.assign(batch.sigma > 0 ? count : 0, Stream(0, 0, 0));
  parallel_for((count + kChunk - 1) / kChunk, threads, [&](size_t chunk) {
    for (size_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i) {
      Stream stream(range.seed, range.example, range.begin + static_cast<uint32_t>(i));
      if (batch.sigma > 0) batch.gaussians[i] = stream.lane(1);
      noise.sample(text, stream, batch.copies[i]);
    }
  });
}

class ReferenceEngine : public Engine {
 public:
  ReferenceEngine(const Classifier& classifier, const EngineOptions& options)
      : classifier_(classifier),
        on_cpu_(classifier.network().vectors().is_cpu()),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        batch_size_(options.batch_size > 0 ? static_cast<uint32_t>(options.batch_size)
                    : on_cpu_              ? kTile
                                           : kDeviceBatch) {}

  std::string name() const override { return "reference"; }

  std::vector<int64_t> votes(std::span<const WordId> text, const Noise& noise,
                             const SampleRange& range) const override {
    const std::vector<SampleRange> batches = split(range);
    std::vector<std::vector<int64_t>> counts(batches.size());
    const auto run = [&](size_t i, int sampling_threads) {
      CopyBatch batch;
      draw_copies(text, noise, batches[i], sampling_threads, batch);
      counts[i].assign(classifier_.config().classes.size(), 0);
      for (int answer : classifier_.classify(batch)) ++counts[i][static_cast<size_t>(answer)];
    };
    if (on_cpu_) {
      // A thread takes batch_size_ / kTile tiles at a time and runs LibTorch alone.
      const size_t stride = std::max<size_t>(1, batch_size_ / kTile);
      parallel_for((batches.size() + stride - 1) / stride, threads_, [&](size_t unit) {
        const LibTorchThreads alone(1);
        for (size_t i = unit * stride; i < std::min(batches.size(), (unit + 1) * stride); ++i)
          run(i, 1);
      });
    } else {
      for (size_t i = 0; i < batches.size(); ++i) run(i, threads_);
    }
    std::vector<int64_t> total(classifier_.config().classes.size());
    for (const auto& count : counts)
      for (size_t c = 0; c < total.size(); ++c) total[c] += count[c];
    return total;
  }

 private:
  std::vector<SampleRange> split(const SampleRange& range) const {
    const uint32_t size = on_cpu_ ? kTile : batch_size_;
    std::vector<SampleRange> batches;
    for (uint64_t begin = range.begin; begin < range.end;) {
      const uint64_t end = std::min<uint64_t>(range.end, (begin / size + 1) * size);
      batches.push_back(
          {range.seed, range.example, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
      begin = end;
    }
    return batches;
  }

  const Classifier& classifier_;
  bool on_cpu_;
  int threads_;
  uint32_t batch_size_;
};

}  // namespace

std::unique_ptr<Engine> make_reference_engine(const Classifier& classifier,
                                              const EngineOptions& options) {
  return std::make_unique<ReferenceEngine>(classifier, options);
}

}  // namespace textcrs
