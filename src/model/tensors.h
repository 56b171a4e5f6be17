// The tensors of each kind of model: names, shapes, and what they begin with.
#pragma once

#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/model_config.h"
#include "textcrs/model/weights.h"

namespace TEXTCRS_API textcrs {

std::vector<TensorSpec> bilstm_tensors(const ModelConfig& config);
std::vector<TensorSpec> cnn_tensors(const ModelConfig& config);
// The bias of each class; the scores of the words are beside them.
constexpr const char* kVoteScores = "scores";
constexpr const char* kVoteBias = "bias";
std::vector<TensorSpec> vote_tensors(const ModelConfig& config);
// All of those below, and the head.
std::vector<TensorSpec> bert_tensors(const ModelConfig& config);

// Names as in Hugging Face's checkpoints.
constexpr const char* kPieceEmbedding = "embeddings.word_embeddings.weight";
std::vector<TensorSpec> bert_embedding_tensors(const ModelConfig& config);  // not trained
std::vector<TensorSpec> bert_encoder_tensors(const ModelConfig& config);
std::vector<TensorSpec> bert_pooler_tensors(const ModelConfig& config);

// The linear head on so many pooled features: "head.weight", "head.bias".
void add_head(const ModelConfig& config, int64_t features, std::vector<TensorSpec>& list);

}  // namespace textcrs
