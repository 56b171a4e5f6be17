// The encoder of a pretrained BERT in the cpu engine's kernels, with its pieces and their vectors.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/cpu_bert_encoder.h"
#include "model/pretrained_bert.h"

namespace textcrs {

// Immutable; thread-safe. What becomes of a sequence depends on the sequence alone, bit by bit.
class PretrainedEncoder {
 public:
  PretrainedEncoder(const PretrainedBert& source, Isa isa, Precision precision);

  const WordPiece& wordpiece() const { return *wordpiece_; }
  size_t width() const { return encoder_->width(); }
  int positions() const { return config_.bert.positions; }  // the longest sequence
  const FloatTensor& vectors() const { return vectors_; }   // (pieces, width)

  // A hash of the pieces, the weights and their shape.
  const std::string& fingerprint() const { return fingerprint_; }

  using Work = CpuBertEncoder::Work;
  // Appends a sequence of at least one piece and at most positions().
  void add(std::span<const int32_t> pieces, Work& work) const;
  // Afterwards work.states are the last ones of all rows, (rows, width).
  void run(Work& work) const { encoder_->run(CpuBertEncoder::Rows::kAll, work); }
  void normalize(const Normalization& by, size_t rows, float* states) const {
    encoder_->normalize(by, rows, states);
  }

 private:
  ModelConfig config_;  // the shape alone
  std::shared_ptr<const WordPiece> wordpiece_;
  FloatTensor vectors_;
  std::unique_ptr<const CpuBertEncoder> encoder_;
  std::string fingerprint_;
};

}  // namespace textcrs
