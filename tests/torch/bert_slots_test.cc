// BERT under the insertion noise: a vector per slot, and a Gaussian on it.
#include <gtest/gtest.h>

#include <stdexcept>

#include "bert_twins.h"

namespace textcrs {
namespace {

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
  const Classifier& classifier = *twins.classifier;
  const auto width = static_cast<size_t>(classifier.config().dimension);
  const std::vector<float> all = classifier.vectors();
  ASSERT_EQ(all.size(), 9 * width);
  std::vector<std::string> spellings;
  for (WordId word = 0; word < 9; ++word) {
    const PlainBert::Row expected = twins.slot_vectors({word})[1];
    for (size_t d = 0; d < width; ++d)
      EXPECT_NEAR(all[static_cast<size_t>(word) * width + d], expected[d], 1e-6) << word;
    if (word >= kFirstWord) spellings.push_back(classifier.vocabulary().word(word));
  }
  EXPECT_EQ(std::vector<float>(all.begin(), all.begin() + static_cast<int>(width)),
            std::vector<float>(width));
  // The same words, were they a text's own.
  EXPECT_EQ(classifier.vectors(spellings),
            std::vector<float>(all.begin() + static_cast<int>(kFirstWord * width), all.end()));
  EXPECT_TRUE(classifier.vectors(std::vector<std::string>{}).empty());
}

TEST(BertSlots, AGaussianNeedsThem) {
  EXPECT_THROW(Twins().logits(noisy_batch(0.5)), std::logic_error);
  CopyBatch batch = noisy_batch(0.5);
  batch.gaussians.pop_back();
  EXPECT_THROW(Twins({}, true).logits(batch), std::logic_error);
}

}  // namespace
}  // namespace textcrs
