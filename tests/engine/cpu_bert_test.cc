// BERT on the CPU against the LibTorch graph: every noise, every ISA, and a copy by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/cpu_model.h"
#include "model/tiny_bert.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

// The tensors of a TinyBert, and a fresh head.
class TinyInitializer : public Initializer {
 public:
  explicit TinyInitializer(const TinyBert& bert) : tensors_(bert.tensors()), head_(bert.seed) {}
  at::Tensor make(const std::string& name, at::IntArrayRef shape, double bound) const override {
    const auto found = tensors_.find(name);
    return found != tensors_.end() ? found->second.clone() : head_.make(name, shape, 4 * bound);
  }
  bool is_fresh() const override { return false; }

 private:
  std::map<std::string, at::Tensor> tensors_;
  FreshInitializer head_;
};

std::unique_ptr<Classifier> make_classifier(const TinyBert& bert, const ModelConfig& config,
                                            const std::vector<std::string>& words,
                                            const at::Tensor& vectors, SynonymTable synonyms = {}) {
  const Vocabulary vocabulary(words, Vocabulary::Growth::kOpen);
  const auto wordpiece = std::make_shared<const WordPiece>(bert.pieces);
  auto network = std::make_unique<Bert>(
      config, vectors, std::make_shared<PieceTable>(vocabulary, wordpiece), TinyInitializer(bert));
  return std::make_unique<Classifier>(config, vocabulary, std::move(synonyms), std::move(network),
                                      wordpiece);
}

// One piece, several pieces, no piece that matches, and one that alone is too long to be read.
const std::vector<std::string> kWords = {
    "good", "bad", "film", "films", "very",       "dull",     "warmest",
    "of",   "and", ".",    "42",    "storylines", "dullness", "theverylongestwordofallofthem"};

bool knows(Isa isa, Precision precision) {
  return precision == Precision::kBf16 || isa < Isa::kAvx512Bf16;
}

class CpuBertEngine : public testing::Test {
 protected:
  CpuBertEngine() {
    // Neither width is a multiple of a vector's; heads of 24.
    bert_ = {.layers = 3, .heads = 2, .width = 48, .inner = 88};
    config_ = bert_.config();
  }

  // With a head that answers each of the classes about as often.
  void make(bool by_slots = false) {
    config_.pool_all_slots = by_slots;
    SynonymTable synonyms("a test", {{}, {}, {}, {4, 6}, {3}, {6}, {3, 5}});
    classifier_ = make_classifier(bert_, config_, kWords, bert_.tensors().at(kPieceEmbedding),
                                  std::move(synonyms));
    const at::Tensor margins = logits(copies(200, 1)).matmul(at::tensor({-1.0f, 1.0f}));
    set_bias(-margins.median().item<float>());
  }
  void set_bias(float of_class_1) const {
    classifier_->network().assign("head.bias", at::tensor({0.0f, of_class_1}));
  }

  // Copies of 0 to 30 words, more than there are slots and often more pieces than positions.
  CopyBatch copies(int count, uint64_t seed) const {
    CopyBatch batch;
    for (int i = 0; i < count; ++i) {
      Stream stream(seed, static_cast<uint32_t>(i), 0);
      Words copy(stream.below(31));
      for (WordId& word : copy)
        word = static_cast<WordId>(
            stream.below(static_cast<uint32_t>(classifier_->vocabulary().size())));
      batch.copies.push_back(std::move(copy));
      if (config_.pool_all_slots) batch.gaussians.push_back(stream.lane(1));
    }
    batch.sigma = config_.pool_all_slots ? 0.7 : 0;
    return batch;
  }

  at::Tensor logits(const CopyBatch& batch) const {
    const at::NoGradGuard no_grad;
    return classifier_->network().forward(batch, nullptr);
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
  std::unique_ptr<Classifier> classifier_;
};

TEST_F(CpuBertEngine, ClassifiesAsTheReferenceButForTies) {
  for (const bool by_slots : {false, true}) {
    SCOPED_TRACE(by_slots);
    make(by_slots);
    const CopyBatch batch = copies(500, 2);
    const at::Tensor scores = logits(batch);
    const auto expected = classifier_->classify(batch);
    const auto ones = std::count(expected.begin(), expected.end(), 1);
    ASSERT_TRUE(ones > 100 && ones < 400) << "trivial: " << ones;
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        SCOPED_TRACE(to_string(isa));
        const auto found = engine(precision, isa)->classify(batch);
        int different = 0;
        for (size_t i = 0; i < found.size(); ++i) {
          if (found[i] == expected[i]) continue;
          ++different;
          const at::Tensor score = scores[static_cast<int64_t>(i)];
          EXPECT_LT((score[0] - score[1]).abs().item<double>(),
                    precision == Precision::kFp32 ? 1e-5 : 0.1)
              << i;
        }
        EXPECT_LE(different, precision == Precision::kFp32 ? 1 : 20);
      }
    }
  }
}

