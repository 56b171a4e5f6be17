#include "model/masked_lm_head.h"

#include <fmt/format.h>

#include "model/tensors.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr const char* kDecoder = "cls.predictions.decoder.weight";

}  // namespace

std::vector<TensorSpec> masked_lm_tensors(const ModelConfig& config) {
  const double bound = bert_pooler_tensors(config).front().bound;
  const int64_t width = config.dimension;
  const std::string dense = kMaskedLmDense, norm = kMaskedLmNorm;
  return {{.name = dense + ".weight", .shape = {width, width}, .bound = bound},
          {.name = dense + ".bias", .shape = {width}},
          {.name = norm + ".weight", .shape = {width}, .ones_to = width},
          {.name = norm + ".bias", .shape = {width}}};
}

std::vector<std::string> missing_of_masked_lm(const PretrainedBert& source) {
  ModelConfig config;
  source.describe(config);
  std::vector<std::string> missing;
  if (!source.holds(kMaskedLmBias)) missing.emplace_back(kMaskedLmBias);
  for (const TensorSpec& tensor : masked_lm_tensors(config))
    if (!source.holds(tensor.name)) missing.push_back(tensor.name);
  return missing;
}

void check_tied(const std::filesystem::path& folder, const PretrainedBert& source,
                const FloatTensor& vectors) {
  if (source.holds(kDecoder) && source.piece_rows(kDecoder, vectors.shape[1]) != vectors)
    throw bad_input(fmt::format("{}: tensor '{}' differs from '{}', expected tied weights",
                                folder.string(), kDecoder, kPieceEmbedding));
}

}  // namespace textcrs
