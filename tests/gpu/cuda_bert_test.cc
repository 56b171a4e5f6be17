// BERT in the cuda engine beside the cpu engine, and what its answers depend on.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "card.h"
#include "engine/bert_model.h"
#include "engine/draw_copies.h"
#include "kernels/bf16.h"
#include "kernels/cuda/dense.h"
#include "model/slot_map.h"
#include "textcrs/engine/cuda_backend.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;
using Scores = std::vector<double>;

struct Shape {
  const char* name;
  int layers, heads, width, inner, slots, positions;
  bool noise_mean = false;  // by slots
};

// Heads of 24, 8, 32, 64, 40; copies of up to 30 words.
const Shape kTiny = {"tiny", 3, 2, 48, 88, 12, 24};
const std::vector<Shape> kShapes = {kTiny,
                                    {"one layer", 1, 2, 16, 32, 30, 24},
                                    {"minilm", 2, 12, 384, 1536, 30, 100},
                                    {"mean", 2, 12, 384, 256, 30, 100, true},
                                    {"base", 2, 12, 768, 3072, 30, 100},
                                    {"wide", 2, 25, 1000, 256, 30, 40}};

Scores margins_of(const Scores& scores) {
  Scores margins;
  for (size_t i = 0; i < scores.size(); i += 2) margins.push_back(scores[i] - scores[i + 1]);
  return margins;
}

class CudaBert : public BertModel {
 protected:
  void SetUp() override { SKIP_WITHOUT_A_CARD(); }

  void make_shape(const Shape& shape, bool by_slots) {
    bert_ = {.layers = shape.layers,
             .heads = shape.heads,
             .width = shape.width,
             .inner = shape.inner,
             .positions = shape.positions};
    config_ = bert_.config();
    config_.slots = by_slots ? std::min(shape.slots, shape.positions - 2) : shape.slots;
    config_.pool_all_slots = by_slots;
    config_.noise_mean = by_slots && shape.noise_mean;
    // Sums of many terms as large as those of a tiny one.
    Weights weights = bert_.tensors();
    for (auto& [name, tensor] : weights)
      if (tensor.shape.size() == 2 && name.find("embeddings") == std::string::npos)
        for (float& x : tensor.values) x *= std::sqrt(24.0f / static_cast<float>(tensor.shape[1]));
    for (TensorSpec spec : config_.kind().tensors(config_)) {
      if (spec.name == kNoiseMean) spec.bound = 0.5;
      if (!weights.contains(spec.name)) weights[spec.name] = fresh_tensor(spec, 1);
    }
    classifier_ = std::make_unique<Classifier>(
        config_, Vocabulary(words_, Vocabulary::Growth::kOpen), SynonymTable(), std::move(weights),
        std::make_shared<const WordPiece>(bert_.pieces));
    balance_head(copies(200, 1));
  }

  // As balance(), but faster.
  void balance_head(const CopyBatch& batch) {
    set_bias(0);
    Scores margins = margins_of(make_cpu_engine(*classifier_)->scores(batch));
    std::sort(margins.begin(), margins.end());
    size_t widest = margins.size() * 2 / 5;
    for (size_t i = widest; i < margins.size() * 3 / 5; ++i)
      if (margins[i + 1] - margins[i] > margins[widest + 1] - margins[widest]) widest = i;
    set_bias(static_cast<float>((margins[widest] + margins[widest + 1]) / 2));
  }

  std::unique_ptr<Engine> cuda(int batch_size = 0) const {
    return cuda_backend().engine(*classifier_, {.batch_size = batch_size});
  }
  Words ids(const std::vector<std::string>& words) const {
    return classifier_->vocabulary().encode(words);
  }
};

