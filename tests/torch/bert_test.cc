// BERT's forward pass against plain loops, and what it keeps.
#include "torch/bert.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "bert_twins.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

TEST(Bert, IsThatOfThePlainLoops) {
  for (const int heads : {1, 2, 4})
    for (const int layers : {1, 3}) {
      TinyBert tiny;
      tiny.layers = layers;
      tiny.heads = heads;
      tiny.width = 32;
      const Twins twins(tiny);
      const PlainBert plain = twins.plain();
      const CopyBatch batch{random_texts(25, 14, 1)};
      const at::Tensor found = twins.logits(batch);
      ASSERT_EQ(found.sizes(), (std::vector<int64_t>{25, 2}));
      for (size_t b = 0; b < batch.copies.size(); ++b) {
        const PieceSequences sequence =
            make_sequences(CopyView(batch).part(b, 1), twins.bert->pieces(), 12, 24);
        PlainBert::Rows vectors;
        for (const int32_t piece : sequence.pieces) vectors.push_back(twins.vector(piece));
        EXPECT_LT(difference(found[static_cast<int64_t>(b)], plain.logits(vectors)), 2e-5) << b;
      }
      EXPECT_GT(largest(found.select(1, 0) - found[0][0]), 0.01);  // the text matters
    }
}

TEST(Bert, ACopyAloneIsTheCopyInABatch) {
  for (const bool by_slots : {false, true}) {
    const Twins twins({}, by_slots);
    const CopyBatch batch = noisy_batch(by_slots ? 0.5 : 0);
    const at::Tensor together = twins.logits(batch);
    for (size_t b = 0; b < batch.copies.size(); ++b)
      EXPECT_LT(largest(twins.logits(alone(batch, b))[0] - together[static_cast<int64_t>(b)]), 1e-5)
          << b;
  }
}

TEST(Bert, TheFirstRowsAloneAreThoseOfAllLayers) {
  const Twins twins;
  const CopyBatch batch{random_texts(10, 12, 2)};
  const PieceSequences sequences = make_sequences(batch, twins.bert->pieces(), 12, 24);
  const PackedRows packed = make_packed_rows(sequences.starts, sequences.longest, at::kCPU);
  const TensorOf tensor_of = [&](const std::string& name) { return twins.bert->tensor(name); };
  const at::Tensor vectors =
      twins.bert->vectors().index_select(0, at::tensor(sequences.pieces, at::kInt));
  const at::Tensor embedded = embed_rows(vectors, packed, tensor_of, 1e-12, at::kFloat);
  const auto layers = make_bert_layers(twins.bert->config(), tensor_of, at::kFloat);
  const BertShape& shape = twins.bert->config().bert;
  const at::Tensor all = run_bert(embedded, packed, layers, shape, false, nullptr);
  const at::Tensor first = run_bert(embedded, packed, layers, shape, true, nullptr);
  ASSERT_EQ(first.size(0), 10);
  const PlainBert plain = twins.plain();
  for (size_t b = 0; b < 10; ++b) {
    const int32_t start = sequences.starts[b];
    EXPECT_LT(largest(first[static_cast<int64_t>(b)] - all[start]), 1e-5);
    PlainBert::Rows rows;
    for (int32_t r = start; r < sequences.starts[b + 1]; ++r)
      rows.push_back(twins.vector(sequences.pieces[static_cast<size_t>(r)]));
    const PlainBert::Rows expected = plain.states(rows);
    for (size_t t = 0; t < expected.size(); ++t)
      EXPECT_LT(difference(all[start + static_cast<int64_t>(t)], expected[t]), 2e-5);
  }
}

