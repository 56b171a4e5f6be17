// Algorithm 2 with votes that are made up.
#include "textcrs/certify/certifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "certify/text_of.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"
#include "textcrs/certify/confidence.h"

namespace textcrs {
namespace {

using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;

// Answers the given counts one call after the other and notes what was asked.
VoteSource scripted(std::vector<Votes> answers, Ranges* asked = nullptr) {
  return [answers, asked, call = size_t{0}](uint32_t begin, uint32_t end) mutable {
    if (asked) asked->emplace_back(begin, end);
    return answers.at(call++);
  };
}

const CertifierOptions kSmall{10, 100, 0.001, BoundsMethod::kComplement};

std::unique_ptr<Certificate> deletion(CertificateMode mode) {
  return make_certificate("universal:p=0.5", mode, {20});
}

TEST(Certifier, DrawsTheSelectionThenTheEstimation) {
  Ranges asked;
  const auto sound = deletion(CertificateMode::kSound), paper = deletion(CertificateMode::kPaper);
  const Certification result = certify_text(scripted({{2, 7, 1}, {1, 99, 0}}, &asked), text_of(15),
                                            sound.get(), paper.get(), kSmall);
  EXPECT_EQ(asked, (Ranges{{0, 10}, {10, 110}}));
  EXPECT_EQ(result.prediction, 1);
  EXPECT_EQ(result.counts, (Votes{1, 99, 0}));
  EXPECT_EQ(result.samples, 110u);
  EXPECT_FALSE(result.abstained);
  EXPECT_EQ(result.bounds.pa, clopper_pearson_lower(99, 100, 0.001));
  EXPECT_EQ(result.bounds.pb, 1 - result.bounds.pa);
  EXPECT_EQ(result.sound.frontier, sound->certify(result.bounds, 15).frontier);
  EXPECT_EQ(result.paper.radius(Operation::kDeletion),
            paper->certify(result.bounds, 15).radius(Operation::kDeletion));
}

TEST(Certifier, TheEstimationDoesNotChooseTheClass) {
  const auto sound = deletion(CertificateMode::kSound);
  const Certification result =
      certify_text(scripted({{6, 4}, {0, 100}}), text_of(15), sound.get(), nullptr, kSmall);
  EXPECT_EQ(result.prediction, 0);
  EXPECT_TRUE(result.abstained);
  EXPECT_EQ(result.bounds.pa, 0);
  EXPECT_FALSE(result.sound.certified);
  EXPECT_EQ(result.sound.in_words(), "nothing");
}

TEST(Certifier, TiesGoToTheLowestIndex) {
  const Certification result =
      certify_text(scripted({{2, 4, 4}, {0, 50, 50}}), text_of(15), nullptr, nullptr, kSmall);
  EXPECT_EQ(result.prediction, 1);
  EXPECT_TRUE(result.abstained);
}

TEST(Certifier, AMissingCertificateLeavesItsSetEmpty) {
  const auto sound = deletion(CertificateMode::kSound);
  const Certification result =
      certify_text(scripted({{10, 0}, {100, 0}}), text_of(15), sound.get(), nullptr, kSmall);
  EXPECT_FALSE(result.abstained);
  EXPECT_TRUE(result.sound.certified);
  EXPECT_FALSE(result.paper.certified);
}

TEST(Certifier, RefusesImpossibleOptionsBeforeDrawing) {
  const VoteSource never = [](uint32_t, uint32_t) -> Votes {
    ADD_FAILURE() << "a sample was drawn";
    return {};
  };
  for (const CertifierOptions& options : {CertifierOptions{0, 100, 0.001},
                                          {10, 0, 0.001},
                                          {10, 100, 0},
                                          {10, 100, 1},
                                          {10, 100, std::nan("")},
                                          {4'294'967'295u, 100, 0.001},
                                          {10, 1'000'000'001u, 0.001}})
    EXPECT_THROW(certify_text(never, text_of(15), nullptr, nullptr, options), Error);
}

TEST(Certifier, ASourceThatBreaksItsPromiseIsABug) {
  for (const std::vector<Votes>& answers : std::vector<std::vector<Votes>>{{{}, {}},
                                                                           {{5, 4}, {50, 50}},
                                                                           {{5, 5}, {50, 51}},
                                                                           {{11, -1}, {50, 50}},
                                                                           {{5, 5}, {50, 25, 25}}})
    EXPECT_THROW(certify_text(scripted(answers), text_of(15), nullptr, nullptr, kSmall),
                 std::logic_error);
}

TEST(Certifier, RefusesStopRulesThatMakeNoSense) {
  const VoteSource never = [](uint32_t, uint32_t) -> Votes {
    ADD_FAILURE() << "a sample was drawn";
    return {};
  };
  const auto sound = deletion(CertificateMode::kSound);
  for (const StopRule& rule : {StopRule{-1.0, false, {}},
                               {std::nan(""), false, {}},
                               {1.0, true, {}},
                               {std::nullopt, false, Operation::kEdit}}) {
    CertifierOptions options = kSmall;
    options.stop = rule;
    EXPECT_THROW(certify_text(never, text_of(15), sound.get(), nullptr, options), Error);
  }
  CertifierOptions options = kSmall;
  options.stop.automatic = true;
  EXPECT_THROW(certify_text(never, text_of(15), nullptr, nullptr, options), Error);
  const auto masking = make_certificate("mask:p=0.5", CertificateMode::kSound, {20});
  options.stop.operation = Operation::kReordering;  // not what masking is about
  EXPECT_THROW(certify_text(never, text_of(15), masking.get(), nullptr, options), Error);
}

TEST(Certifier, AStopRuleDrawsTheSameSamplesInOrderLookByLook) {
  Ranges asked;
  const auto sound = deletion(CertificateMode::kSound);
  CertifierOptions options{100, 5000, 0.001};
  options.stop.at_radius = 2;  // needs pA > 0.875, a little less than the share of votes below
  options.stop.operation = Operation::kDeletion;
  const VoteSource votes = [&](uint32_t begin, uint32_t end) {
    asked.emplace_back(begin, end);
    const int64_t wrong = (end - begin) / 9;
    return Votes{end - begin - wrong, wrong};
  };
  const Certification result = certify_text(votes, text_of(15), sound.get(), nullptr, options);
  ASSERT_GT(asked.size(), 3u);
  for (size_t i = 0; i < asked.size(); ++i)
    EXPECT_EQ(asked[i].first, i == 0 ? 0 : asked[i - 1].second);
  EXPECT_EQ(asked[1], std::make_pair(100u, 256u));
  EXPECT_EQ(result.samples, asked.back().second);
  EXPECT_EQ(result.counts[0] + result.counts[1], result.samples - 100);
}

TEST(Certifier, AStopReportsTheBestBoundsOfItsLooks) {
  const auto sound = deletion(CertificateMode::kSound);
  CertifierOptions options{10, 1000, 0.01};
  options.stop.at_radius = 1;  // edits: never under p = 1/2
  const auto looks = plan_looks(10, 1000, 0.01);
  const Certification result = certify_text(scripted({{10, 0}, {looks[0].size, 0}}), text_of(15),
                                            sound.get(), nullptr, options);
  EXPECT_EQ(result.stop, StopReason::kUnreachable);
  EXPECT_EQ(result.samples, 10 + looks[0].size);
  EXPECT_EQ(result.bounds.pa, clopper_pearson_lower(looks[0].size, looks[0].size, looks[0].alpha));
  EXPECT_TRUE(result.sound.certified);
  EXPECT_EQ(result.sound.radius(Operation::kEdit), 0);
}

TEST(Certifier, TheJointBoundCertifiesAClassBelowOneHalf) {
  const auto sound = deletion(CertificateMode::kSound);
  CertifierOptions options{10, 1000, 0.001, BoundsMethod::kComplement};
  const std::vector<Votes> votes = {{5, 3, 2}, {480, 260, 260}};
  EXPECT_TRUE(certify_text(scripted(votes), text_of(15), sound.get(), nullptr, options).abstained);
  options.bounds = CertifierOptions().bounds;  // the default, for three classes
  const Certification result =
      certify_text(scripted(votes), text_of(15), sound.get(), nullptr, options);
  EXPECT_FALSE(result.abstained);
  EXPECT_TRUE(result.sound.certified);
  EXPECT_EQ(result.bounds.pa, clopper_pearson_lower(480, 1000, 0.0005));
  EXPECT_EQ(result.bounds.pb, clopper_pearson_upper(260, 1000, 0.0005));
}

TEST(Certifier, TwoClassesHaveTheComplementByDefault) {
  const Certification result = certify_text(scripted({{9, 1}, {99, 1}}), text_of(15), nullptr,
                                            nullptr, CertifierOptions{10, 100, 0.001});
  EXPECT_EQ(result.bounds.pa, clopper_pearson_lower(99, 100, 0.001));
  EXPECT_EQ(result.bounds.pb, 1 - result.bounds.pa);
}

// A classifier that sees a text of 12 words under deletion and answers yA iff one of k keywords
// survives: its flip point is known, and over many texts a certificate passes it in a share of at
// most alpha.
TEST(Certifier, CertificatesOfAPlantedClassifierAreWrongAtMostAlphaOften) {
  const double p = 0.5, alpha = 0.05;
  const int texts = 1500, words = 12;
  const auto sound = deletion(CertificateMode::kSound);
  int wrong = 0, certified = 0;
  for (int i = 0; i < texts; ++i) {
    const int keywords = 1 + i % 6;
    const VoteSource votes = [&](uint32_t begin, uint32_t end) {
      Votes counts(2);
      for (uint32_t sample = begin; sample < end; ++sample) {
        Stream stream(3, static_cast<uint32_t>(i), sample);
        bool seen = false;
        for (int k = 0; k < keywords; ++k) seen |= !stream.bernoulli(p);
        ++counts[seen ? 0 : 1];
      }
      return counts;
    };
    const Certification result =
        certify_text(votes, text_of(words), sound.get(), nullptr, {20, 300, alpha});
    certified += result.sound.certified;
    // One keyword left: yA has probability 1/2 and is no longer strictly ahead.
    wrong +=
        result.sound.certified &&
        (result.prediction == 0 ? result.sound.radius(Operation::kDeletion) >= keywords - 1 : true);
  }
  EXPECT_LE(wrong, texts * alpha + 4 * std::sqrt(texts * alpha * (1 - alpha)));
  EXPECT_GT(certified, texts / 2);
}

}  // namespace
}  // namespace textcrs
