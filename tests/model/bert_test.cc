// BERT's forward pass against plain loops, its noise, its gradients, and what it keeps.
#include "model/bert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "plain_bert.h"
#include "textcrs/base/parallel.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

// Takes the tensors of a map, and fresh ones, larger than usual, for what is not there.
class MapInitializer : public Initializer {
 public:
  explicit MapInitializer(std::map<std::string, at::Tensor> tensors)
      : tensors_(std::move(tensors)) {}
  at::Tensor make(const std::string& name, at::IntArrayRef shape, double) const override {
    const auto found = tensors_.find(name);
    return found != tensors_.end() ? found->second.clone() : fresh_.make(name, shape, 0.5);
  }
  bool is_fresh() const override { return false; }

 private:
  std::map<std::string, at::Tensor> tensors_;
  FreshInitializer fresh_{3};
};

// A tiny BERT and its plain twin. The ids 3 .. 8: two words of one piece, two of several, two
// without any.
struct Twins {
  std::map<std::string, at::Tensor> tensors;
  std::shared_ptr<const WordPiece> wordpiece;
  Vocabulary vocabulary{{"film", "good", "films", "xyzabc", "\u0436", "\u0449"},
                        Vocabulary::Growth::kOpen};
  std::unique_ptr<Bert> bert;

