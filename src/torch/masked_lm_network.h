// The LibTorch graph of a masked language model: BERT's encoder and the tied head.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model/pretrained_bert.h"
#include "model/tensors.h"
#include "textcrs/torch/masked_lm.h"
#include "torch/bert.h"

namespace textcrs {

class MaskedLmNetwork {
 public:
  // `folder` is where `source` was read from, for messages.
  MaskedLmNetwork(const std::filesystem::path& folder, const PretrainedBert& source,
                  const at::Device& device);

  // The shape alone.
  const ModelConfig& config() const { return config_; }
  const WordPiece& wordpiece() const { return *wordpiece_; }
  // All tensors by their names in Hugging Face's checkpoints, without "bert.": leaves that require
  // gradients. kPieceEmbedding is among them.
  const TensorMap& parameters() const { return parameters_; }
  // The pooler, which the head does not ask; empty if there is none.
  const TensorMap& pooler() const { return pooler_; }
  at::Device device() const { return parameters_.at(kPieceEmbedding).device(); }

  // (M, pieces): the scores of every piece at every place, in fp32. `dropout` is null but in
  // training.
  at::Tensor scores(const MaskedRows& rows, HiddenDropout* dropout) const;

 private:
  // What is computed with, in the type that is computed in; kept until a parameter changes.
  struct Prepared {
    uint64_t version = 0;
    std::vector<BertLayer> layers;
    TensorMap head;  // and kPieceEmbedding
  };
  Prepared prepare(uint64_t version) const;
  std::shared_ptr<const Prepared> prepared() const;
  at::ScalarType type() const { return device().is_cuda() ? at::kBFloat16 : at::kFloat; }

  ModelConfig config_;
  std::shared_ptr<const WordPiece> wordpiece_;
  TensorMap parameters_, pooler_;
  mutable std::mutex preparing_;
  mutable std::shared_ptr<const Prepared> prepared_;
};

}  // namespace textcrs
