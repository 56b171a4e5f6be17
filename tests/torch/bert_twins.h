// A tiny BERT, its plain twin, and batches for both.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "model/plain_bert.h"
#include "model/tiny_bert.h"
#include "row_difference.h"
#include "torch/bert.h"

namespace textcrs {

// A tiny BERT and its plain twin. The ids 3 .. 8: two words of one piece, two of several, two
// without any.
struct Twins {
  std::shared_ptr<const WordPiece> wordpiece;
  std::unique_ptr<Classifier> classifier;
  std::unique_ptr<Bert> bert;

  explicit Twins(const TinyBert& tiny = {}, bool by_slots = false,
                 const std::vector<std::string>& without_vector = {})
      : wordpiece(std::make_shared<WordPiece>(tiny.pieces)) {
    ModelConfig config = tiny.config();
    config.pool_all_slots = by_slots;
    const auto whole =
        tiny.classifier({"film", "good", "films", "xyzabc", "\u0436", "\u0449"}, config);
    Weights weights = whole->weights();
    for (const std::string& word : without_vector) {
      std::vector<int32_t> pieces;
      wordpiece->append_pieces(word, pieces);
      for (const int32_t piece : pieces)
        std::fill_n(weights[kPieceEmbedding].values.begin() + piece * config.dimension,
                    config.dimension, 0.0f);
    }
    classifier = std::make_unique<Classifier>(config, whole->vocabulary(), SynonymTable(),
                                              std::move(weights), wordpiece);
    bert = std::make_unique<Bert>(*classifier, at::kCPU);
  }
  PlainBert plain() const { return {classifier->config(), classifier->weights()}; }
  PlainBert::Row vector(int32_t piece) const {
    const FloatTensor& table = classifier->weights().at(kPieceEmbedding);
    const auto row = table.values.begin() + piece * table.shape[1];
    return {row, row + table.shape[1]};
  }
  // Under the insertion noise: [CLS], a vector per slot, [SEP].
  PlainBert::Rows slot_vectors(const std::vector<WordId>& copy) const {
    PlainBert::Rows rows = {vector(wordpiece->cls())};
    for (size_t t = 0; t < std::min<size_t>(copy.size(), bert->config().slots); ++t) {
      PlainBert::Row& mean = rows.emplace_back(bert->config().dimension);
      if (copy[t] == kPad) continue;
      std::vector<int32_t> pieces;
      bert->pieces().append(copy[t], {}, pieces);
      for (const int32_t piece : pieces)
        for (size_t d = 0; d < mean.size(); ++d)
          mean[d] += vector(piece)[d] / static_cast<double>(pieces.size());
    }
    rows.push_back(vector(wordpiece->sep()));
    return rows;
  }
  at::Tensor logits(const CopyBatch& batch) const {
    const at::NoGradGuard no_grad;
    return bert->forward(batch, nullptr);
  }
};

inline std::vector<std::vector<WordId>> random_texts(int count, uint32_t longest, uint64_t seed) {
  std::vector<std::vector<WordId>> copies;
  for (int i = 0; i < count; ++i) {
    Stream stream(seed, static_cast<uint32_t>(i), 0);
    std::vector<WordId>& copy = copies.emplace_back(stream.below(longest + 1));
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(9));
  }
  return copies;
}

inline Stream gaussian_of(uint32_t copy) { return Stream(4, copy, 0, 1); }

// Copies of all lengths up to the 12 slots and beyond, with their Gaussians.
inline CopyBatch noisy_batch(double sigma) {
  CopyBatch batch{random_texts(20, 14, 9), sigma};
  batch.copies.push_back({});
  batch.copies.push_back(std::vector<WordId>(12, kPad));
  for (uint32_t b = 0; b < batch.copies.size(); ++b) batch.gaussians.push_back(gaussian_of(b));
  return batch;
}

// The one row of a batch of `batch.copies[b]` alone.
inline CopyBatch alone(const CopyBatch& batch, size_t b) {
  return {{batch.copies[b]},
          batch.sigma,
          batch.sigma > 0 ? std::vector<Stream>{batch.gaussians[b]} : std::vector<Stream>{}};
}

inline double largest(const at::Tensor& difference) {
  return difference.abs().max().item<double>();
}

}  // namespace textcrs
