// Batches of consecutive copies through a classifier, on threads.
//
// A forward pass rounds its last bits by the shape of its batch, and a vote near a tie may follow
// them. Votes must not depend on how the work was split, so on the CPU the batches are fixed: tiles
// of kTile consecutive copies, cut at multiples of kTile whatever range was asked for; threads
// and batch size only decide who computes which tiles. On a GPU one batch keeps the device busy and
// its size is part of what is executed: votes are the same for the same batch size.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "textcrs/engine/engine.h"

namespace textcrs {

constexpr uint32_t kTile = 128;

// Batches that are under way on a GPU at a time: while it computes one, others are prepared. For
// BERT, whose copies take longer to lay out.
inline int batches_in_flight(const ModelConfig& config) {
  return config.architecture == "bert" ? 3 : 1;
}

class Tiles {
 public:
  // Replaces `batch` by the copies [begin, end), working on so many threads.
  using Fill =
      std::function<void(uint64_t begin, uint64_t end, int filling_threads, CopyBatch& batch)>;

  Tiles(const Classifier& classifier, const EngineOptions& options);

  // The classifier's votes over the copies [begin, end), one count a class.
  std::vector<int64_t> votes(uint64_t begin, uint64_t end, const Fill& fill) const;

  // The class of every copy, each in a batch of its own, on any device.
  std::vector<int> classify_alone(const CopyBatch& batch) const;

 private:
  const Classifier& classifier_;
  bool on_cpu_;
  int threads_;
  uint32_t batch_size_;
};

}  // namespace textcrs
