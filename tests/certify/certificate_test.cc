// The registry, what is refused, and the words.
#include "textcrs/certify/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr CertificateMode kModes[] = {CertificateMode::kSound, CertificateMode::kPaper};

std::string usage_message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(Certificate, KnowsItsModeAndNoise) {
  for (const char* spec :
       {"delete:p=0.3", "universal:p=0.7", "reorder:full", "reorder:block=8", "insert:sigma=0.2"})
    for (const CertificateMode mode : kModes) {
      const auto certificate = make_certificate(spec, mode, {64});
      EXPECT_EQ(certificate->mode(), mode);
      EXPECT_EQ(certificate->noise(), spec);
    }
}

TEST(Certificate, ANoiseWithoutOneIsNamedWithThoseThatHaveOne) {
  for (const char* spec : {"none", "reorder:groups=4"}) {
    EXPECT_EQ(find_certificate(spec, CertificateMode::kSound, {64}), nullptr);
    EXPECT_THAT(
        usage_message([&] { make_certificate(spec, CertificateMode::kSound, {64}); }),
        testing::AllOf(
            testing::HasSubstr(spec),
            testing::HasSubstr("delete, universal, reorder, insert, substitute, adapt, gaussian, "
                               "mask, hash")));
  }
  for (const char* spec : {"mask:p=0.5", "hash:buckets=4,functions=2",
                           "reorder:block=4,order=sorted", "adapt:keep=5", "gaussian:sigma=1"})
    EXPECT_EQ(find_certificate(spec, CertificateMode::kPaper, {64}), nullptr);
  EXPECT_EQ(find_certificate("substitute:kernel=graph,reach=2", CertificateMode::kPaper, {64}),
            nullptr);
  EXPECT_THAT(usage_message([] { make_certificate("mask:p=0.5", CertificateMode::kPaper, {64}); }),
              testing::HasSubstr("no paper certificate"));
}

TEST(Certificate, SubstitutionNeedsASynonymTableAndTheWords) {
  const char* spec = "substitute:kernel=uniform";
  EXPECT_THAT(usage_message([&] { find_certificate(spec, CertificateMode::kSound, {64}); }),
              testing::AllOf(testing::HasSubstr(spec), testing::HasSubstr("synonym table")));
  const SynonymTable empty;
  EXPECT_THAT(usage_message([&] {
                find_certificate(spec, CertificateMode::kSound, {.slots = 64, .synonyms = &empty});
              }),
              testing::HasSubstr("synonym table"));
  const SynonymTable table("test", {{}, {}, {}, {4}, {3}});
  CertificateContext context;
  context.synonyms = &table;
  const auto certificate = make_certificate(spec, CertificateMode::kSound, context);
  EXPECT_TRUE(certificate->reads_words());
  EXPECT_THAT(usage_message([&] {
                certificate->certify({0.9, 0.1}, 10);
              }),
              testing::HasSubstr("depends on the words"));
  EXPECT_EQ(
      certificate->certify({0.9, 0.1}, std::vector<WordId>{3, 4}).in_words(),
      "up to 2 of the 2 words that have candidates (test) substituted, each by one of its own");
}

TEST(Certificate, WrongParametersAreRefusedNotIgnored) {
  for (const char* spec : {"",
                           "delete",
                           "delete:p=1",
                           "delete:p=0",
                           "delete:p=-1",
                           "delete:p=nan",
                           "delete:p=x",
                           "delete:p=0.5,order=odd",
                           "delete:p=0.5,q=1",
                           "universal:p=0.5,order=kept",
                           "mask:p=2",
                           "reorder",
                           "reorder:block=0",
                           "reorder:block=4,full",
                           "reorder:full,order=sorted",
                           "insert:sigma=0",
                           "insert:sigma=-1",
                           "insert:sigma=0.1,mean=2",
                           "hash:buckets=4",
                           "hash:buckets=0,functions=2",
                           "hash:buckets=4,functions=2,order=kept",
                           "substitute:kernel=uniform,reach=2"})
    EXPECT_THROW(make_certificate(spec, CertificateMode::kSound, {64}), Error) << spec;
  for (const char* spec :
       {"substitute", "substitute:kernel=staircase", "substitute:kernel=staircase,size=0",
        "substitute:kernel=odd", "substitute:kernel=staircase,size=50,eps=0"})
    EXPECT_THROW(make_certificate(spec, CertificateMode::kPaper, {64}), Error) << spec;
  for (const int slots : {0, -5})
    EXPECT_THAT(
        usage_message([&] { make_certificate("delete:p=0.5", CertificateMode::kSound, {slots}); }),
        testing::HasSubstr("slots"));
}

