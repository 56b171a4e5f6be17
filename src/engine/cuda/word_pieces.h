// The pieces of all words on a GPU (model/piece_table.h).
#pragma once

#include "engine/cuda/cuda_model.h"
#include "kernels/cuda/pieces.h"

namespace textcrs {

class PieceTable;

// Memory for the own words of one batch at a time, which grows.
class CudaWordPieces {
 public:
  // The classifier must outlive it.
  CudaWordPieces(const Classifier& classifier, const GpuQueue& queue);

  // Those of the vocabulary and of the batch's texts. Until the next call.
  GpuWordPieces of(const GpuQueue& queue, const CudaBatch& batch);

 private:
  void add(WordId word, std::span<const std::string> own);

  const PieceTable& table_;
  int32_t words_;                         // of the vocabulary
  std::vector<int32_t> starts_, pieces_;  // as on the card
  size_t held_pieces_ = 0;                // of the vocabulary, [CLS] and [SEP]
  size_t start_room_ = 0, piece_room_ = 0;
  GpuArray<int32_t> gpu_starts_, gpu_pieces_, own_first_;
};

}  // namespace textcrs
