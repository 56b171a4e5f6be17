// The map of the slots in the cpu engine: against its definition on every ISA, row by row, and what
// the certificate of the insertion noise needs of it. tests/torch compares with LibTorch's.
#include "model/slot_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/cpu_model.h"
#include "engine/cpu_slot_map.h"
#include "kernels/known_precision.h"
#include "kernels/normals.h"
#include "model/mapped_slots.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/lanes.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

// Random tensors of the map: what it begins with may be the identity.
std::unique_ptr<Classifier> with_random_map(const std::filesystem::path& folder,
                                            const ModelConfig& config) {
  auto classifier = small_classifier(folder, config, 2);
  Weights weights;
  for (TensorSpec spec : config.kind().tensors(classifier->config()))
    if (spec.is_trained && is_of_slot_map(spec.name)) {
      spec.bound = 0.7;
      weights[spec.name] = fresh_tensor(spec, 9);
    }
  classifier->assign(weights);
  return classifier;
}

struct Map {
  bool noise_mean;
  int reconstruction;
};
const std::vector<Map> kMaps = {{true, 0}, {false, 5}, {true, 5}, {false, 37}, {true, 130}};

TEST(CpuSlotMap, IsItsDefinitionOnEveryIsa) {
  const TemporaryFolder folder;
  std::vector<float> rows(300 * kSmallDimension);
  Stream(4, 0, 0).normals(rows);
  for (const auto& [noise_mean, reconstruction] : kMaps) {
    const auto classifier =
        with_random_map(folder.path(), with_map("bilstm", noise_mean, reconstruction));
    for (const Isa isa : available_isas())
      for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
        if (!knows(isa, precision)) continue;
        SCOPED_TRACE(std::string(to_string(isa)) + " " + std::to_string(reconstruction));
        const CpuSlotMap map(*classifier, isa, precision);
        EXPECT_FALSE(map.is_identity());
        std::vector<float> mapped = rows;
        CpuSlotMap::Work work;
        map.apply(mapped, work);
        double largest = 0, error = 0;
        for (size_t row = 0; row < 300; ++row) {
          const auto expected =
              map_of(classifier->weights(),
                     {rows.begin() + static_cast<ptrdiff_t>(row * kSmallDimension),
                      rows.begin() + static_cast<ptrdiff_t>((row + 1) * kSmallDimension)});
          for (size_t d = 0; d < expected.size(); ++d) {
            largest = std::max(largest, std::abs(expected[d]));
            error =
                std::max(error, std::abs(double{mapped[row * kSmallDimension + d]} - expected[d]));
          }
        }
        EXPECT_LT(error, (precision == Precision::kFp32 ? 1e-6 : 1e-2) * largest);
      }
  }
  EXPECT_TRUE(CpuSlotMap(*small_classifier(folder.path(), small_config("cnn")), Isa::kPortable,
                         Precision::kFp32)
                  .is_identity());
}

TEST(CpuSlotMap, ARowDependsOnItselfAlone) {
  const TemporaryFolder folder;
  const auto classifier = with_random_map(folder.path(), with_map("bilstm", true, 37));
  std::vector<float> rows(300 * kSmallDimension);
  Stream(4, 0, 0).normals(rows);
  for (const Isa isa : available_isas()) {
    const CpuSlotMap map(*classifier, isa, Precision::kBf16);
    CpuSlotMap::Work work;
    std::vector<float> together = rows;
    map.apply(together, work);
    for (size_t row = 0; row < 300; ++row) {
      const auto first = static_cast<ptrdiff_t>(row * kSmallDimension);
      std::vector<float> alone(rows.begin() + first, rows.begin() + first + kSmallDimension);
      map.apply(alone, work);
      EXPECT_EQ(alone, std::vector<float>(together.begin() + first,
                                          together.begin() + first + kSmallDimension))
          << to_string(isa) << " row " << row;
    }
  }
}

class CpuModelsWithAMap : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  static CopyBatch copies(double sigma) {
    CopyBatch batch = random_copies(250, 20, 7);  // some are empty, some longer than the slots
    batch.sigma = sigma;
    for (uint32_t i = 0; i < batch.copies.size() && sigma > 0; ++i)
      batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
    return batch;
  }
  static std::unique_ptr<Engine> engine(const Classifier& classifier, Isa isa,
                                        Precision precision) {
    return make_cpu_engine(
        classifier, {.threads = 1, .precision = precision, .isa = std::string(to_string(isa))});
  }

  TemporaryFolder folder_;
};

