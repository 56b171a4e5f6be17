// The map of the slots in LibTorch: its definition, its error and gradients, that it is learnt, and
// the cpu engine beside it on every ISA the machine has.
#include "torch/slot_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/known_precision.h"
#include "kernels/normals.h"
#include "model/mapped_slots.h"
#include "model/slot_map.h"
#include "model/small_model.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/base/lanes.h"
#include "textcrs/torch/backend.h"
#include "torch/copies.h"

namespace textcrs {
namespace {

void add_gaussians(CopyBatch& batch, double sigma) {
  batch.sigma = sigma;
  batch.gaussians.clear();
  for (uint32_t i = 0; i < batch.copies.size() && sigma > 0; ++i)
    batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
}

// As many words as the model has slots, PAD among them: what the insertion noise draws.
LabelledBatch full_copies(int count) {
  LabelledBatch batch;
  for (int i = 0; i < count; ++i) {
    Stream stream(7, static_cast<uint32_t>(i), 0);
    Words copy(12, kPad);
    for (size_t s = 0; s < 8; ++s) copy[s] = static_cast<WordId>(3 + stream.below(20));
    batch.labels.push_back(copy[0] % 3);
    stream.shuffle(std::span(copy));
    batch.copies.copies.push_back(std::move(copy));
  }
  add_gaussians(batch.copies, 0.5);
  return batch;
}

// The mean squared error of the copies' reconstructed vectors, by its definition.
double error_of(const Weights& weights, const CopyBatch& batch) {
  const std::vector<float>& vectors = weights.at("embedding.weight").values;
  double sum = 0;
  size_t count = 0;
  for (size_t b = 0; b < batch.copies.size(); ++b)
    for (size_t s = 0; s < batch.copies[b].size(); ++s) {
      std::vector<float> normals(kSmallDimension);
      normals_at(Isa::kPortable, batch.gaussians[b], s * kSmallDimension, normals);
      const float* const clean =
          vectors.data() + static_cast<size_t>(batch.copies[b][s]) * kSmallDimension;
      std::vector<double> noisy(kSmallDimension);
      for (size_t d = 0; d < noisy.size(); ++d) noisy[d] = clean[d] + batch.sigma * normals[d];
      const std::vector<double> found = map_of(weights, noisy);
      for (size_t d = 0; d < found.size(); ++d, ++count)
        sum += (found[d] - clean[d]) * (found[d] - clean[d]);
    }
  return sum / static_cast<double>(count);
}

SlotMap random_map(int64_t dimension, int64_t units) {
  const auto random = [](at::IntArrayRef shape, uint32_t key) {
    std::vector<float> values(static_cast<size_t>(elements_of(shape.vec())));
    Stream(6, key, 0).normals(values);
    return at::tensor(values).to(at::kDouble).view(shape).mul(0.5).set_requires_grad(true);
  };
  return {random({dimension}, 0), random({units, dimension}, 1), random({units}, 2),
          random({dimension, units}, 3), random({dimension}, 4)};
}

TEST(SlotMap, LeavesOutWhatIsNotThere) {
  SlotMap map = random_map(3, 4);
  const at::Tensor rows = at::ones({2, 3}, at::kDouble);
  EXPECT_FALSE(map.is_identity());
  EXPECT_TRUE(SlotMap().is_identity());
  EXPECT_TRUE(SlotMap()(rows).equal(rows));
  SlotMap mean_alone;
  mean_alone.mean = map.mean;
  EXPECT_TRUE(mean_alone(rows).equal(rows + map.mean));
  const at::Tensor whole = map(rows), moved = rows + map.mean;
  map.mean = at::Tensor();
  EXPECT_TRUE(map(moved).allclose(whole));
  EXPECT_FALSE(map(rows).allclose(whole));
}

TEST(SlotMap, TheGradientsOfItsErrorAreDifferenceQuotients) {
  const SlotMap map = random_map(3, 4);
  const at::Tensor noisy = at::tensor({0.3, -1.2, 0.7, 1.5, 0.1, -0.4}, at::kDouble).view({2, 3});
  const at::Tensor clean =
      at::tensor({0.2, -1.0, 1.0, 1.0, 0.0, 0.0}, at::kDouble).view({2, 3}).set_requires_grad(true);
  const at::Tensor share = at::tensor({0.25, 2.0}, at::kDouble);
  const auto error = [&] { return reconstruction_error(map(noisy), clean, share); };
  error().backward();
  EXPECT_FALSE(clean.grad().defined());
  const at::NoGradGuard no_grad;
  const double by_hand = (map(noisy) - clean).square().mean(1).mul(share).sum().item<double>();
  EXPECT_DOUBLE_EQ(error().item<double>(), by_hand);
  for (const at::Tensor& parameter :
       {map.mean, map.encoder_weight, map.encoder_bias, map.decoder_weight, map.decoder_bias}) {
    double* const values = parameter.data_ptr<double>();
    for (int64_t i = 0; i < parameter.numel(); ++i) {
      constexpr double kStep = 1e-6;
      const double before = values[i];
      values[i] = before + kStep;
      const double above = error().item<double>();
      values[i] = before - kStep;
      const double below = error().item<double>();
      values[i] = before;
      EXPECT_NEAR(parameter.grad().view({-1})[i].item<double>(), (above - below) / (2 * kStep),
                  1e-7);
    }
  }
}

TEST(SlotMap, IsAppliedToSlotsAndNotToTheRowsBetweenCopies) {
  SlotMap map;
  map.mean = at::tensor({1.0f, 2.0f});
  const at::Tensor vectors = at::tensor({0.0f, 0.0f, 5.0f, 6.0f}).view({2, 2});
  const CopyBatch batch{{{1, 0}, {}}};
  const at::Tensor rows = line_up_copies(batch, 4, 2, vectors, nullptr, 0, map).words;
  EXPECT_TRUE(
      rows.equal(at::tensor({6, 8, 1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0}, at::kFloat).view({7, 2})));
  EXPECT_TRUE(pack_copies(batch, 4, vectors, nullptr, 0, map)
                  .words.equal(at::tensor({6, 8, 1, 2, 1, 2}, at::kFloat).view({3, 2})));
}

// Each copy counts by the mean over its own slots.
TEST(SlotMap, TheErrorIsTheSumOverTheCopies) {
  SlotMap map = random_map(2, 3);
  for (at::Tensor* tensor :
       {&map.mean, &map.encoder_weight, &map.encoder_bias, &map.decoder_weight, &map.decoder_bias})
    *tensor = tensor->detach().to(at::kFloat);
  const at::Tensor vectors = at::tensor({0.0f, 0.0f, 5.0f, 6.0f, -1.0f, 2.0f}).view({3, 2});
  const auto error = [&](const std::vector<Words>& copies, bool packed) {
    at::Tensor found;
    const TrainingStep training{1, 0, 1, 0, &found};
    const CopyBatch batch{copies};
    if (packed)
      pack_copies(batch, 4, vectors, &training, 0.5, map);
    else
      line_up_copies(batch, 4, 2, vectors, &training, 0.5, map);
    return found.item<double>();
  };
  for (const bool packed : {false, true}) {
    const double one = error({{1, 2, 0}}, packed), two = error({{2}}, packed);
    const double of_words = error({{1}}, packed), of_pad = error({{}}, packed);
    EXPECT_NEAR(error({{2}, {1, 2, 0}}, packed), one + two, 1e-4);
    EXPECT_NEAR(one, (of_words + two + of_pad) / 3, 1e-4);
  }
}

class SlotMapOf : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  std::unique_ptr<Classifier> make(bool noise_mean, int reconstruction) const {
    return small_classifier(folder_.path(), with_map(GetParam(), noise_mean, reconstruction), 2);
  }
  static double first_loss(const Classifier& classifier, const LabelledBatch& batch, double weight,
                           int accumulate = 1) {
    return torch_backend()
        .learner(
            classifier,
            {.threads = 1, .seed = 4, .accumulate = accumulate, .reconstruction_weight = weight})
        ->step(batch, 0, 1e-3);
  }

