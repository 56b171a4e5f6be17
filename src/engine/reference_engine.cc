// Noisy copies through the LibTorch graph, in the batches of engine/tiles.h.
#include <algorithm>

#include "engine/tiles.h"
#include "textcrs/base/parallel.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

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
      : tiles_(classifier, options) {}

  std::string name() const override { return "reference"; }

  std::vector<int64_t> votes(std::span<const WordId> text, const Noise& noise,
                             const SampleRange& range) const override {
    return tiles_.votes(
        range.begin, range.end, [&](uint64_t begin, uint64_t end, int threads, CopyBatch& batch) {
          draw_copies(
              text, noise,
              {range.seed, range.example, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)},
              threads, batch);
        });
  }

  // Every copy goes through the model by itself: LibTorch rounds by the shape of a batch.
  std::vector<int> classify(const CopyBatch& batch) const override {
    return tiles_.classify_alone(batch);
  }

 private:
  Tiles tiles_;
};

}  // namespace

std::unique_ptr<Engine> make_reference_engine(const Classifier& classifier,
                                              const EngineOptions& options) {
  return std::make_unique<ReferenceEngine>(classifier, options);
}

}  // namespace textcrs
