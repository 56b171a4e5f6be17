#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certified/tiny_models.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Warning> warned(std::shared_ptr<const Classifier> model, const std::string& text,
                            const std::string& noise = "") {
  SmoothedOptions options;
  options.noise = noise;
  options.certifier.estimation_samples = 100;
  return SmoothedClassifier(std::move(model), options).certify(split(text), 0).warnings;
}

// .9^6 > 1/2 > .9^7.
TEST(Warnings, WhereMostCopiesAreBlank) {
  const std::shared_ptr<const Classifier> model = tiny_cnn("universal:p=0.9");
  for (const std::string noise : {"", "delete:p=0.9", "mask:p=0.9"}) {
    SCOPED_TRACE(noise);
    EXPECT_THAT(warned(model, "w1 w2 w3", noise), ElementsAre(Warning::kBlankDecides));
    EXPECT_THAT(warned(model, "w1 w2 w3 w4 w5 w6", noise), ElementsAre(Warning::kBlankDecides));
  }
  EXPECT_THAT(warned(model, "w1", "reorder:full"), IsEmpty());
  EXPECT_THAT(warned(model, "w1", "hash:buckets=9,functions=9"), IsEmpty());  // silent, not blank
}

// Of three classes the leader may have less than half of the votes, and most of them from blank
// copies.
TEST(Warnings, WhereBlankCopiesDecideThoughTheyAreFew) {
  int decided = 0, not_decided = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    for (const double p : {0.4, 0.6, 0.7}) {
      const std::string text = "w1 w" + std::to_string(seed % 19 + 1);
      SmoothedOptions options;
      options.noise = "universal:p=" + std::to_string(p);
      const Certification answer =
          SmoothedClassifier(tiny_cnn("universal:p=0.7"), options).certify(split(text), 0);
      const bool expected =
          !answer.abstained && p * p > answer.bounds.pa - answer.bounds.pb;  // two words
      EXPECT_EQ(answer.warnings == std::vector<Warning>{Warning::kBlankDecides}, expected) << text;
      ++(expected ? decided : not_decided);
    }
  EXPECT_GT(decided, 0);
  EXPECT_GT(not_decided, 0);
}

TEST(Warnings, WhereThereAreNoWords) {
  for (const std::string noise : {"universal:p=0.1", "reorder:full", "hash:buckets=2,functions=3"})
    EXPECT_THAT(warned(tiny_cnn("universal:p=0.7"), "", noise), ElementsAre(Warning::kNoWords));
}

TEST(Warnings, WhereMostWordsAreUnknown) {
  const std::shared_ptr<const Classifier> model = tiny_cnn("universal:p=0.3");
  EXPECT_THAT(warned(model, "qwxz zzkjq"), ElementsAre(Warning::kMostlyUnknown));
  EXPECT_THAT(warned(model, "w1 qwxz zzkjq"), ElementsAre(Warning::kMostlyUnknown));
  EXPECT_THAT(warned(model, "w1 w2 qwxz zzkjq"), IsEmpty());  // half is not most
  EXPECT_THAT(warned(model, "qwxz zzkjq", "universal:p=0.9"),
              ElementsAre(Warning::kBlankDecides, Warning::kMostlyUnknown));
}

// A model that reads pieces knows every word that has some.
TEST(Warnings, AWordOfPiecesIsUnknownIfItHasNone) {
  const std::shared_ptr<const Classifier> model = tiny_bert("universal:p=0.3");
  EXPECT_THAT(warned(model, "qwxz zzkjq"), IsEmpty());
  EXPECT_THAT(warned(model, "good \xe5\xa5\xbd \xe7\x94\xb5"),
              ElementsAre(Warning::kMostlyUnknown));
  EXPECT_THAT(warned(model, "good film \xe5\xa5\xbd \xe7\x94\xb5"), IsEmpty());
}

TEST(Warnings, AnotherNoiseThanTheModelsIsDescribed) {
  const auto trained_noise = [](const std::string& noise) {
    SmoothedOptions options;
    options.noise = noise;
    return SmoothedClassifier(tiny_cnn("universal:p=0.70"), options).description().trained_noise;
  };
  EXPECT_EQ(trained_noise(""), "");
  EXPECT_EQ(trained_noise("universal:p=0.7"), "");
  EXPECT_EQ(trained_noise("delete:p=0.7"), "universal:p=0.7");
}

}  // namespace
}  // namespace textcrs