  explicit Twins(const TinyBert& tiny = {}, bool by_slots = false,
                 const std::vector<std::string>& without_vector = {})
      : tensors(tiny.tensors()), wordpiece(std::make_shared<WordPiece>(tiny.pieces)) {
    for (const std::string& word : without_vector) {
      std::vector<int32_t> pieces;
      wordpiece->append_pieces(word, pieces);
      for (const int32_t piece : pieces) tensors[kPieceEmbedding][piece].fill_(0);
    }
    ModelConfig config = tiny.config();
    config.pool_all_slots = by_slots;
    bert = std::make_unique<Bert>(config, tensors.at(kPieceEmbedding).clone(),
                                  std::make_shared<PieceTable>(vocabulary, wordpiece),
                                  MapInitializer(tensors));
  }
  PlainBert plain() const {
    auto all = bert->parameters();
    all.insert(bert->frozen().begin(), bert->frozen().end());
    return {bert->config(), all};
  }
  PlainBert::Row vector(int32_t piece) const {
    const at::Tensor row = tensors.at(kPieceEmbedding)[piece].contiguous();
    return {row.data_ptr<float>(), row.data_ptr<float>() + row.numel()};
  }
  // Under the insertion noise: [CLS], a vector a slot, [SEP].
  PlainBert::Rows slot_vectors(const std::vector<WordId>& copy) const {
    PlainBert::Rows rows = {vector(wordpiece->cls())};
    for (size_t t = 0; t < std::min<size_t>(copy.size(), bert->config().slots); ++t) {
      PlainBert::Row& mean = rows.emplace_back(bert->config().dimension);
      if (copy[t] == kPad) continue;
      const auto pieces = bert->pieces().of(copy[t]);
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

std::vector<std::vector<WordId>> random_texts(int count, uint32_t longest, uint64_t seed) {
  std::vector<std::vector<WordId>> copies;
  for (int i = 0; i < count; ++i) {
    Stream stream(seed, static_cast<uint32_t>(i), 0);
    std::vector<WordId>& copy = copies.emplace_back(stream.below(longest + 1));
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(9));
  }
  return copies;
}

Stream gaussian_of(uint32_t copy) { return Stream(4, copy, 0, 1); }

// Copies of all lengths up to the 12 slots and beyond, with their Gaussians.
CopyBatch noisy_batch(double sigma) {
  CopyBatch batch{random_texts(20, 14, 9), sigma, {}};
  batch.copies.push_back({});
  batch.copies.push_back(std::vector<WordId>(12, kPad));
  for (uint32_t b = 0; b < batch.copies.size(); ++b) batch.gaussians.push_back(gaussian_of(b));
  return batch;
}

// The one row of a batch of `batch.copies[b]` alone.
CopyBatch alone(const CopyBatch& batch, size_t b) {
  return {{batch.copies[b]},
          batch.sigma,
          batch.sigma > 0 ? std::vector<Stream>{batch.gaussians[b]} : std::vector<Stream>{}};
}

double largest(const at::Tensor& difference) { return difference.abs().max().item<double>(); }

TEST(Bert, IsThatOfThePlainLoops) {
  for (const int heads : {1, 2, 4})
    for (const int layers : {1, 3}) {
      TinyBert tiny;
      tiny.layers = layers;
      tiny.heads = heads;
      tiny.width = 32;
      const Twins twins(tiny);
      const PlainBert plain = twins.plain();
      const CopyBatch batch{random_texts(25, 14, 1), 0, {}};
      const at::Tensor found = twins.logits(batch);
      ASSERT_EQ(found.sizes(), (std::vector<int64_t>{25, 2}));
      for (size_t b = 0; b < batch.copies.size(); ++b) {
        const PieceSequences sequence =
            make_sequences({&batch.copies[b], 1}, twins.bert->pieces(), 12, 24);
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
  const CopyBatch batch{random_texts(10, 12, 2), 0, {}};
  const PieceSequences sequences = make_sequences(batch.copies, twins.bert->pieces(), 12, 24);
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

TEST(BertSlots, IsThatOfThePlainLoopsWithTheNoiseBeforeThePositions) {
  for (const double sigma : {0.0, 0.3, 2.0}) {
    const Twins twins({}, true);
    const PlainBert plain = twins.plain();
    const CopyBatch batch = noisy_batch(sigma);
    const at::Tensor found = twins.logits(batch);
    for (size_t b = 0; b < batch.copies.size(); ++b) {
      PlainBert::Rows vectors = twins.slot_vectors(batch.copies[b]);
      const size_t width = vectors[0].size();
      std::vector<float> normals((vectors.size() - 2) * width);
      gaussian_of(static_cast<uint32_t>(b)).normals(normals);
      for (size_t i = 0; i < normals.size(); ++i)  // none on [CLS] and [SEP]
        vectors[1 + i / width][i % width] += sigma * normals[i];
      EXPECT_LT(difference(found[static_cast<int64_t>(b)], plain.logits(vectors)), 2e-5)
          << sigma << " " << b;
    }
  }
}

TEST(BertSlots, SeeVectorsAndNothingElseOfTheWords) {
  const Twins twins({}, true, {"good"});  // its vector is zero, like PAD's
  const WordId good = 4, zhe = 7, shcha = 8;
  const auto with = [&](WordId a, WordId b) {
    return CopyBatch{{{3, a, b, a, 5}, {a, 6, b}}, 0.4, {gaussian_of(0), gaussian_of(1)}};
  };
  const at::Tensor found = twins.logits(with(good, zhe));
  EXPECT_TRUE(twins.logits(with(kPad, shcha)).equal(found));
  EXPECT_TRUE(twins.logits(with(good, kUnk)).equal(found));
  EXPECT_FALSE(twins.logits(with(3, kUnk)).equal(found));
  EXPECT_FALSE(twins.logits(with(good, kMask)).equal(found));
}

TEST(BertSlots, TheirVectorsAreThoseThatAreCertified) {
  const Twins twins({}, true);
  const auto width = static_cast<size_t>(twins.bert->config().dimension);
  const std::vector<float> all = twins.bert->word_vectors(0, twins.vocabulary.size());
  ASSERT_EQ(all.size(), 9 * width);
  for (WordId word = 0; word < 9; ++word) {
    const PlainBert::Row expected = twins.slot_vectors({word})[1];
    for (size_t d = 0; d < width; ++d)
      EXPECT_NEAR(all[static_cast<size_t>(word) * width + d], expected[d], 1e-6) << word;
    EXPECT_EQ(twins.bert->word_vectors(word, word + 1),
              std::vector<float>(all.begin() + word * static_cast<int>(width),
                                 all.begin() + (word + 1) * static_cast<int>(width)));
  }
  EXPECT_EQ(std::vector<float>(all.begin(), all.begin() + static_cast<int>(width)),
            std::vector<float>(width));
  EXPECT_TRUE(twins.bert->word_vectors(5, 5).empty());
  const WordId late = twins.vocabulary.encode({"filmy"})[0];
  EXPECT_EQ(twins.bert->word_vectors(late, late + 1).size(), width);
  EXPECT_THROW(twins.bert->word_vectors(late, late + 2), std::out_of_range);
}

TEST(Bert, AGaussianNeedsSlots) {
  EXPECT_THROW(Twins().logits(noisy_batch(0.5)), std::logic_error);
  CopyBatch batch = noisy_batch(0.5);
  batch.gaussians.pop_back();
  EXPECT_THROW(Twins({}, true).logits(batch), std::logic_error);
}

TEST(Bert, ThreadsGetTheSameLogits) {
  const Twins twins;
  const CopyBatch batch{random_texts(20, 12, 3), 0, {}};
  std::vector<at::Tensor> found(8);
  parallel_for(found.size(), 4, [&](size_t i) { found[i] = twins.logits(batch); });
  for (const at::Tensor& logits : found) EXPECT_TRUE(logits.equal(found[0]));
}

// What is kept between calls against what is made afresh, as it is where gradients are asked for.
void expect_kept_is_current(const Twins& twins, const at::Tensor& before, bool changed = true) {
  const CopyBatch batch{random_texts(10, 12, 4), 0, {}};
  const at::Tensor kept = twins.logits(batch);
  EXPECT_TRUE(kept.equal(twins.bert->forward(batch, nullptr).detach()));
  EXPECT_NE(kept.equal(before), changed);
}

TEST(Bert, WhatItKeepsFollowsItsParameters) {
  const Twins twins;
  const CopyBatch batch{random_texts(10, 12, 4), 0, {}};
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
  twins.bert->move_to(at::kCPU);
  expect_kept_is_current(twins, before, false);
  twins.bert->assign("encoder.layer.1.attention.self.key.weight", at::ones({16, 16}));
  expect_kept_is_current(twins, before);
}

at::Tensor loss_of(const Bert& bert, const CopyBatch& batch, const TrainingStep* training) {
  std::vector<int64_t> labels;
  for (size_t b = 0; b < batch.copies.size(); ++b) labels.push_back(b % 2 == 0 ? 1 : 0);
  return at::cross_entropy_loss(bert.forward(batch, training), at::tensor(labels, at::kLong));
}

TEST(BertTraining, GradientsAreTheSlopesOfTheLoss) {
  for (const bool by_slots : {false, true}) {
    const Twins twins({}, by_slots);
    const CopyBatch batch = noisy_batch(by_slots ? 0.3 : 0);
    const TrainingStep training{3, 7, 1};  // with dropout, the same masks in every call
    loss_of(*twins.bert, batch, &training).backward();
    const auto loss = [&] {
      const at::NoGradGuard no_grad;
      return loss_of(*twins.bert, batch, &training).item<double>();
    };
    for (const auto& [name, parameter] : twins.bert->parameters()) {
      ASSERT_TRUE(parameter.grad().defined()) << name;
      const double slope = parameter.grad().norm().item<double>();
      if (name.ends_with("key.bias")) {  // adds the same to all scores of a query
        EXPECT_LT(slope, 1e-5) << name;
        continue;
      }
      EXPECT_GT(slope, 1e-4) << name;
      const at::Tensor kept = parameter.detach().clone();
      const double step = 0.01;
      const at::Tensor direction = parameter.grad() / slope;
      twins.bert->assign(name, kept + step * direction);
      const double above = loss();
      twins.bert->assign(name, kept - step * direction);
      const double below = loss();
      twins.bert->assign(name, kept);
      EXPECT_NEAR((above - below) / (2 * step), slope, 0.03 * slope + 1e-4) << name;
    }
    for (const auto& [name, tensor] : twins.bert->frozen())
      EXPECT_FALSE(tensor.requires_grad()) << name;
    EXPECT_FALSE(twins.bert->vectors().requires_grad());
  }
}

TEST(BertTraining, AStepDownhillLowersTheLoss) {
  const Twins twins;
  const CopyBatch batch{random_texts(20, 12, 6), 0, {}};
  double before = INFINITY;
  for (int step = 0; step < 10; ++step) {
    const at::Tensor loss = loss_of(*twins.bert, batch, nullptr);
    EXPECT_LT(loss.item<double>(), before) << step;
    before = loss.item<double>();
    loss.backward();
    const at::NoGradGuard no_grad;
    for (auto [name, parameter] : twins.bert->parameters()) {
      parameter.add_(parameter.grad(), -0.01);
      parameter.mutable_grad().reset();
    }
  }
}

TEST(BertTraining, WhatIsFrozenGetsNoGradient) {
  const Twins twins;
  for (auto [name, parameter] : twins.bert->parameters())
    if (name.starts_with("encoder.layer.0.")) parameter.set_requires_grad(false);
  loss_of(*twins.bert, {random_texts(5, 12, 6), 0, {}}, nullptr).backward();
  for (const auto& [name, parameter] : twins.bert->parameters())
    EXPECT_EQ(parameter.grad().defined(), !name.starts_with("encoder.layer.0.")) << name;
}

TEST(BertTraining, DropoutIsKeyedBySeedStepAndPart) {
  const Twins twins;
  twins.bert->assign("head.weight", at::eye(2, 16));  // the logits are two of the pooled features
  twins.bert->assign("head.bias", at::zeros({2}));
  const CopyBatch batch{random_texts(40, 12, 7), 0, {}};
  const auto with = [&](const TrainingStep& training) {
    const at::NoGradGuard no_grad;
    return twins.bert->forward(batch, &training);
  };
  // The masks of the hidden states, whatever those of the features do.
  const auto differ = [](const at::Tensor& a, const at::Tensor& b) {
    return a.ne(b).logical_and(a.ne(0)).logical_and(b.ne(0)).sum().item<int64_t>() > 20;
  };
  const at::Tensor found = with({3, 7, 1});
  EXPECT_TRUE(with({3, 7, 2}).equal(found));  // the threads do not matter
  EXPECT_TRUE(differ(with({4, 7, 1}), found));
  EXPECT_TRUE(differ(with({3, 8, 1}), found));
  EXPECT_TRUE(differ(with({3, 7, 1, 1}), found));
  EXPECT_NEAR(found.eq(0).to(at::kDouble).mean().item<double>(), 0.1, 0.15);
  EXPECT_FALSE(twins.logits(batch).eq(0).any().item<bool>());
}

}  // namespace
}  // namespace textcrs
