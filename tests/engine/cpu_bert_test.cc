// BERT in the cpu engine, on every ISA the machine has: what its answers depend on. tests/torch
// compares them with LibTorch's.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "engine/bert_model.h"
#include "engine/cpu_model.h"
#include "engine/draw_copies.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;
using Scores = std::vector<double>;

class CpuBert : public BertModel {
 protected:
  Words ids(const std::vector<std::string>& words) const {
    return classifier_->vocabulary().encode(words);
  }
};

// The scores of one of two classes' copies.
Scores row(const Scores& scores, size_t copy) { return {scores[2 * copy], scores[2 * copy + 1]}; }

TEST_F(CpuBert, ReadsTheWordsThatFitAndNoMore) {
  make();
  const CopyBatch batch = copies_at_the_edge(classifier_->vocabulary());
  for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      SCOPED_TRACE(to_string(isa));
      const Scores scores = engine(precision, isa)->scores(batch);
      // The copies that are the same are so to the last bit.
      EXPECT_EQ(row(scores, 0), row(scores, 1));
      EXPECT_EQ(row(scores, 0), row(scores, 2));
      EXPECT_EQ(row(scores, 3), row(scores, 4));
      EXPECT_EQ(row(scores, 5), row(scores, 6));
      EXPECT_EQ(row(scores, 5), row(scores, 7));
      EXPECT_GT(std::abs(scores[0] - scores[6]), 1e-4);
      EXPECT_GT(std::abs(scores[0] - scores[12]), 1e-4);
    }
  }
}

// A word reads the same whether the vocabulary holds it or it is a text's own.
TEST_F(CpuBert, OwnWordsAreReadByTheirSpelling) {
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const WordId first = classifier_->vocabulary().size();
    const std::vector<std::string> own = {"storylines", "42"}, other = {"42", "dull"};
    CopyBatch held, beyond;
    held.copies = {ids({"good", "storylines", "of", "42"}), ids({"42", "dull"}), ids({"good"})};
    beyond.copies = {{held.copies[0][0], first, held.copies[0][2], first + 1},
                     {first, first + 1},
                     held.copies[2]};
    beyond.own = {own, other, {}};
    for (const Isa isa : available_isas()) {
      const auto one = engine(Precision::kBf16, isa);
      EXPECT_EQ(one->scores(beyond), one->scores(held)) << to_string(isa);
      std::swap(beyond.own[0], beyond.own[1]);
      EXPECT_NE(one->scores(beyond), one->scores(held)) << to_string(isa);
      std::swap(beyond.own[0], beyond.own[1]);
    }
  }
}

TEST_F(CpuBert, VotesDependOnTheSamplesAlone) {
  for (const std::string spec : {"universal:p=0.3", "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    make(spec.find("sigma") != std::string::npos);
    const auto drawn = noise(spec);
    OwnWords own;
    const Words words = classifier_->vocabulary().encode(
        {"good", "storylines", "of", "films", "unseen", "and", "dull", ".", "very", "bad"}, own);
    ASSERT_EQ(own.list().size(), 1u);
    const Text text(words, own.list());
    for (const Isa isa : available_isas()) {
      const auto votes = [&](int threads, int batch_size, uint32_t begin, uint32_t end) {
        return engine(Precision::kBf16, isa, threads, batch_size)
            ->votes(text, *drawn, {5, 2, begin, end});
      };
      const Votes expected = votes(1, 0, 0, 300);
      for (const auto& [threads, batch_size] :
           {std::pair{0, 0}, {2, 1}, {1, 7}, {5, 64}, {2, 10000}})
        EXPECT_EQ(votes(threads, batch_size, 0, 300), expected)
            << spec << " " << to_string(isa) << " " << threads << " " << batch_size;
      Votes sum = votes(1, 0, 0, 77);
      const Votes rest = votes(1, 0, 77, 300);
      std::transform(sum.begin(), sum.end(), rest.begin(), sum.begin(), std::plus<>());
      EXPECT_EQ(sum, expected);
    }
  }
}

// The texts' own words have the same ids and other spellings.
TEST_F(CpuBert, VotesOfSeveralTextsAreThoseOfEachAlone) {
  const std::vector<std::vector<std::string>> spelt = {
      {"good", "unseen", "of", "films", "story", "and", "dull"},
      {"novel", "bad", "story", "?"},
      {"very", "warmest", "film"},
      {}};
  for (const std::string spec : {"universal:p=0.5", "hash:buckets=3,functions=20",
                                 "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    make(spec.find("sigma") != std::string::npos);
    const auto drawn = noise(spec);
    std::vector<OwnWords> own(spelt.size());
    std::vector<Words> words;
    std::vector<TextSamples> samples;
    for (size_t t = 0; t < spelt.size(); ++t)
      words.push_back(classifier_->vocabulary().encode(spelt[t], own[t]));
    for (uint32_t t = 0; t < spelt.size(); ++t) {
      samples.push_back({{words[t], own[t].list()}, {5, t, 10, 70 + 13 * t}});
      samples.push_back({{words[t], own[t].list()}, {5, t, 0, 5}});
    }
    EXPECT_FALSE(own[0].list().empty());
    for (const Isa isa : available_isas()) {
      std::vector<Votes> expected;
      for (const auto& [text, range] : samples)
        expected.push_back(engine(Precision::kBf16, isa)->votes(text, *drawn, range));
      for (const auto& [threads, batch_size] : {std::pair{1, 0}, {3, 7}, {2, 10000}})
        EXPECT_EQ(engine(Precision::kBf16, isa, threads, batch_size)->votes(samples, *drawn),
                  expected)
            << spec << " " << to_string(isa) << " " << threads << " " << batch_size;
    }
  }
}

TEST_F(CpuBert, ClassesAreThoseOfTheHighestScores) {
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const CopyBatch batch = copies(300, 2);
    for (const Isa isa : available_isas()) {
      const auto classes = engine(Precision::kBf16, isa)->classify(batch);
      EXPECT_EQ(classes, highest(engine(Precision::kBf16, isa)->scores(batch), 2));
      const auto ones = std::count(classes.begin(), classes.end(), 1);
      EXPECT_TRUE(ones > 60 && ones < 240) << "trivial: " << ones;
    }
  }
}

// Not in their last bit.
TEST_F(CpuBert, ACopysScoresDoNotDependOnItsNeighbours) {
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const CopyBatch neighbours = copies(70, 3);  // three groups of 384 rows
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        const auto model = make_cpu_bert(*classifier_, isa, precision);
        const auto scores = [&](const CopyView& batch) {
          Scores found(2 * batch.size());
          model->score(batch, found);
          return found;
        };
        const Scores together = scores(neighbours);
        for (size_t i = 0; i < neighbours.copies.size(); ++i)
          ASSERT_EQ(scores(CopyView(neighbours).part(i, 1)), row(together, i))
              << to_string(isa) << " copy " << i;
        for (size_t i = 0; i < 5; ++i)
          for (const size_t place : {size_t{1}, size_t{38}, size_t{69}}) {
            CopyBatch batch = neighbours;
            std::swap(batch.copies[i], batch.copies[place]);
            if (by_slots) std::swap(batch.gaussians[i], batch.gaussians[place]);
            EXPECT_EQ(row(scores(batch), place), row(together, i))
                << to_string(isa) << " copy " << i << " at " << place;
          }
      }
    }
  }
}

