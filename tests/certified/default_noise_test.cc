// The noise of a run that names none: that it can prove what it was chosen for.
#include "textcrs/certified/default_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "textcrs/base/spec.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

constexpr Operation kAims[] = {Operation::kEdit, Operation::kDeletion, Operation::kInsertion,
                               Operation::kSubstitution, Operation::kReordering};
constexpr int kLengths[] = {1, 2, 3, 5, 6, 10, 15, 20, 25, 26, 45, 100, 101, 250, 1000};

double deletion_rate(Operation aim, int words) {
  return DeletionParameters::parse(Spec::parse(default_noise(aim, words).noise)).p;
}

TEST(DefaultNoise, ProvesOneOperationOfItsKindWhereAllVotesAgree) {
  for (const Operation aim : kAims)
    for (const int words : kLengths)
      for (const size_t classes : {2, 4}) {
        const std::string noise = default_noise(aim, words).noise;
        const auto most = most_provable(noise, words, 256, classes);
        ASSERT_TRUE(most.has_value()) << noise;
        EXPECT_GE(most->radius(aim), 1) << noise << ", " << words << " words";
      }
}

TEST(DefaultNoise, OneWordIsNoPlural) {
  EXPECT_THAT(default_noise(Operation::kEdit, 1).reason, testing::StartsWith("of 1 word, "));
  EXPECT_THAT(default_noise(Operation::kEdit, 2).reason, testing::StartsWith("of 2 words, "));
}

// What was the default before could not.
TEST(DefaultNoise, HalfOfTheWordsDeletedProvesNeitherInsertionNorSubstitution) {
  const auto most = most_provable("universal:p=0.5", 45, 256, 2);
  ASSERT_TRUE(most.has_value());
  EXPECT_EQ(most->radius(Operation::kDeletion), 12);
  EXPECT_EQ(most->radius(Operation::kInsertion), 0);
  EXPECT_EQ(most->radius(Operation::kSubstitution), 0);
  EXPECT_EQ(most->radius(Operation::kEdit), 0);
}

TEST(DefaultNoise, EmptyCopiesAreFew) {
  for (const Operation aim : {Operation::kEdit, Operation::kDeletion, Operation::kInsertion})
    for (const int words : kLengths)
      if (words >= 3) EXPECT_LT(std::pow(deletion_rate(aim, words), words), 0.25) << words;
}

TEST(DefaultNoise, LongerTextsLoseNoSmallerShare) {
  for (const Operation aim : {Operation::kEdit, Operation::kDeletion}) {
    double before = 0;
    for (const int words : kLengths) {
      EXPECT_GE(deletion_rate(aim, words), before) << words;
      before = deletion_rate(aim, words);
    }
  }
}

TEST(DefaultNoise, SaysWhy) {
  const NoiseChoice edits = default_noise(Operation::kEdit, 4);
  EXPECT_EQ(edits.noise, "universal:p=0.6");
  EXPECT_THAT(edits.reason, testing::HasSubstr("4 words"));
  EXPECT_THAT(edits.reason, testing::HasSubstr("13 % of the copies are empty"));  // 0.6^4
  EXPECT_THAT(default_noise(Operation::kSubstitution, 20).reason, testing::HasSubstr("synonyms"));
  EXPECT_EQ(default_noise(Operation::kReordering, 20).noise, "reorder:full");
}

TEST(MostProvable, IsWhatTheCertificateSaysOfAllVotes) {
  const auto found = most_provable("universal:p=0.9", 200, 256, 2);
  ASSERT_TRUE(found.has_value());
  const double pa = clopper_pearson_lower(100000, 100000, 0.001);
  const auto certificate = make_certificate("universal:p=0.9", CertificateMode::kSound, {});
  const CertifiedSet expected = certificate->certify({pa, 1 - pa}, 200);
  EXPECT_EQ(found->frontier, expected.frontier);
  EXPECT_EQ(found->radius(Operation::kInsertion), 6);  // 0.9^6 > 1/2 > 0.9^7
  EXPECT_EQ(most_provable("universal:p=0.9", 2, 256, 2)->radius(Operation::kDeletion), 2);
}

TEST(MostProvable, SaysNothingWhereItDependsOnTheWordsOrNothingIsProved) {
  for (const char* noise :
       {"none", "substitute:kernel=graph", "hash:buckets=4,functions=2", "reorder:groups=4"})
    EXPECT_FALSE(most_provable(noise, 20, 256, 2).has_value()) << noise;
  EXPECT_FALSE(most_provable("universal:p=0.9", 0, 256, 2).has_value());
}

}  // namespace
}  // namespace textcrs
