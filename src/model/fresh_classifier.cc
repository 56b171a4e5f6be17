#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/pretrained_bert.h"
#include "model/slot_map.h"
#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/stream.h"
#include "textcrs/model/classifier.h"

namespace textcrs {
namespace {

// A vector for a word that has none: the same on every machine, as long as `length`.
void random_vector(const std::string& word, double length, std::span<float> out) {
  Stream(fnv1a(word), 0, 0).normals(out);
  double norm = 0;
  for (float x : out) norm += x * x;
  for (float& x : out) x *= static_cast<float>(length / std::sqrt(norm));
}

// (V, D): one row per word of the vocabulary.
FloatTensor embedding_matrix(const Vocabulary& vocabulary, const WordVectors& vectors) {
  const int64_t dimension = vectors.dimension();
  FloatTensor matrix{{vocabulary.size(), dimension}, {}};
  matrix.values.resize(static_cast<size_t>(vocabulary.size() * dimension));
  float* const rows = matrix.values.data();
  const auto row_of = [&](WordId id) {
    return std::span<float>(rows + id * dimension, static_cast<size_t>(dimension));
  };
  std::vector<double> mean(static_cast<size_t>(dimension));
  std::vector<WordId> without;
  double length = 0;
  int64_t found = 0;
  for (WordId id = kFirstWord; id < vocabulary.size(); ++id) {
    const auto row = vectors.find(vocabulary.word(id));
    if (!row) {
      without.push_back(id);
      continue;
    }
    const auto vector = vectors.row(*row);
    std::copy(vector.begin(), vector.end(), row_of(id).begin());
    double square = 0;
    for (size_t d = 0; d < mean.size(); ++d) mean[d] += vector[d], square += vector[d] * vector[d];
    length += std::sqrt(square);
    ++found;
  }
  if (found == 0) found = 1;
  for (size_t d = 0; d < mean.size(); ++d)
    row_of(kUnk)[d] = static_cast<float>(mean[d] / static_cast<double>(found));
  without.push_back(kMask);
  for (WordId id : without)
    random_vector(vocabulary.word(id), length / static_cast<double>(found), row_of(id));
  return matrix;
}

}  // namespace

std::unique_ptr<Classifier> Classifier::fresh(ModelConfig config, Vocabulary vocabulary,
                                              SynonymTable synonyms, const WordVectors& vectors,
                                              uint64_t seed) {
  const Architecture& kind = config.kind();
  if (kind.reads_pieces || kind.casts_votes)
    throw usage_error(fmt::format("a {} begins with {}, not with word vectors", config.architecture,
                                  kind.reads_pieces ? "a pretrained one" : "scores of 0"));
  config.dimension = vectors.dimension();
  config.synonyms = synonyms.source();
  if (const auto complaint = slot_map_complaint(config)) throw usage_error(*complaint);
  Weights weights;
  for (const TensorSpec& spec : config.kind().tensors(config))
    weights[spec.name] = fresh_tensor(spec, seed);
  FloatTensor embedding = embedding_matrix(vocabulary, vectors);
  begin_slot_map(config, embedding, kFirstWord, weights);
  weights[config.kind().embedding] = std::move(embedding);
  return std::make_unique<Classifier>(std::move(config), std::move(vocabulary), std::move(synonyms),
                                      std::move(weights));
}

std::unique_ptr<Classifier> Classifier::fresh(ModelConfig config, Vocabulary vocabulary,
                                              SynonymTable synonyms) {
  if (!config.kind().casts_votes)
    throw usage_error(
        fmt::format("a {} needs word vectors or a pretrained model", config.architecture));
  config.dimension = static_cast<int>(config.classes.size());
  config.trained_vectors = true;
  config.synonyms = synonyms.source();
  if (const auto complaint = config.kind().complaint(config)) throw usage_error(*complaint);
  Weights weights;
  for (const TensorSpec& spec : config.kind().tensors(config))
    weights[spec.name] = fresh_tensor(spec, 0);
  FloatTensor& scores = weights[config.kind().embedding];
  scores.shape = {vocabulary.size(), config.dimension};
  scores.values.resize(static_cast<size_t>(elements_of(scores.shape)));
  return std::make_unique<Classifier>(std::move(config), std::move(vocabulary), std::move(synonyms),
                                      std::move(weights));
}

std::unique_ptr<Classifier> Classifier::from_bert(ModelConfig config, Vocabulary vocabulary,
                                                  SynonymTable synonyms,
                                                  const std::filesystem::path& pretrained,
                                                  uint64_t seed) {
  const PretrainedBert source(pretrained, seed);
  source.describe(config);
  config.synonyms = synonyms.source();
  if (config.pool_all_slots && config.slots > config.bert.positions - 2)
    throw usage_error(
        fmt::format("the insertion noise needs a position per slot: found {} slots, "
                    "expected at most {}",
                    config.slots, config.bert.positions - 2));
  if (const auto complaint = slot_map_complaint(config)) throw usage_error(*complaint);
  Weights weights;
  for (const TensorSpec& spec : config.kind().tensors(config))
    if (spec.name != kNoiseMean) weights[spec.name] = source.tensor(spec);
  FloatTensor embedding = source.vectors();
  begin_slot_map(config, embedding, /*first_row=*/0, weights);
  weights[config.kind().embedding] = std::move(embedding);
  return std::make_unique<Classifier>(std::move(config), std::move(vocabulary), std::move(synonyms),
                                      std::move(weights), source.wordpiece());
}

}  // namespace textcrs