TEST_F(CpuBertEngine, VotesLikeTheReferenceUnderEveryNoise) {
  const std::vector<std::string> specs = {"none",
                                          "universal:p=0.5",
                                          "delete:p=0.3",
                                          "delete:p=0.97",
                                          "reorder:full",
                                          "reorder:block=3",
                                          "reorder:block=3,order=sorted",
                                          "reorder:groups=4",
                                          "mask:p=0.4",
                                          "hash:buckets=3,functions=20",
                                          "substitute:kernel=uniform",
                                          "substitute:kernel=graph",
                                          "insert:sigma=0.5"};
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const auto reference = make_reference_engine(*classifier_);
    std::vector<std::unique_ptr<Engine>> engines;
    for (const Isa isa : available_isas())
      if (knows(isa, Precision::kFp32)) engines.push_back(engine(Precision::kFp32, isa));
    for (const std::string& spec : specs) {
      const auto drawn = noise(spec);
      if (drawn->sigma() > 0 && !by_slots) continue;
      SCOPED_TRACE(spec);
      // Two words are met now for the first time, by the noise, the model and the engines.
      std::vector<std::string> words = {"good", "film", "films", "very", "storylines", "dull", "."};
      for (const char* kind : {"unseen", "novel"}) words.push_back(kind + spec);
      const Words text = classifier_->vocabulary().encode(words);
      const SampleRange range{7, 3, 100, 350};
      const Votes expected = reference->votes(text, *drawn, range);
      for (const auto& one : engines) {
        const Votes found = one->votes(text, *drawn, range);
        EXPECT_EQ(found[0] + found[1], 250);
        EXPECT_NEAR(static_cast<double>(found[0]), static_cast<double>(expected[0]), 1)
            << one->name();
      }
    }
  }
}

TEST_F(CpuBertEngine, ReadsTheWordsThatFitAndNoMore) {
  make();
  const auto ids = [&](const std::vector<std::string>& words) {
    return classifier_->vocabulary().encode(words);
  };
  // 24 positions: [CLS], 22 pieces, [SEP]; 12 slots. "films" are two pieces, "storylines" six.
  const Words films(11, ids({"films"})[0]), one(12, ids({"good"})[0]);
  const auto and_then = [&](Words words, const std::vector<std::string>& more) {
    for (const WordId id : ids(more)) words.push_back(id);
    return words;
  };
  const CopyBatch batch = {{films,
                            and_then(films, {"good"}),   // no position is left
                            and_then(films, {"films"}),  //
                            one,
                            and_then(one, {"bad"}),  // no slot is left
                            ids({"theverylongestwordofallofthem"}),
                            {},  // too long by itself
                            ids({"theverylongestwordofallofthem", "good"})},
                           0,
                           {}};
  const at::Tensor scores = logits(batch);
  const auto same = [&](int64_t a, int64_t b) {
    return (scores[a] - scores[b]).abs().max().item<double>() < 1e-4;
  };
  EXPECT_TRUE(same(0, 1) && same(0, 2) && same(3, 4) && same(5, 6) && same(5, 7));
  EXPECT_FALSE(same(0, 3));
  EXPECT_FALSE(same(0, 6));
  // On the edge of a tie: the copies that are the same must be so to the last bit.
  for (const Isa isa : available_isas()) {
    for (const int64_t at : {0, 3, 5}) {
      const at::Tensor margin = scores[at][0] - scores[at][1];
      const float bias = classifier_->network().parameters().at("head.bias")[1].item<float>();
      for (const float shift : {-1e-7f, 0.0f, 1e-7f}) {
        set_bias(bias + margin.item<float>() + shift);
        const auto found = engine(Precision::kBf16, isa)->classify(batch);
        EXPECT_EQ(found[0], found[1]);
        EXPECT_EQ(found[0], found[2]);
        EXPECT_EQ(found[3], found[4]);
        EXPECT_EQ(found[5], found[6]);
        EXPECT_EQ(found[5], found[7]);
      }
      set_bias(bias);
    }
  }
}

