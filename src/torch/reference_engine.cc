// Noisy copies through the LibTorch graph.
//
// A forward pass rounds its last bits by the shape of its batch, and a vote near a tie may follow
// them. Votes must not depend on how the work was split, so on the CPU the batches are fixed: tiles
// of kSampleTile consecutive samples of one text, cut at multiples of kSampleTile whatever range
// was asked for; threads and batch size only decide who computes which tiles. On a GPU one batch
// keeps the device busy and its size is part of what is executed: votes are the same for the same
// batch size, and for several texts at once for the same texts.
#include "torch/reference_engine.h"

#include <algorithm>

#include "engine/draw_copies.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/sample_tile.h"
#include "torch/libtorch_threads.h"

namespace textcrs {
namespace {

constexpr uint64_t kDeviceBatch = 4096;
constexpr uint64_t kMostTilesAtATime = 8;

// Samples [begin, end) of a list that go through the network together.
struct Tile {
  uint64_t begin, end;
};

// The samples of each text, cut where a sample's own number is a multiple of `size`.
std::vector<Tile> tiles_of_each(std::span<const TextSamples> texts, const SampleList& samples,
                                uint64_t size) {
  std::vector<Tile> tiles;
  for (size_t t = 0; t < texts.size(); ++t) {
    const SampleRange& range = texts[t].range;
    for (uint64_t begin = range.begin; begin < range.end;) {
      const uint64_t end = std::min<uint64_t>(range.end, (begin / size + 1) * size);
      const uint64_t shift = samples.start_of(t) - range.begin;
      tiles.push_back({begin + shift, end + shift});
      begin = end;
    }
  }
  return tiles;
}

// The whole list, cut every `size` samples.
std::vector<Tile> tiles_of_all(const SampleList& samples, uint64_t size) {
  std::vector<Tile> tiles;
  for (uint64_t begin = 0; begin < samples.size(); begin += size)
    tiles.push_back({begin, std::min(samples.size(), begin + size)});
  return tiles;
}

class ReferenceEngine final : public Engine {
 public:
  ReferenceEngine(const Network& network, std::unique_ptr<const Network> kept,
                  const EngineOptions& options)
      : kept_(std::move(kept)),
        network_(network),
        on_cpu_(network.device().is_cpu()),
        classes_(network.config().classes.size()),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        batch_size_(options.batch_size > 0 ? static_cast<uint64_t>(options.batch_size)
                    : on_cpu_              ? kSampleTile
                                           : kDeviceBatch) {}

  std::string name() const override { return "reference"; }

  bool votes_depend_on_batch() const override { return true; }

  uint64_t part_size() const override {
    if (!on_cpu_) return 32768;
    return network_.config().kind().reads_pieces ? 1024 : 8192;
  }

  std::vector<std::vector<int64_t>> votes(std::span<const TextSamples> texts,
                                          const Noise& noise) const override {
    const SampleList samples(texts, noise);
    const std::vector<Tile> tiles = on_cpu_             ? tiles_of_each(texts, samples, kSampleTile)
                                    : texts.size() == 1 ? tiles_of_each(texts, samples, batch_size_)
                                                        : tiles_of_all(samples, batch_size_);
    std::vector<int> answers(samples.size());
    in_units(tiles.size(), [&](size_t t, int drawing_threads) {
      CopyBatch batch;
      draw(samples, tiles[t], drawing_threads, batch);
      const std::vector<int> found = highest(run(batch), classes_, name());
      std::copy(found.begin(), found.end(),
                answers.begin() + static_cast<ptrdiff_t>(tiles[t].begin));
    });
    std::vector<std::vector<int64_t>> votes(texts.size(), std::vector<int64_t>(classes_));
    for (uint64_t i = 0; i < samples.size(); ++i)
      ++votes[samples.text_of(i)][static_cast<size_t>(answers[i])];
    return votes;
  }

  std::vector<double> scores(const CopyBatch& batch) const override {
    const size_t size = on_cpu_ ? kSampleTile : batch_size_, count = batch.copies.size();
    std::vector<double> scores(count * classes_);
    in_units((count + size - 1) / size, [&](size_t unit, int) {
      const size_t first = unit * size;
      const auto found = run(CopyView(batch).part(first, std::min(size, count - first)));
      std::copy(found.begin(), found.end(),
                scores.begin() + static_cast<ptrdiff_t>(first * classes_));
    });
    return scores;
  }

  // Every copy goes through the model by itself.
  std::vector<int> classify(const CopyBatch& batch) const override {
    std::vector<int> classes(batch.copies.size());
    in_units(classes.size(), [&](size_t i, int) {
      classes[i] = highest(run(CopyView(batch).part(i, 1)), classes_, name())[0];
    });
    return classes;
  }

 private:
  // Calls work(unit, threads it may draw with) for all units. On the CPU a thread runs LibTorch
  // alone.
  template <typename Work>
  void in_units(size_t count, const Work& work) const {
    if (!on_cpu_) {
      const int at_a_time = network_.batches_in_flight();
      parallel_for(count, at_a_time,
                   [&](size_t unit) { work(unit, std::max(1, threads_ / at_a_time)); });
      return;
    }
    // A thread takes several tiles at a time if the batch size says so.
    const auto stride = std::clamp<uint64_t>(batch_size_ / kSampleTile, 1, kMostTilesAtATime);
    parallel_for((count + stride - 1) / stride, threads_, [&](size_t part) {
      const LibTorchThreads alone(1);
      for (size_t unit = part * stride; unit < std::min<size_t>(count, (part + 1) * stride); ++unit)
        work(unit, 1);
    });
  }

  static void draw(const SampleList& samples, const Tile& tile, int threads, CopyBatch& batch) {
    if (threads <= 1) return samples.draw(tile.begin, tile.end, batch);
    constexpr uint64_t kChunk = 256;
    std::vector<CopyBatch> parts((tile.end - tile.begin + kChunk - 1) / kChunk);
    parallel_for(parts.size(), threads, [&](size_t p) {
      const uint64_t begin = tile.begin + p * kChunk;
      samples.draw(begin, std::min(tile.end, begin + kChunk), parts[p]);
    });
    for (CopyBatch& part : parts) {
      batch.sigma = part.sigma;
      std::move(part.copies.begin(), part.copies.end(), std::back_inserter(batch.copies));
      batch.gaussians.insert(batch.gaussians.end(), part.gaussians.begin(), part.gaussians.end());
      batch.own.insert(batch.own.end(), part.own.begin(), part.own.end());
    }
  }

  std::vector<double> run(const CopyView& copies) const {
    if (copies.size() == 0) return {};
    const at::NoGradGuard no_grad;
    const at::Tensor logits =
        network_.forward(copies, nullptr).to(at::kCPU, at::kDouble).contiguous();
    return {logits.data_ptr<double>(), logits.data_ptr<double>() + logits.numel()};
  }

  std::unique_ptr<const Network> kept_;  // may be null
  const Network& network_;
  bool on_cpu_;
  size_t classes_;
  int threads_;
  uint64_t batch_size_;
};

}  // namespace

std::unique_ptr<Engine> make_network_engine(const Network& network, const EngineOptions& options) {
  return std::make_unique<ReferenceEngine>(network, nullptr, options);
}

std::unique_ptr<Engine> make_network_engine(std::unique_ptr<const Network> network,
                                            const EngineOptions& options) {
  const Network& kept = *network;
  return std::make_unique<ReferenceEngine>(kept, std::move(network), options);
}

}  // namespace textcrs
