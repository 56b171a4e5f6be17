// The map of the slots: its tensors, what it begins with, where it is refused, and whose it
// becomes.
#include "model/slot_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "expect_error.h"
#include "mapped_slots.h"
#include "model/tensors.h"
#include "small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

class SlotMapOf : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  std::unique_ptr<Classifier> fresh(bool noise_mean, int reconstruction, uint64_t seed = 1) const {
    return small_classifier(folder_.path(), with_map(GetParam(), noise_mean, reconstruction), seed);
  }

  TemporaryFolder folder_;
};

TEST_P(SlotMapOf, HasItsTensorsAndNoOthers) {
  using Shape = std::vector<int64_t>;
  const auto plain = fresh(false, 0), mean = fresh(true, 0), both = fresh(true, 9);
  EXPECT_FALSE(plain->config().maps_slots());
  EXPECT_EQ(mean->weights().size(), plain->weights().size() + 1);
  EXPECT_EQ(both->weights().size(), plain->weights().size() + 5);
  EXPECT_EQ(both->weights().at("noise.mean").shape, Shape{6});
  EXPECT_EQ(both->weights().at("reconstruct.0.weight").shape, (Shape{9, 6}));
  EXPECT_EQ(both->weights().at("reconstruct.0.bias").shape, Shape{9});
  EXPECT_EQ(both->weights().at("reconstruct.1.weight").shape, (Shape{6, 9}));
  EXPECT_EQ(both->weights().at("reconstruct.1.bias").shape, Shape{6});
  for (const auto& [name, tensor] : plain->weights())
    EXPECT_EQ(both->weights().at(name), tensor) << name;
  EXPECT_NE(plain->fingerprint(), mean->fingerprint());
  EXPECT_NE(mean->fingerprint(), both->fingerprint());
  EXPECT_THROW(both->assign({{"noise.mean", both->weights().at("noise.mean")}}), std::logic_error);
}

TEST_P(SlotMapOf, TheMeanIsThatOfTheWords) {
  const auto classifier = fresh(true, 0);
  const std::vector<float>& rows = classifier->weights().at("embedding.weight").values;
  for (size_t d = 0; d < kSmallDimension; ++d) {
    double sum = 0;
    for (size_t word = kFirstWord; word < 23; ++word) sum += rows[word * kSmallDimension + d];
    EXPECT_EQ(classifier->weights().at("noise.mean").values[d], static_cast<float>(sum / 20));
  }
}

// Where there are units enough; with two per dimension of all numbers, otherwise of those above -1.
TEST_P(SlotMapOf, BeginsAsTheIdentity) {
  for (const int units : {6, 9, 12, 40}) {
    const auto classifier = fresh(false, units);
    for (uint32_t i = 0; i < 50; ++i) {
      std::vector<float> normals(kSmallDimension);
      Stream(3, i, 0).normals(normals);
      std::vector<double> u(normals.begin(), normals.end());
      const std::vector<double> found = reconstructed(classifier->weights(), u);
      for (size_t d = 0; d < u.size(); ++d)
        EXPECT_NEAR(found[d], units < 12 ? std::max(u[d], -1.0) : u[d], 1e-6) << units;
    }
  }
  // Units beyond those are not all the same, or they would stay so.
  const auto wide = fresh(false, 40)->weights().at(kEncoderWeight).values;
  EXPECT_NE(wide[13 * kSmallDimension], wide[14 * kSmallDimension]);
}

TEST_P(SlotMapOf, WithFewerUnitsIsRandomAndAsLarge) {
  const auto classifier = fresh(false, 5);
  EXPECT_NE(classifier->weights().at(kEncoderWeight),
            fresh(false, 5, 2)->weights().at(kEncoderWeight));
  double in = 0, out = 0;
  for (uint32_t i = 0; i < 500; ++i) {
    std::vector<float> normals(kSmallDimension);
    Stream(3, i, 0).normals(normals);
    const std::vector<double> u(normals.begin(), normals.end());
    for (const double x : u) in += x * x;
    for (const double x : reconstructed(classifier->weights(), u)) out += x * x;
  }
  EXPECT_GT(out, in / 5);
  EXPECT_LT(out, in * 5);
}

TEST_P(SlotMapOf, IsSavedWithTheModel) {
  const auto classifier = fresh(true, 7);
  classifier->save(folder_.path() / "model");
  const auto loaded = Classifier::load(folder_.path() / "model");
  EXPECT_TRUE(loaded->config().noise_mean);
  EXPECT_EQ(loaded->config().reconstruction, 7);
  EXPECT_TRUE(loaded->weights() == classifier->weights());
  EXPECT_EQ(loaded->fingerprint(), classifier->fingerprint());
  // Another number of units, or no mean, is not what the weights are.
  const auto path = folder_.path() / "model" / "config.json";
  auto json = nlohmann::json::parse(read_file(path));
  for (const auto& [key, value] :
       {std::pair<std::string, nlohmann::json>{"reconstruction", 8}, {"noise_mean", false}}) {
    auto changed = json;
    changed[key] = value;
    std::ofstream(path) << changed.dump();
    expect_error(ErrorKind::kBadInput, [&] { Classifier::load(folder_.path() / "model"); });
  }
}