TEST(Certificate, ImpossibleBoundsNeverGiveARadius) {
  const double nan = std::nan(""), infinity = kUnlimited;
  for (const CertificateMode mode : kModes)
    for (const char* spec : {"delete:p=0.3", "universal:p=0.7", "reorder:full", "reorder:block=8",
                             "insert:sigma=0.2"}) {
      const auto certificate = make_certificate(spec, mode, {64});
      for (const Bounds bounds : {Bounds{nan, 0.1},
                                  {0.9, nan},
                                  {nan, nan},
                                  {1.1, 0.1},
                                  {-0.1, 0},
                                  {0.9, -0.1},
                                  {0.4, 0.6},
                                  {infinity, 0},
                                  {2, 2},
                                  {0.5, -infinity}})
        EXPECT_THROW(certificate->certify(bounds, 10), Error) << bounds.pa << " " << bounds.pb;
      EXPECT_THROW(certificate->certify({0.9, 0.1}, -3), Error);
    }
  const auto certificate = make_certificate("delete:p=0.3", CertificateMode::kSound, {64});
  EXPECT_EQ(usage_message([&] {
              certificate->certify({0.4, 0.6}, 10);
            }),
            "pB is 0.6, expected at most pA, 0.4");
  EXPECT_EQ(usage_message([&] {
              certificate->certify({0.9, 0.1}, -1);
            }),
            "the text has -1 words, expected at least 0");
}

TEST(Certificate, AbstainsUnlessTheTopClassIsStrictlyAhead) {
  for (const CertificateMode mode : kModes)
    for (const char* spec : {"delete:p=0.3", "universal:p=0.7", "reorder:full", "reorder:block=8",
                             "insert:sigma=0.2"}) {
      const auto certificate = make_certificate(spec, mode, {64});
      const CertifiedSet tie = certificate->certify({0.5, 0.5}, 10);
      EXPECT_FALSE(tie.certified);
      EXPECT_TRUE(tie.guarantees.empty());
      EXPECT_EQ(tie.radius(Operation::kReordering), 0);
      EXPECT_EQ(tie.in_words(), "nothing");
      EXPECT_TRUE(certificate->certify({std::nextafter(0.5, 1.0), 0.5}, 10).certified);
    }
}

TEST(Certificate, ModesHaveNames) {
  for (const CertificateMode mode : kModes)
    EXPECT_EQ(parse_certificate_mode(to_string(mode)), mode);
  EXPECT_THROW(parse_certificate_mode("Sound"), Error);
}

std::string words_of(const char* spec, CertificateMode mode, Bounds bounds, int words) {
  return make_certificate(spec, mode, {40})->certify(bounds, words).in_words();
}

TEST(CertifiedSet, InWords) {
  const CertificateMode sound = CertificateMode::kSound, paper = CertificateMode::kPaper;
  EXPECT_EQ(
      words_of("universal:p=0.9", sound, {0.999, 0.001}, 100),
      "any reordering, together with up to 58 deleted words, or up to 6 inserted words, or up "
      "to 6 substituted words, or any mixture of up to 6 edits");
  EXPECT_EQ(words_of("delete:p=0.7", sound, {0.999, 0.001}, 100),
            "up to 17 deleted words, or up to 1 inserted word, or up to 1 substituted word, or any "
            "mixture of up to 1 edit");
  EXPECT_EQ(words_of("delete:p=0.7", sound, {0.51, 0.49}, 100),
            "the text as it is, but for no edit");
  EXPECT_EQ(words_of("universal:p=0.7", sound, {0.51, 0.49}, 100), "any reordering");
  EXPECT_EQ(words_of("reorder:full", sound, {0.9, 0.1}, 100), "any reordering");
  EXPECT_EQ(
      words_of("reorder:block=8", sound, {0.9, 0.1}, 100),
      "reorderings that move the words by up to 6 places in all, or any reordering inside one "
      "window of 4 words");
  EXPECT_EQ(words_of("insert:sigma=0.5", sound, {0.9, 0.1}, 30),
            "any reordering, together with any insertion or substitution or deletion that changes "
            "the embeddings by up to 0.640775 (l2)");
  EXPECT_EQ(words_of("substitute:kernel=staircase,size=50", paper, {0.9, 0.1}, 30),
            "synonym substitutions of up to 16.0943 ranks in all");
}

TEST(CertifiedSet, FindsGuaranteesByOperation) {
  const CertifiedSet set =
      make_certificate("delete:p=0.7", CertificateMode::kSound, {40})->certify({0.999, 0.001}, 100);
  ASSERT_NE(set.find(Operation::kDeletion), nullptr);
  EXPECT_EQ(set.find(Operation::kDeletion)->radius, 17);
  EXPECT_EQ(set.find(Operation::kDeletion)->unit, kUnitWords);
  EXPECT_EQ(set.find(Operation::kReordering), nullptr);
  EXPECT_EQ(set.radius(Operation::kReordering), 0);
}

}  // namespace
}  // namespace textcrs
