// BERT: encoder, pooler and a linear head (the paper's second model).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "model/piece_table.h"
#include "torch/bert_layers.h"
#include "torch/network.h"

namespace textcrs {

// (R, D): LayerNorm(vectors + position + first token type), in `type`. `vectors` are those of the
// rows' pieces, (R, D).
at::Tensor embed_rows(const at::Tensor& vectors, const PackedRows& packed,
                      const TensorOf& tensor_of, double epsilon, at::ScalarType type);

std::vector<BertLayer> make_bert_layers(const ModelConfig& config, const TensorOf& tensor_of,
                                        at::ScalarType type);

// The states behind the last layer, as run_bert_layer() returns them.
at::Tensor run_bert(at::Tensor states, const PackedRows& packed,
                    const std::vector<BertLayer>& layers, const BertShape& shape, bool first_only,
                    HiddenDropout* dropout);

class Bert : public Network {
 public:
  Bert(const Classifier& classifier, const at::Device& device);

  const PieceTable& pieces() const { return pieces_; }
  at::Tensor forward(const CopyView& batch, const TrainingStep* training) const override;
  // Any tensor but the vectors, trained or not.
  at::Tensor tensor(const std::string& name) const;
  int batches_in_flight() const override { return 3; }  // its copies take longer to lay out

 private:
  struct Rows {
    at::Tensor vectors;  // (R, D)
    PackedRows packed;
  };
  // The layers in the type that is computed in, kept until a parameter changes.
  struct Prepared {
    uint64_t version = 0;
    std::vector<BertLayer> layers;
  };

  Rows look_up(const CopyView& copies) const;
  Rows look_up_slots(const CopyView& copies) const;
  at::Tensor pool(const Rows& rows, const TrainingStep* training) const;  // (B, D)
  std::shared_ptr<const Prepared> prepared() const;
  at::ScalarType type() const;

  const PieceTable& pieces_;
  mutable std::mutex preparing_;
  mutable std::shared_ptr<const Prepared> prepared_;
};

}  // namespace textcrs