double spread_of(const Scores& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

// The scores of one of two classes' copies.
Scores row(const Scores& scores, size_t copy) { return {scores[2 * copy], scores[2 * copy + 1]}; }

TEST_F(CudaBert, AnswersAsInFp32ButForNearTies) {
  for (const Shape& shape : kShapes)
    for (const bool by_slots : {false, true}) {
      make_shape(shape, by_slots);
      const CopyBatch batch = copies(600, 7);
      const Scores exact =
          margins_of(make_cpu_engine(*classifier_, {.precision = Precision::kFp32, .isa = "auto"})
                         ->scores(batch));
      const Scores found = margins_of(cuda()->scores(batch));
      ASSERT_EQ(found.size(), exact.size());
      const double spread = spread_of(exact);
      double largest = 0, squares = 0;
      int other = 0;
      for (size_t i = 0; i < exact.size(); ++i) {
        const double error = std::abs(found[i] - exact[i]) / spread;
        largest = std::max(largest, error);
        squares += error * error;
        if ((found[i] < 0) != (exact[i] < 0)) {
          ++other;
          EXPECT_LT(std::abs(exact[i]) / spread, 0.1) << shape.name;
        }
      }
      const double typical = std::sqrt(squares / static_cast<double>(exact.size()));
      EXPECT_LT(typical, 0.03) << shape.name << by_slots;
      EXPECT_LT(largest, 0.2) << shape.name << by_slots;
      EXPECT_LE(other, 12) << shape.name << by_slots;
    }
}

TEST_F(CudaBert, ReadsTheWordsThatFitAndNoMore) {
  make_shape(kTiny, false);
  const CopyBatch batch = copies_at_the_edge(classifier_->vocabulary());
  const Scores scores = cuda()->scores(batch);
  EXPECT_EQ(row(scores, 0), row(scores, 1));
  EXPECT_EQ(row(scores, 0), row(scores, 2));
  EXPECT_EQ(row(scores, 3), row(scores, 4));
  EXPECT_EQ(row(scores, 5), row(scores, 6));
  EXPECT_EQ(row(scores, 5), row(scores, 7));
  EXPECT_GT(std::abs(scores[0] - scores[6]), 1e-4);
  EXPECT_GT(std::abs(scores[0] - scores[12]), 1e-4);
}

TEST_F(CudaBert, OwnWordsAreReadByTheirSpelling) {
  for (const bool by_slots : {false, true}) {
    make_shape(kTiny, by_slots);
    const WordId first = classifier_->vocabulary().size();
    const std::vector<std::string> own = {"storylines", "42"}, other = {"42", "dull"};
    CopyBatch held, beyond;
    held.copies = {ids({"good", "storylines", "of", "42"}), ids({"42", "dull"}), ids({"good"})};
    beyond.copies = {{held.copies[0][0], first, held.copies[0][2], first + 1},
                     {first, first + 1},
                     held.copies[2]};
    beyond.own = {own, other, {}};
    const auto engine = cuda();
    EXPECT_EQ(engine->scores(beyond), engine->scores(held));
    std::swap(beyond.own[0], beyond.own[1]);
    EXPECT_NE(engine->scores(beyond), engine->scores(held));
  }
}

TEST_F(CudaBert, RefusesIdsThatWereNeverGiven) {
  make_shape(kTiny, false);
  const auto engine = cuda();
  CopyBatch batch;
  batch.copies = {{3, classifier_->vocabulary().size()}};
  EXPECT_THROW(engine->scores(batch), std::out_of_range);
  batch.copies = {{-1}};
  EXPECT_THROW(engine->scores(batch), std::out_of_range);
}

// Copies of all lengths, so that every kernel for them runs, in batches of all sizes.
TEST_F(CudaBert, ScoresDependOnTheCopyAloneBitByBit) {
  for (const Shape shape :
       {Shape{"minilm", 3, 12, 384, 1536, 300, 310}, Shape{"base", 2, 12, 768, 3072, 300, 310}})
    for (const bool by_slots : {false, true}) {
      make_shape(shape, by_slots);
      CopyBatch batch;
      batch.sigma = by_slots ? 0.7 : 0;
      const auto known = static_cast<uint32_t>(classifier_->vocabulary().size());
      for (uint32_t i = 0; i < 900; ++i) {
        Stream stream(3, i, 0);
        const uint32_t longest = i < 300 ? 12 : i < 600 ? 60 : 306;
        Words copy(stream.below(longest));
        for (WordId& word : copy) word = static_cast<WordId>(stream.below(known));
        batch.copies.push_back(std::move(copy));
        if (by_slots) batch.gaussians.push_back(stream.lane(lane::kGaussian));
      }
      const auto engine = cuda();
      EXPECT_FALSE(engine->votes_depend_on_batch());
      const Scores together = engine->scores(batch);
      ASSERT_TRUE(std::all_of(together.begin(), together.end(),
                              [](double score) { return std::isfinite(score); }));
      EXPECT_EQ(engine->scores(batch), together);
      for (const int size : {1, 7, 64, 333}) EXPECT_EQ(cuda(size)->scores(batch), together) << size;
      std::vector<size_t> order(batch.copies.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), std::mt19937(1));
      CopyBatch shuffled;
      shuffled.sigma = batch.sigma;
      for (const size_t i : order) {
        shuffled.copies.push_back(batch.copies[i]);
        if (by_slots) shuffled.gaussians.push_back(batch.gaussians[i]);
      }
      const Scores again = engine->scores(shuffled);
      for (size_t i = 0; i < order.size(); ++i)
        EXPECT_EQ(row(again, i), row(together, order[i])) << shape.name << " " << order[i];
    }
}