// The logits of texts with words of their own are those of a model whose vocabulary holds them.
TEST(Bert, OwnWordsAreReadAsThoseOfAVocabulary) {
  const std::vector<std::vector<std::string>> texts = {{"film", "zebras", "good"},
                                                       {"zebras"},
                                                       {"warmly", "film", "zebras", "warmly"},
                                                       {"films"},
                                                       {}};
  for (const bool by_slots : {false, true}) {
    ModelConfig config = TinyBert().config();
    config.pool_all_slots = by_slots;
    const auto holds = TinyBert().classifier({"film", "good", "zebras", "films", "warmly"}, config),
               knows_few = TinyBert().classifier({"good", "film"}, config);
    CopyBatch held, open;
    std::vector<OwnWords> own(texts.size());  // each text's
    for (size_t b = 0; b < texts.size(); ++b) {
      held.copies.push_back(holds->vocabulary().encode(texts[b]));
      open.copies.push_back(knows_few->vocabulary().encode(texts[b], own[b]));
      open.own.emplace_back(own[b].list());
    }
    if (by_slots) held.sigma = open.sigma = 0.3;
    for (uint32_t b = 0; b < texts.size(); ++b) held.gaussians.push_back(gaussian_of(b));
    open.gaussians = held.gaussians;
    EXPECT_EQ(open.copies[0], (std::vector<WordId>{4, 5, 3}));
    EXPECT_EQ(open.copies[2], (std::vector<WordId>{5, 4, 6, 5}));  // the ids of 0 mean other words
    const at::NoGradGuard no_grad;
    const at::Tensor expected = Bert(*holds, at::kCPU).forward(held, nullptr);
    const Bert bert(*knows_few, at::kCPU);
    EXPECT_TRUE(bert.forward(open, nullptr).equal(expected));
    EXPECT_GT(largest(expected[0] - expected[1]), 1e-3);
    EXPECT_EQ(knows_few->vocabulary().size(), 5);
    EXPECT_FALSE(knows_few->vocabulary().holds("zebras"));
    open.own.clear();
    EXPECT_THROW(bert.forward(open, nullptr), std::out_of_range);
  }
}

TEST(Bert, ThreadsGetTheSameLogits) {
  const Twins twins;
  const CopyBatch batch{random_texts(20, 12, 3)};
  std::vector<at::Tensor> found(8);
  parallel_for(found.size(), 4, [&](size_t i) { found[i] = twins.logits(batch); });
  for (const at::Tensor& logits : found) EXPECT_TRUE(logits.equal(found[0]));
}

// What is kept between calls against what is made afresh, as it is where gradients are asked for.
void expect_kept_is_current(const Twins& twins, const at::Tensor& before) {
  const CopyBatch batch{random_texts(10, 12, 4)};
  const at::Tensor kept = twins.logits(batch);
  EXPECT_TRUE(kept.equal(twins.bert->forward(batch, nullptr).detach()));
  EXPECT_FALSE(kept.equal(before));
}

TEST(Bert, WhatItKeepsFollowsItsParameters) {
  const Twins twins;
  const CopyBatch batch{random_texts(10, 12, 4)};
  for (const char* part : {"attention.self.query.weight", "attention.self.value.bias",
                           "output.LayerNorm.weight", "intermediate.dense.bias"}) {
    const std::string name = std::string("encoder.layer.0.") + part;
    at::Tensor parameter = twins.bert->parameters().at(name);
    at::Tensor before = twins.logits(batch);
    twins.bert->assign(name, parameter.detach() + 1);
    expect_kept_is_current(twins, before);

    const at::NoGradGuard no_grad;
    before = twins.logits(batch);
    parameter.add_(0.5);
    {
      const at::AutoGradMode with_gradients(true);
      expect_kept_is_current(twins, before);
    }
    before = twins.logits(batch);
    std::vector<at::Tensor> all = {parameter};
    at::_foreach_mul_(all, 0.5);  // an optimizer's step
    const at::AutoGradMode with_gradients(true);
    expect_kept_is_current(twins, before);
  }
  const at::Tensor before = twins.logits(batch);
  EXPECT_TRUE(twins.logits(batch).equal(before));
  twins.bert->assign("encoder.layer.1.attention.self.key.weight", at::ones({16, 16}));
  expect_kept_is_current(twins, before);
}

}  // namespace
}  // namespace textcrs