  TemporaryFolder folder_;
};

TEST_P(SlotMapOf, TheLossHasItsErrorWithItsWeight) {
  const LabelledBatch batch = full_copies(16);
  for (const int units : {5, 20}) {
    const auto classifier = make(true, units);
    const double error = error_of(classifier->weights(), batch.copies);
    const double plain = first_loss(*classifier, batch, 0);
    EXPECT_NEAR(first_loss(*classifier, batch, 1), plain + error, 1e-4);
    EXPECT_NEAR(first_loss(*classifier, batch, 3), plain + 3 * error, 1e-4);
  }
}

// The dropout of parts differs, so it is left out.
TEST_P(SlotMapOf, TheErrorOfPartsIsThatOfTheWhole) {
  ModelConfig config = with_map(GetParam(), true, 5);
  config.dropout = config.input_dropout = 0;
  const auto classifier = small_classifier(folder_.path(), config, 2);
  const LabelledBatch batch = full_copies(16);
  EXPECT_NEAR(first_loss(*classifier, batch, 2, 5), first_loss(*classifier, batch, 2), 1e-5);
}

TEST_P(SlotMapOf, IsLearnt) {
  for (const int units : {5, 20}) {
    const auto classifier = make(true, units);
    const LabelledBatch batch = full_copies(64);
    const double before = error_of(classifier->weights(), batch.copies);
    const Weights first = classifier->weights();
    const auto learner =
        torch_backend().learner(*classifier, {.threads = 1, .seed = 4, .gradient_clip = 1});
    for (int64_t step = 0; step < 150; ++step) learner->step(batch, step, 1e-2);
    classifier->assign(learner->trained());
    EXPECT_LT(error_of(classifier->weights(), batch.copies), 0.7 * before) << units;
    for (const char* name : {kEncoderWeight, kEncoderBias, kDecoderWeight, kDecoderBias})
      EXPECT_NE(classifier->weights().at(name), first.at(name)) << name;
    EXPECT_EQ(classifier->weights().at(kNoiseMean), first.at(kNoiseMean));
  }
}

struct Map {
  bool noise_mean;
  int reconstruction;
};
const std::vector<Map> kMaps = {{true, 0}, {false, 5}, {true, 5}, {true, 40}};

TEST_P(SlotMapOf, TheCpuEngineScoresAsLibTorchButForRounding) {
  CopyBatch batch = random_copies(300, 20, 42);  // some are empty, some longer than the slots
  for (const auto& [noise_mean, reconstruction] : kMaps) {
    const auto classifier = make(noise_mean, reconstruction);
    const auto reference = torch_backend().reference_engine(*classifier, "cpu");
    for (const double sigma : {0.0, 0.8}) {
      add_gaussians(batch, sigma);
      const auto expected = reference->scores(batch);
      for (const Precision precision : {Precision::kFp32, Precision::kBf16})
        for (const Isa isa : available_isas()) {
          if (!knows(isa, precision)) continue;
          SCOPED_TRACE(std::string(to_string(isa)) + " " + std::to_string(reconstruction));
          const auto found = make_cpu_engine(*classifier, {.threads = 1,
                                                           .precision = precision,
                                                           .isa = std::string(to_string(isa))})
                                 ->scores(batch);
          double largest = 0;
          for (size_t i = 0; i < found.size(); ++i)
            largest = std::max(largest, std::abs(found[i] - expected[i]));
          EXPECT_LT(largest, precision == Precision::kFp32 ? 2e-5 : 3e-2);
        }
    }
  }
}

TEST_P(SlotMapOf, TheCpuEngineVotesLikeLibTorch) {
  Words text;
  for (size_t i = 0; i < 9; ++i) text.push_back(static_cast<WordId>(3 + i * 7 % 20));
  for (const auto& [noise_mean, reconstruction] : kMaps) {
    const auto classifier = make(noise_mean, reconstruction);
    const auto noise = make_noise("insert:sigma=0.5", {&classifier->vocabulary(), nullptr, 12});
    const SampleRange range{7, 3, 100, 1100};
    const auto expected =
        torch_backend().reference_engine(*classifier, "cpu")->votes(text, *noise, range);
    for (const Isa isa : available_isas()) {
      const bool exact = knows(isa, Precision::kFp32);
      const auto found =
          make_cpu_engine(*classifier, {.threads = 1,
                                        .precision = exact ? Precision::kFp32 : Precision::kBf16,
                                        .isa = std::string(to_string(isa))})
              ->votes(text, *noise, range);
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), 1000);
      for (size_t c = 0; c < found.size(); ++c)
        EXPECT_NEAR(static_cast<double>(found[c]), static_cast<double>(expected[c]), exact ? 2 : 40)
            << to_string(isa);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WordModels, SlotMapOf, testing::Values("bilstm", "cnn"));

TEST(BertSlotMap, TheMeanIsAddedToTheSlotsInBothEngines) {
  ModelConfig config = TinyBert().config();
  config.pool_all_slots = true;
  const auto without = TinyBert().classifier(small_words(), config);
  config.noise_mean = true;
  const auto with = TinyBert().classifier(small_words(), config);
  CopyBatch batch = random_copies(100, 16, 42);
  for (const double sigma : {0.0, 0.8}) {
    add_gaussians(batch, sigma);
    const auto expected = torch_backend().reference_engine(*with, "cpu")->scores(batch);
    EXPECT_NE(expected, torch_backend().reference_engine(*without, "cpu")->scores(batch));
    for (const Isa isa : available_isas()) {
      const bool exact = knows(isa, Precision::kFp32);
      const auto found =
          make_cpu_engine(*with, {.threads = 1,
                                  .precision = exact ? Precision::kFp32 : Precision::kBf16,
                                  .isa = std::string(to_string(isa))})
              ->scores(batch);
      for (size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], exact ? 1e-4 : 0.1) << to_string(isa) << " " << i;
    }
  }
}