TEST_F(CpuBertEngine, VotesDependOnTheSamplesAlone) {
  for (const std::string spec : {"universal:p=0.3", "insert:sigma=0.5"}) {
    make(spec.starts_with("insert"));
    const auto drawn = noise(spec);
    const Words text = classifier_->vocabulary().encode(
        {"good", "storylines", "of", "films", "unseen", "and", "dull", ".", "very", "bad"});
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

// The bias is put where a copy's class, alone, changes from one float to the next: a change of its
// features in their last bits would show.
TEST_F(CpuBertEngine, ACopysFeaturesDoNotDependOnItsNeighbours) {
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const CopyBatch neighbours = copies(70, 3);  // three groups of 384 rows
    const auto class_of = [&](const CpuModel& model, const Words& copy, const Stream* gaussian) {
      int found = -1;
      model.classify({&copy, 1}, neighbours.sigma,
                     {gaussian, gaussian == nullptr ? size_t{0} : size_t{1}}, {&found, 1});
      return found;
    };
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        const auto model_at = [&](float bias) {
          set_bias(bias);
          return make_cpu_bert(classifier_->network(), isa, precision);
        };
        for (size_t i = 0; i < 5; ++i) {
          const Words& copy = neighbours.copies[i];
          const Stream* const gaussian = by_slots ? &neighbours.gaussians[i] : nullptr;
          float low = -64, high = 64;
          for (float middle = 0; low < middle && middle < high; middle = (low + high) / 2)
            (class_of(*model_at(middle), copy, gaussian) == 0 ? low : high) = middle;
          ASSERT_TRUE(low > -64 && high < 64);
          for (const auto& [bias, expected] : {std::pair{low, 0}, {high, 1}}) {
            const auto model = model_at(bias);
            for (const size_t place : {size_t{1}, size_t{38}, size_t{69}}) {
              CopyBatch batch = neighbours;
              std::swap(batch.copies[i], batch.copies[place]);
              if (by_slots) std::swap(batch.gaussians[i], batch.gaussians[place]);
              std::vector<int> found(batch.copies.size());
              model->classify(batch.copies, batch.sigma, batch.gaussians, found);
              EXPECT_EQ(found[place], expected)
                  << to_string(isa) << " copy " << i << " at " << place;
            }
          }
        }
      }
    }
  }
}

// As CpuEngine.UnderTheGaussianOnlyTheSumMatters: the words of copy 2i under its noise and those of
// copy 2i + 1 under the other's have the same noisy vectors.
TEST_F(CpuBertEngine, UnderTheGaussianOnlyTheSumMatters) {
  constexpr int kPairs = 500, kLength = 3;
  constexpr float kSigma = 30;
  config_.pool_all_slots = true;
  const auto others = static_cast<int64_t>(bert_.pieces.size());
  at::Tensor vectors = at::zeros({others + 2 * kPairs * kLength, bert_.width}, at::kFloat);
  vectors.narrow(0, 0, others).copy_(bert_.tensors().at(kPieceEmbedding));
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
    batch.gaussians.emplace_back(9, 0, static_cast<uint32_t>(i), 1);
    Stream(batch.gaussians.back()).normals(noise[i % 2]);
    if (i % 2 == 0) continue;
    float* const second = vectors.data_ptr<float>() + (others + kLength * i) * bert_.width;
    for (size_t k = 0; k < noise[0].size(); ++k) second[k] = kSigma * (noise[0][k] - noise[1][k]);
  }
  classifier_ = make_classifier(bert_, config_, words, vectors);
  const at::Tensor margins = logits(batch).matmul(at::tensor({-1.0f, 1.0f}));
  set_bias(-margins.median().item<float>());
  for (const Isa isa : available_isas()) {
    const auto found = engine(Precision::kBf16, isa)->classify(batch);
    int different = 0;
    for (size_t i = 0; i < found.size(); i += 2) different += found[i] != found[i + 1];
    EXPECT_LE(different, 1) << to_string(isa);
    const auto ones = std::count(found.begin(), found.end(), 1);
    EXPECT_TRUE(ones > kPairs / 2 && ones < 3 * kPairs / 2) << "trivial: " << ones;
  }
}

TEST_F(CpuBertEngine, WantsAClassAStreamACopyAndSlotsForAGaussian) {
  make();
  const CopyBatch batch = copies(3, 4);
  const auto model = make_cpu_bert(classifier_->network(), Isa::kPortable, Precision::kFp32);
  std::vector<int> classes(2);
  EXPECT_THROW(model->classify(batch.copies, 0, {}, classes), std::logic_error);
  classes.resize(3);
  const std::vector<Stream> streams(3, Stream(1, 0, 0));
  EXPECT_THROW(model->classify(batch.copies, 1, streams, classes), std::logic_error);
  EXPECT_NO_THROW(model->classify({}, 0, {}, {}));
  make(/*by_slots=*/true);
  const auto other = make_cpu_bert(classifier_->network(), Isa::kPortable, Precision::kFp32);
  EXPECT_THROW(other->classify(batch.copies, 1, std::span(streams).first(2), classes),
               std::logic_error);
  EXPECT_NO_THROW(other->classify(batch.copies, 1, streams, classes));
}

}  // namespace
}  // namespace textcrs
