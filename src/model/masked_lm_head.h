// The head of Hugging Face's BertForMaskedLM: a dense layer, GELU, a layer normalization, and a
// score for every piece, with the vectors of the pieces as weights (tied).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/pretrained_bert.h"
#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

constexpr const char* kMaskedLmDense = "cls.predictions.transform.dense";
constexpr const char* kMaskedLmNorm = "cls.predictions.transform.LayerNorm";
constexpr const char* kMaskedLmBias = "cls.predictions.bias";  // of the scores (pieces)

// The tensors of the head but the bias of the scores.
std::vector<TensorSpec> masked_lm_tensors(const ModelConfig& config);

// The names of those tensors of the head, kMaskedLmBias among them, that a checkpoint lacks.
std::vector<std::string> missing_of_masked_lm(const PretrainedBert& source);

// A bad_input Error that names the folder if the checkpoint has weights of the scores that are not
// `vectors`, those of the pieces.
void check_tied(const std::filesystem::path& folder, const PretrainedBert& source,
                const FloatTensor& vectors);

}  // namespace textcrs