// As CpuEngine.UnderTheGaussianOnlyTheSumMatters: the words of copy 2i under its noise and those of
// copy 2i + 1 under the other's have the same noisy vectors.
TEST_F(CpuBert, UnderTheGaussianOnlyTheSumMatters) {
  constexpr int kPairs = 500, kLength = 3;
  constexpr float kSigma = 30;
  config_.pool_all_slots = true;
  FloatTensor vectors = bert_.tensors().at(kPieceEmbedding);
  const int64_t others = vectors.shape[0];
  vectors.shape[0] += 2 * kPairs * kLength;
  vectors.values.resize(static_cast<size_t>(elements_of(vectors.shape)));
  std::vector<std::string> words;
  CopyBatch batch;
  batch.sigma = kSigma;
  std::vector<float> noise[2];
  for (auto& values : noise) values.resize(static_cast<size_t>(kLength * bert_.width));
  for (int i = 0; i < 2 * kPairs; ++i) {
    batch.copies.emplace_back();
    for (int t = 0; t < kLength; ++t) {
      batch.copies.back().push_back(static_cast<WordId>(kFirstWord + words.size()));
      words.push_back("word" + std::to_string(words.size()));
      bert_.pieces.push_back(words.back());
    }
    batch.gaussians.emplace_back(9, 0, static_cast<uint32_t>(i), lane::kGaussian);
    Stream(batch.gaussians.back()).normals(noise[i % 2]);
    if (i % 2 == 0) continue;
    float* const second = vectors.values.data() + (others + kLength * i) * bert_.width;
    for (size_t k = 0; k < noise[0].size(); ++k) second[k] = kSigma * (noise[0][k] - noise[1][k]);
  }
  classifier_ = bert_in_memory(bert_, config_, words, std::move(vectors));
  balance(batch);
  for (const Isa isa : available_isas()) {
    const auto found = engine(Precision::kBf16, isa)->classify(batch);
    int different = 0;
    for (size_t i = 0; i < found.size(); i += 2) different += found[i] != found[i + 1];
    EXPECT_LE(different, 1) << to_string(isa);
    const auto ones = std::count(found.begin(), found.end(), 1);
    EXPECT_TRUE(ones > kPairs / 2 && ones < 3 * kPairs / 2) << "trivial: " << ones;
  }
}

TEST_F(CpuBert, WantsAScoreAndAStreamPerCopyAndSlotsForAGaussian) {
  make();
  CopyBatch batch = copies(3, 4);
  const auto model = make_cpu_bert(*classifier_, Isa::kPortable, Precision::kFp32);
  Scores scores(5);
  EXPECT_THROW(model->score(batch, scores), std::logic_error);
  scores.resize(6);
  EXPECT_NO_THROW(model->score(batch, scores));
  batch.sigma = 1;
  batch.gaussians.assign(3, Stream(1, 0, 0));
  EXPECT_THROW(model->score(batch, scores), std::logic_error);
  EXPECT_NO_THROW(model->score({}, {}));
  make(/*by_slots=*/true);
  const auto other = make_cpu_bert(*classifier_, Isa::kPortable, Precision::kFp32);
  batch.gaussians.pop_back();
  EXPECT_THROW(other->score(batch, scores), std::logic_error);
  batch.gaussians.assign(3, Stream(1, 0, 0));
  EXPECT_NO_THROW(other->score(batch, scores));
}

}  // namespace
}  // namespace textcrs
