// The order of the texts and the noisy batches, prepared ahead by loader threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "textcrs/noise/noise.h"
#include "textcrs/torch/learner.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// The batches of an epoch as indices into `texts`: shuffled by (seed, epoch), with texts of similar
// length together (sorted within pools of 32 batches, whose batches are shuffled again).
std::vector<std::vector<size_t>> epoch_batches(const std::vector<EncodedText>& texts,
                                               int batch_size, uint64_t seed, uint32_t epoch);

// Fresh noisy copies of texts[indices], keyed by (seed, text, epoch, copy), or their sentences,
// without noise. There is one index at least. The texts must outlive it.
LabelledBatch noisy_batch(const std::vector<EncodedText>& texts, const std::vector<size_t>& indices,
                          const Noise& noise, uint64_t seed, uint32_t epoch, int copies = 1);

// Makes the batches first, first + 1, ..., end - 1 on its own threads, a few ahead of next().
class BatchLoader {
 public:
  // `make` is called by several threads at a time.
  using Make = std::function<LabelledBatch(size_t batch)>;
  BatchLoader(Make make, size_t first, size_t end, int threads);
  ~BatchLoader();
  LabelledBatch next();  // in order, whatever the number of threads

 private:
  void work();

  Make make_;
  size_t end_, ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t to_make_, to_take_;
  bool closing_ = false;
  std::exception_ptr error_;
  std::map<size_t, LabelledBatch> ready_;
  std::vector<std::jthread> threads_;
};

}  // namespace textcrs