TEST_P(CpuModelsWithAMap, ACopysScoresDependOnTheCopyAlone) {
  const auto classifier = with_random_map(folder_.path(), with_map(GetParam(), true, 37));
  for (const double sigma : {0.0, 0.8}) {
    const CopyBatch batch = copies(sigma);
    for (const Isa isa : available_isas()) {
      const auto model = GetParam() == "cnn" ? make_cpu_cnn(*classifier, isa, Precision::kBf16)
                                             : make_cpu_bilstm(*classifier, isa, Precision::kBf16);
      std::vector<double> together(3 * batch.copies.size()), alone(3);
      model->score(batch, together);
      for (size_t i = 0; i < batch.copies.size(); ++i) {
        model->score(CopyView(batch).part(i, 1), alone);
        for (size_t c = 0; c < 3; ++c)
          EXPECT_EQ(alone[c], together[3 * i + c]) << to_string(isa) << " copy " << i;
      }
    }
  }
}

// What B5 needs: the scores are a function of the noisy vectors of the slots, and of nothing else.
// So a noisy copy has the scores of a copy, without noise, of words whose vectors are its noisy
// ones; PAD is no exception.
TEST_P(CpuModelsWithAMap, ScoresAreAFunctionOfTheNoisyVectorsAlone) {
  const auto classifier = with_random_map(folder_.path(), with_map(GetParam(), true, 37));
  const auto dimension = static_cast<size_t>(kSmallDimension);
  const std::vector<float>& vectors = classifier->weights().at("embedding.weight").values;
  CopyBatch batch;
  batch.copies = {{4, kPad, 9, kPad, 20, 3, kUnk, kPad, kPad, 5, kMask, 4}};
  batch.sigma = 0.5;
  batch.gaussians = {Stream(8, 0, 0, lane::kGaussian)};
  const Words& words = batch.copies[0];
  std::vector<float> noisy(words.size() * dimension);
  normals_at(Isa::kPortable, batch.gaussians[0], 0, noisy);
  for (size_t i = 0; i < noisy.size(); ++i)
    noisy[i] = vectors[static_cast<size_t>(words[i / dimension]) * dimension + i % dimension] +
               0.5f * noisy[i];
  // The words w0 .. w11 of another model lie there.
  Weights weights = classifier->weights();
  std::copy(noisy.begin(), noisy.end(),
            weights.at("embedding.weight").values.begin() +
                static_cast<ptrdiff_t>(kFirstWord * dimension));
  const Classifier there(classifier->config(), classifier->vocabulary(), {}, weights);
  CopyBatch clean;
  clean.copies.emplace_back();
  for (WordId word = kFirstWord; word < kFirstWord + 12; ++word) clean.copies[0].push_back(word);
  for (const Isa isa : available_isas()) {
    if (!knows(isa, Precision::kFp32)) continue;
    const auto found = engine(*classifier, isa, Precision::kFp32)->scores(batch);
    const auto expected = engine(there, isa, Precision::kFp32)->scores(clean);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(found[c], expected[c], 1e-5) << to_string(isa);
  }
}

// A network whose first layer takes the mean off again says what one without a mean says.
TEST_P(CpuModelsWithAMap, AMeanMovesEverySlotAlike) {
  const auto plain = small_classifier(folder_.path(), with_map(GetParam(), false, 0), 2);
  ModelConfig config = plain->config();
  config.noise_mean = true;
  Weights weights = plain->weights();
  const std::vector<float> mean = {0.5f, -1, 0.25f, 0, 2, -0.125f};
  weights[kNoiseMean] = {{kSmallDimension}, mean};
  const auto take_off = [&](const std::string& weight, const std::string& bias, size_t width) {
    const std::vector<float>& w = weights.at(weight).values;
    std::vector<float>& b = weights.at(bias).values;
    for (size_t i = 0; i < w.size(); ++i)
      b[i / (mean.size() * width)] -= w[i] * mean[i / width % mean.size()];
  };
  if (GetParam() == "cnn")
    for (const size_t width : {3, 4, 5})
      take_off("conv" + std::to_string(width) + ".weight", "conv" + std::to_string(width) + ".bias",
               width);
  else
    for (const std::string suffix : {"", "_reverse"})
      take_off("lstm.weight_ih_l0" + suffix, "lstm.bias_ih_l0" + suffix, 1);
  const Classifier moved(config, plain->vocabulary(), {}, weights);
  CopyBatch batch = copies(0.8);
  // A window that reaches beyond a short copy reads zeros there, which no mean moves.
  for (Words& copy : batch.copies) copy.resize(12, kPad);
  const auto found = engine(moved, Isa::kPortable, Precision::kFp32)->scores(batch);
  const auto expected = engine(*plain, Isa::kPortable, Precision::kFp32)->scores(batch);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-5) << i;
}

INSTANTIATE_TEST_SUITE_P(WordModels, CpuModelsWithAMap, testing::Values("bilstm", "cnn"));

}  // namespace
}  // namespace textcrs