TEST_P(SlotMapOf, StartsFromAModelThatHasItOrHasNone) {
  const auto other = fresh(true, 9, 2), plain = fresh(false, 0, 3);
  const auto same = fresh(true, 9), late = fresh(true, 9), wider = fresh(true, 10);
  same->start_from(*other);
  for (const auto& [name, tensor] : same->weights())
    EXPECT_EQ(tensor, other->weights().at(name)) << name;
  // What the other does not have begins fresh.
  const Weights before = late->weights();
  late->start_from(*plain);
  for (const auto& [name, tensor] : late->weights())
    EXPECT_EQ(tensor, (is_of_slot_map(name) ? before : plain->weights()).at(name)) << name;
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { wider->start_from(*other); }),
              HasSubstr("reconstruct.0"));
  // A network that was trained behind a map is not taken without it.
  const auto bare = fresh(false, 0);
  const Weights untouched = bare->weights();
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { bare->start_from(*other); }),
              HasSubstr("noise.mean"));
  EXPECT_TRUE(bare->weights() == untouched);
}

// The network of the other learnt around its mean.
TEST_P(SlotMapOf, TakesTheMeanOfTheModelItStartsFrom) {
  const auto words = small_words();
  const std::vector<std::string> fewer(words.begin(), words.begin() + 7);
  const auto other = Classifier::fresh(with_map(GetParam(), true, 0), Vocabulary(fewer), {},
                                       small_vectors(folder_.path(), words), 2);
  const auto classifier = fresh(true, 0);
  EXPECT_NE(classifier->weights().at(kNoiseMean), other->weights().at(kNoiseMean));
  classifier->start_from(*other);
  EXPECT_EQ(classifier->weights().at(kNoiseMean), other->weights().at(kNoiseMean));
}

INSTANTIATE_TEST_SUITE_P(WordModels, SlotMapOf, testing::Values("bilstm", "cnn"));

TEST(SlotMap, OfABertIsTheMeanOfItsPieces) {
  const TemporaryFolder folder;
  const TinyBert bert;
  bert.write(folder.path());
  ModelConfig config = bert.config();
  config.pool_all_slots = true;
  config.noise_mean = true;
  const auto make = [&](ModelConfig of) {
    return Classifier::from_bert(of, Vocabulary({"good"}, Vocabulary::Growth::kOpen), {},
                                 folder.path(), 1);
  };
  const auto classifier = make(config);
  const FloatTensor& table = classifier->weights().at(kPieceEmbedding);
  const auto width = static_cast<size_t>(table.shape[1]);
  for (size_t d = 0; d < width; ++d) {
    double sum = 0;
    for (size_t i = d; i < table.values.size(); i += width) sum += table.values[i];
    EXPECT_EQ(classifier->weights().at(kNoiseMean).values[d],
              static_cast<float>(sum / static_cast<double>(table.shape[0])));
  }
  // With the mean from one without it, and from one with it.
  ModelConfig plain = config;
  plain.noise_mean = false;
  EXPECT_NO_THROW(make(config)->start_from(*make(plain)));
  EXPECT_NO_THROW(make(config)->start_from(*classifier));
  expect_error(ErrorKind::kUsage, [&] { make(plain)->start_from(*classifier); });
  config.reconstruction = 4;
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { make(config); }), HasSubstr("encoder-decoder"));
}

TEST(SlotMap, IsRefusedWhereItCanNotBe) {
  const auto complaint = [](ModelConfig config) { return slot_map_complaint(config).value_or(""); };
  EXPECT_EQ(complaint(with_map("cnn", true, 10000)), "");
  EXPECT_EQ(complaint(with_map("votes", false, 0)), "");
  EXPECT_THAT(complaint(with_map("cnn", true, 10001)), HasSubstr("0 to 10000"));
  EXPECT_THAT(complaint(with_map("votes", true, 0)), HasSubstr("votes"));
  EXPECT_THAT(complaint(with_map("linear", false, 4)), HasSubstr("linear"));
  EXPECT_THAT(complaint(with_map("bert", false, 4)), HasSubstr("encoder-decoder"));
  EXPECT_EQ(complaint(with_map("bert", true, 0)), "");
  ModelConfig pieces = with_map("bert", true, 0);
  pieces.pool_all_slots = false;
  EXPECT_THAT(complaint(pieces), HasSubstr("pool_all_slots"));
  ModelConfig sentences = with_map("cnn", true, 0);
  sentences.units = Units::kSentences;
  EXPECT_THAT(complaint(sentences), HasSubstr("sentences"));
  // And so in config.json.
  const TemporaryFolder folder;
  ModelConfig config = with_map("bilstm", true, 3);
  config.dimension = 6;
  config.save(folder.path() / "config.json");
  const ModelConfig loaded = ModelConfig::load(folder.path() / "config.json");
  EXPECT_TRUE(loaded.noise_mean);
  EXPECT_EQ(loaded.reconstruction, 3);
  config.reconstruction = 10001;
  config.save(folder.path() / "config.json");
  EXPECT_THAT(
      expect_error(ErrorKind::kBadInput, [&] { ModelConfig::load(folder.path() / "config.json"); }),
      HasSubstr("reconstruction is 10001"));
}

}  // namespace
}  // namespace textcrs
