#include "train/batches.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "engine/draw_copies.h"
#include "textcrs/base/lanes.h"
#include "train/sentence_texts.h"

namespace textcrs {

namespace {
constexpr size_t kPoolBatches = 32;
}  // namespace

std::vector<std::vector<size_t>> epoch_batches(const std::vector<EncodedText>& texts,
                                               int batch_size, uint64_t seed, uint32_t epoch) {
  const auto size = static_cast<size_t>(batch_size);
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  Stream stream(seed, 0, epoch, lane::kTrainingOrder);
  stream.shuffle(std::span<size_t>(order));
  for (size_t begin = 0; begin < order.size(); begin += size * kPoolBatches) {
    const size_t end = std::min(order.size(), begin + size * kPoolBatches);
    std::stable_sort(
        order.begin() + static_cast<ptrdiff_t>(begin), order.begin() + static_cast<ptrdiff_t>(end),
        [&](size_t a, size_t b) { return texts[a].words.size() < texts[b].words.size(); });
  }
  std::vector<std::vector<size_t>> batches;
  for (size_t begin = 0; begin < order.size(); begin += size)
    batches.emplace_back(
        order.begin() + static_cast<ptrdiff_t>(begin),
        order.begin() + static_cast<ptrdiff_t>(std::min(order.size(), begin + size)));
  stream.shuffle(std::span<std::vector<size_t>>(batches));
  return batches;
}

namespace {

LabelledBatch sentence_batch(const std::vector<EncodedText>& texts,
                             const std::vector<size_t>& indices) {
  LabelledBatch batch;
  for (const size_t index : indices) {
    add_sentences(texts[index], batch.copies);
    batch.labels.push_back(texts[index].label);
    batch.sentences.push_back(texts[index].sentence_ends->size());
  }
  return batch;
}

// The one sample that is a copy of a text in an epoch (textcrs/base/lanes.h).
SampleRange copy_range(uint64_t seed, uint32_t text, uint32_t epoch, uint32_t copy) {
  const uint32_t further = lane::kFurtherCopies + 2 * (copy - 1);
  return {.seed = seed,
          .example = text,
          .begin = epoch,
          .end = epoch + 1,
          .words_lane = copy == 0 ? lane::kTrainingWords : further,
          .gaussian_lane = copy == 0 ? lane::kTrainingGaussian : further + 1};
}

}  // namespace

LabelledBatch noisy_batch(const std::vector<EncodedText>& texts, const std::vector<size_t>& indices,
                          const Noise& noise, uint64_t seed, uint32_t epoch, int copies) {
  if (texts[indices[0]].sentence_ends) return sentence_batch(texts, indices);
  std::vector<TextSamples> samples;
  LabelledBatch batch;
  batch.copies_per_text = static_cast<size_t>(copies);
  for (const size_t index : indices) {
    const EncodedText& text = texts[index];
    for (uint32_t copy = 0; copy < batch.copies_per_text; ++copy)
      samples.push_back({text.text(), copy_range(seed, text.id, epoch, copy)});
    batch.labels.push_back(text.label);
    batch.teacher.insert(batch.teacher.end(), text.teacher.begin(), text.teacher.end());
  }
  SampleList(samples, noise).draw(0, samples.size(), batch.copies);
  return batch;
}

BatchLoader::BatchLoader(Make make, size_t first, size_t end, int threads)
    : make_(std::move(make)),
      end_(end),
      ahead_(2 * static_cast<size_t>(std::max(threads, 1))),
      to_make_(first),
      to_take_(first) {
  for (int t = 0; t < std::max(threads, 1); ++t) threads_.emplace_back([this] { work(); });
}

BatchLoader::~BatchLoader() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
}

void BatchLoader::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock,
                  [&] { return closing_ || to_make_ >= end_ || to_make_ < to_take_ + ahead_; });
    if (closing_ || to_make_ >= end_) return;
    const size_t index = to_make_++;
    lock.unlock();
    LabelledBatch batch;
    std::exception_ptr error;
    try {
      batch = make_(index);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    ready_[index] = std::move(batch);
    if (error) error_ = error;
    changed_.notify_all();
  }
}

LabelledBatch BatchLoader::next() {
  std::unique_lock lock(mutex_);
  if (to_take_ >= end_) throw std::logic_error("BatchLoader::next: no batch is left");
  changed_.wait(lock, [&] { return error_ || ready_.count(to_take_) > 0; });
  if (error_) std::rethrow_exception(error_);
  auto node = ready_.extract(to_take_++);
  changed_.notify_all();
  return std::move(node.mapped());
}

}  // namespace textcrs
