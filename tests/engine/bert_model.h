// A tiny BERT in memory, and noisy copies for it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "kernels/known_precision.h"
#include "model/tiny_bert.h"
#include "textcrs/engine/engine.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {

// The tensors of a TinyBert, other vectors of its pieces, and a fresh head.
inline std::unique_ptr<Classifier> bert_in_memory(const TinyBert& bert, const ModelConfig& config,
                                                  const std::vector<std::string>& words,
                                                  FloatTensor vectors, SynonymTable synonyms = {}) {
  Weights weights = bert.tensors();
  weights[kPieceEmbedding] = std::move(vectors);
  for (TensorSpec spec : config.kind().tensors(config))
    if (!weights.contains(spec.name)) {
      spec.bound *= 4;
      weights[spec.name] = fresh_tensor(spec, bert.seed);
    }
  return std::make_unique<Classifier>(config, Vocabulary(words, Vocabulary::Growth::kOpen),
                                      std::move(synonyms), std::move(weights),
                                      std::make_shared<const WordPiece>(bert.pieces));
}

// Copies that a TinyBert with 12 slots just reads, or does not: its 24 positions are [CLS], 22
// pieces and [SEP], and "films" are two pieces.
inline CopyBatch copies_at_the_edge(const Vocabulary& vocabulary) {
  const auto ids = [&](const std::vector<std::string>& words) { return vocabulary.encode(words); };
  const Words films(11, ids({"films"})[0]), one(12, ids({"good"})[0]);
  const auto and_then = [&](Words words, const std::vector<std::string>& more) {
    for (const WordId id : ids(more)) words.push_back(id);
    return words;
  };
  return {.copies = {films,
                     and_then(films, {"good"}),   // no position is left
                     and_then(films, {"films"}),  //
                     one,
                     and_then(one, {"bad"}),  // no slot is left
                     ids({"theverylongestwordofallofthem"}),
                     {},  // too long by itself
                     ids({"theverylongestwordofallofthem", "good"})}};
}

class BertModel : public testing::Test {
 protected:
  BertModel() {
    // Neither width is a multiple of a vector's; heads of 24.
    bert_ = {.layers = 3, .heads = 2, .width = 48, .inner = 88};
    config_ = bert_.config();
  }

  void make(bool by_slots = false) {
    config_.pool_all_slots = by_slots;
    SynonymTable synonyms("a test", {{}, {}, {}, {4, 6}, {3}, {6}, {3, 5}});
    classifier_ = bert_in_memory(bert_, config_, words_, bert_.tensors().at(kPieceEmbedding),
                                 std::move(synonyms));
    balance(copies(200, 1));
  }
  // Gives it a head that answers each of the two classes about as often, with no copy of the batch
  // near a tie: the bias lies in the widest gap around the median of the margins.
  void balance(const CopyBatch& batch) {
    set_bias(0);
    const auto scores = engine(Precision::kFp32, Isa::kPortable)->scores(batch);
    std::vector<double> margins;
    for (size_t i = 0; i < scores.size(); i += 2) margins.push_back(scores[i] - scores[i + 1]);
    std::sort(margins.begin(), margins.end());
    const size_t first = margins.size() * 2 / 5, last = margins.size() * 3 / 5;
    size_t widest = first;
    for (size_t i = first; i < last; ++i)
      if (margins[i + 1] - margins[i] > margins[widest + 1] - margins[widest]) widest = i;
    set_bias(static_cast<float>((margins[widest] + margins[widest + 1]) / 2));
  }
  void set_bias(float of_class_1) {
    classifier_->assign({{"head.bias", {{2}, {0.0f, of_class_1}}}});
  }

  // Copies of 0 to 30 words, more than there are slots and often more pieces than positions.
  CopyBatch copies(int count, uint64_t seed) const {
    const auto known = static_cast<uint32_t>(classifier_->vocabulary().size());
    CopyBatch batch;
    for (int i = 0; i < count; ++i) {
      Stream stream(seed, static_cast<uint32_t>(i), 0);
      Words copy(stream.below(31));
      for (WordId& word : copy)
        word = static_cast<WordId>(stream.below(known + static_cast<uint32_t>(own_.size())));
      batch.copies.push_back(std::move(copy));
      batch.own.emplace_back(own_);
      if (config_.pool_all_slots) batch.gaussians.push_back(stream.lane(lane::kGaussian));
    }
    batch.sigma = config_.pool_all_slots ? 0.7 : 0;
    return batch;
  }

  std::unique_ptr<Engine> engine(Precision precision, Isa isa, int threads = 1,
                                 int batch_size = 0) const {
    return make_cpu_engine(*classifier_, {.threads = threads,
                                          .batch_size = batch_size,
                                          .precision = precision,
                                          .isa = std::string(to_string(isa))});
  }
  std::unique_ptr<Noise> noise(const std::string& spec) const {
    return make_noise(spec, {&classifier_->vocabulary(), &classifier_->synonyms(), config_.slots});
  }

  TinyBert bert_;
  ModelConfig config_;
  // One piece, several pieces, no piece that matches, and one that alone is too long to be read.
  const std::vector<std::string> words_ = {
      "good", "bad", "film", "films", "very",       "dull",     "warmest",
      "of",   "and", ".",    "42",    "storylines", "dullness", "theverylongestwordofallofthem"};
  const std::vector<std::string> own_ = {"unseen", "story", "?"};  // beyond the vocabulary
  std::unique_ptr<Classifier> classifier_;
};

}  // namespace textcrs