// A mean on the slots is what one on the vectors of all pieces, and off those of [CLS] and [SEP],
// would be: a word of several pieces has the mean of their vectors.
TEST(BertSlotMap, LeavesClsAndSepAlone) {
  ModelConfig config = TinyBert().config();
  config.pool_all_slots = true;
  config.noise_mean = true;
  const auto with = TinyBert().classifier(small_words(), config);
  config.noise_mean = false;
  Weights moved = with->weights();
  const std::vector<float> mean = moved.at(kNoiseMean).values;
  moved.erase(kNoiseMean);
  const TinyBert bert;
  const WordPiece wordpiece(bert.pieces);
  std::vector<float>& rows = moved.at(kPieceEmbedding).values;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto piece = static_cast<int32_t>(i / mean.size());
    if (piece != wordpiece.cls() && piece != wordpiece.sep()) rows[i] += mean[i % mean.size()];
  }
  const Classifier other(config, Vocabulary(small_words(), Vocabulary::Growth::kOpen), {}, moved,
                         std::make_shared<WordPiece>(bert.pieces));
  CopyBatch batch;  // PAD has no piece whose vector could have been moved
  for (uint32_t i = 0; i < 50; ++i) {
    Stream stream(3, i, 0);
    Words copy(stream.below(13));
    for (WordId& word : copy) word = static_cast<WordId>(3 + stream.below(20));
    batch.copies.push_back(std::move(copy));
  }
  add_gaussians(batch, 0.5);
  const auto found = torch_backend().reference_engine(*with, "cpu")->scores(batch);
  const auto expected = torch_backend().reference_engine(other, "cpu")->scores(batch);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
}

}  // namespace
}  // namespace textcrs
