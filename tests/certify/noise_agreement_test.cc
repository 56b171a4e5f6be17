// A noise and its certificate read the same parameters from the same spec.
#include <gtest/gtest.h>

#include "certify/every_certificate.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

// "none" if nothing is thrown.
std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(NoiseAgreement, WhatOneRefusesTheOtherRefuses) {
  const EveryCertificate every;
  const SynonymTable synonyms("test", {{}, {}, {}, {4}, {3}});
  const NoiseContext context{&every.vocabulary(), &synonyms, EveryCertificate::kSlots};
  for (const std::string spec :
       {"delete", "delete:p=1", "delete:p=x", "delete:p=0.5,order=odd", "delete:p=0.5,q=1",
        "universal:p=0.5,order=kept", "mask:p=2", "mask:p=0.5,order=kept", "reorder",
        "reorder:block=0", "reorder:block=4,full", "reorder:full,order=sorted",
        "reorder:groups=2000000", "insert:sigma=0", "insert:sigma=0.1,mean=2", "hash:buckets=4",
        "hash:buckets=0,functions=2", "substitute:kernel=uniform,reach=2",
        "substitute:kernel=staircase"}) {
    const std::string refused = error_of([&] { make_noise(spec, context); });
    EXPECT_NE(refused, "none") << spec;
    EXPECT_EQ(error_of([&] { every.make(spec, CertificateMode::kSound); }), refused);
    if (!spec.starts_with("mask") && !spec.starts_with("hash"))
      EXPECT_EQ(error_of([&] { every.make(spec, CertificateMode::kPaper); }), refused);
  }
}

// One word may go iff 1 - (pA - pB) is below the probability that it is deleted: the one that the
// noise samples, which for tiny p is less than the p that was asked for.
TEST(NoiseAgreement, TheCertificateUsesTheProbabilityThatIsSampled) {
  const EveryCertificate every;
  for (const double p : {0x1.ffffp-62, 0x1.cp-63, 0x1.f8p-60}) {
    const double sampled = sampled_probability(p);
    ASSERT_LT(sampled, p);
    for (const std::string name : {"delete", "universal"}) {
      const std::string spec = name + ":p=" + shortest(p);
      const std::vector<WordId> text = {3, 4};
      EXPECT_EQ(make_noise(spec)->law(std::vector<WordId>{3}).at({}), sampled);
      const auto radius = [&](double doubt) {
        return every.make(spec, CertificateMode::kSound)
            ->certify({1, doubt}, text)
            .radius(Operation::kDeletion);
      };
      EXPECT_EQ(radius(sampled * (1 - 0x1p-40)), 1);
      EXPECT_EQ(radius(sampled), 0);
      EXPECT_EQ(radius((sampled + p) / 2), 0);
    }
  }
}

}  // namespace
}  // namespace textcrs
