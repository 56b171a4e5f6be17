#include "engine/cuda/word_pieces.h"

#include "model/piece_table.h"

namespace textcrs {
namespace {

constexpr const char* kWhat = "the pieces of words";

// The first `sent` are there already, unless there is no room for all.
void send_rest(const GpuQueue& queue, const std::vector<int32_t>& list, size_t sent, size_t& room,
               GpuArray<int32_t>& to) {
  if (list.size() > room) {
    room = 0;  // until there is more
    to.reserve(2 * list.size(), kWhat);
    room = 2 * list.size();
    sent = 0;
  }
  copy_to_gpu(queue, to.data() + sent, list.data() + sent, (list.size() - sent) * sizeof(int32_t));
}

}  // namespace

CudaWordPieces::CudaWordPieces(const Classifier& classifier, const GpuQueue& queue)
    : table_(classifier.pieces()), words_(classifier.vocabulary().size()) {
  pieces_ = {table_.wordpiece().cls(), table_.wordpiece().sep()};
  starts_ = {static_cast<int32_t>(pieces_.size())};
  for (WordId word = 0; word < words_; ++word) add(word, {});
  held_pieces_ = pieces_.size();
  send_rest(queue, starts_, 0, start_room_, gpu_starts_);
  send_rest(queue, pieces_, 0, piece_room_, gpu_pieces_);
}

GpuWordPieces CudaWordPieces::of(const GpuQueue& queue, const CudaBatch& batch) {
  const size_t held_starts = static_cast<size_t>(words_) + 1;
  starts_.resize(held_starts);
  pieces_.resize(held_pieces_);
  std::vector<int32_t> own_first;
  for (const std::span<const std::string> own : batch.own) {
    own_first.push_back(static_cast<int32_t>(starts_.size() - held_starts));
    for (size_t i = 0; i < own.size(); ++i) add(words_ + static_cast<WordId>(i), own);
  }
  send_rest(queue, starts_, held_starts, start_room_, gpu_starts_);
  send_rest(queue, pieces_, held_pieces_, piece_room_, gpu_pieces_);
  own_first_.upload(queue, own_first, kWhat);
  return {.words = words_,
          .starts = gpu_starts_.data(),
          .pieces = gpu_pieces_.data(),
          .text_of = batch.text_of,
          .own_first = own_first_.data()};
}

void CudaWordPieces::add(WordId word, std::span<const std::string> own) {
  table_.append(word, own, pieces_);
  starts_.push_back(static_cast<int32_t>(pieces_.size()));
}

}  // namespace textcrs