// Drawn on the card or carried there; of one text or of several with own words of the same ids.
TEST_F(CudaBert, VotesAreThoseOfTheCopiesDrawnHere) {
  const std::vector<std::vector<std::string>> spelt = {
      {"good", "unseen", "of", "films", "story", "and", "dull", "storylines", ".", "very"},
      {"novel", "bad", "story", "?"},
      {"very", "warmest", "film"},
      {}};
  for (const std::string spec :
       {"none", "universal:p=0.5", "delete:p=0.3", "reorder:full", "reorder:block=3", "mask:p=0.5",
        "hash:buckets=3,functions=20", "substitute:kernel=uniform,size=3", "insert:sigma=0.5",
        "gaussian:sigma=0.5"}) {
    make(spec.find("sigma") != std::string::npos);
    const auto drawn = noise(spec);
    std::vector<OwnWords> own(spelt.size());
    std::vector<Words> words;
    for (size_t t = 0; t < spelt.size(); ++t)
      words.push_back(classifier_->vocabulary().encode(spelt[t], own[t]));
    std::vector<TextSamples> texts;
    for (uint32_t t = 0; t < spelt.size(); ++t)
      texts.push_back({Text(words[t], own[t].list()), {5, t, 10 * t, 10 * t + 500 + t}});
    const auto engine = cuda();
    const auto together = engine->votes(texts, *drawn);
    for (size_t t = 0; t < texts.size(); ++t) {
      EXPECT_EQ(engine->votes(texts[t].text, *drawn, texts[t].range), together[t]) << spec << t;
      CopyBatch batch;
      const SampleList list(std::span(&texts[t], 1), *drawn);
      list.draw(0, list.size(), batch);
      Votes expected(2);
      for (const int answer : engine->classify(batch)) ++expected[static_cast<size_t>(answer)];
      EXPECT_EQ(together[t], expected) << spec << t;
    }
    EXPECT_EQ(cuda(37)->votes(texts, *drawn), together) << spec;
  }
}

class CudaDense : public OnGpu {
 protected:
  std::vector<float> random(size_t count, float scale) {
    std::vector<float> values(count);
    for (float& value : values) value = scale * normal_(generator_);
    return values;
  }

  // A step of rows has the same bits at every place among many, and among few.
  template <typename Number>
  void expect_rows_of_their_own(const GpuProducts& products, size_t outputs, size_t inputs,
                                GpuDense::Output then) {
    constexpr size_t kMost = 16896, kStep = GpuDense::kRowStep;
    const GpuQueue queue;
    const std::vector<float> weights =
        random(outputs * inputs, 1 / std::sqrt(static_cast<float>(inputs)));
    const std::vector<float> bias = random(outputs, 1);
    const GpuDense dense(products, queue, weights, bias, then);
    std::vector<GpuBf16> rows;
    for (const float value : random(kStep * inputs, 1)) rows.push_back(to_bf16(value));
    std::vector<GpuBf16> all;
    for (size_t i = 0; i < kMost / kStep; ++i) all.insert(all.end(), rows.begin(), rows.end());
    GpuArray<GpuBf16> input;
    input.upload(queue, all, "test");
    GpuArray<Number> output;
    output.reserve(kMost * outputs, "test");
    dense.run(queue, kMost, input.data(), output.data());
    const std::vector<Number> many = output.download(queue, kMost * outputs);
    const std::vector<Number> first(many.begin(),
                                    many.begin() + static_cast<ptrdiff_t>(kStep * outputs));
    for (size_t i = 1; i < kMost / kStep; ++i)
      ASSERT_TRUE(std::equal(first.begin(), first.end(),
                             many.begin() + static_cast<ptrdiff_t>(i * kStep * outputs)))
          << "step " << i;
    for (const size_t count : {1, 2, 3, 7, 32, 64}) {
      clear_on_gpu(queue, output.data(), kMost * outputs * sizeof(Number));
      dense.run(queue, static_cast<int64_t>(count * kStep), input.data(), output.data());
      const std::vector<Number> few = output.download(queue, count * kStep * outputs);
      ASSERT_TRUE(std::equal(few.begin(), few.end(), many.begin())) << count << " steps";
    }
    // And is what it should be.
    for (const size_t r : {0, 131})
      for (size_t o = 0; o < outputs; o += 37) {
        double sum = bias[o];
        for (size_t k = 0; k < inputs; ++k)
          sum += double{rounded_to_bf16(weights[o * inputs + k])} *
                 double{from_bf16(rows[r * inputs + k])};
        if (then == GpuDense::Output::kGelu) sum *= 0.5 * (1 + std::erf(sum / std::sqrt(2.0)));
        EXPECT_NEAR(number(first[r * outputs + o]), sum, 0.01 * std::max(1.0, std::abs(sum)));
      }
  }

 private:
  static double number(float x) { return x; }
  static double number(GpuBf16 x) { return from_bf16(x); }

  std::mt19937 generator_{1};
  std::normal_distribution<float> normal_;
};

TEST_F(CudaDense, ARowDependsOnItselfAlone) {
  const GpuProducts products(16896);
  for (const auto& [outputs, inputs] : {std::pair<size_t, size_t>{1152, 384},
                                        {384, 384},
                                        {1536, 384},
                                        {384, 1536},
                                        {768, 384},
                                        {2304, 768},
                                        {768, 768},
                                        {3072, 768},
                                        {768, 3072},
                                        {1536, 768},
                                        {1000, 1000},
                                        {88, 48}}) {
    SCOPED_TRACE(std::to_string(outputs) + "x" + std::to_string(inputs));
    for (const auto then : {GpuDense::Output::kBf16, GpuDense::Output::kGelu})
      expect_rows_of_their_own<GpuBf16>(products, outputs, inputs, then);
    expect_rows_of_their_own<float>(products, outputs, inputs, GpuDense::Output::kFp32);
  }
}

}  // namespace
}  // namespace textcrs
