// BERT: encoder, pooler and a linear head (the paper's second model).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "bert_layers.h"
#include "network.h"
#include "piece_table.h"

namespace textcrs {

constexpr const char* kPieceEmbedding = "embeddings.word_embeddings.weight";

// A tensor of BERT beside the vectors of its pieces, by its name in Hugging Face's checkpoints.
struct BertTensor {
  std::string name;
  std::vector<int64_t> shape;
  double bound;  // of a fresh one: uniform on [-bound, bound]
};
std::vector<BertTensor> bert_embedding_tensors(const ModelConfig& config);
std::vector<BertTensor> bert_encoder_tensors(const ModelConfig& config);
std::vector<BertTensor> bert_pooler_tensors(const ModelConfig& config);
// Its values; a fresh LayerNorm begins as the identity.
at::Tensor initial_values(const BertTensor& tensor, const Initializer& initial);

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
  // vectors: (pieces, D).
  Bert(const ModelConfig& config, at::Tensor vectors, std::shared_ptr<const PieceTable> pieces,
       const Initializer& initial);

  const PieceTable& pieces() const { return *pieces_; }
  at::Tensor forward(const CopyBatch& batch, const TrainingStep* training) const override;
  // Any tensor but the vectors, trained or not.
  at::Tensor tensor(const std::string& name) const;
  // Puts the mean of the word's pieces into zeros; on the CPU only.
  void add_mean_vector(WordId word, std::span<float> zeros) const;
  // These means; PAD's is zero.
  std::vector<float> word_vectors(WordId first, WordId last) const override;
  void move_to(const at::Device& device) override;

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

  // Of the copies [begin, end) of a batch.
  Rows look_up(const CopyBatch& batch, size_t begin, size_t end) const;
  Rows look_up_slots(const CopyBatch& batch, size_t begin, size_t end) const;
  at::Tensor pool(const Rows& rows, const TrainingStep* training) const;  // (B, D)
  std::shared_ptr<const Prepared> prepared() const;
  at::ScalarType type() const;

  std::shared_ptr<const PieceTable> pieces_;
  mutable std::mutex preparing_;
  mutable std::shared_ptr<const Prepared> prepared_;
};

}  // namespace textcrs
