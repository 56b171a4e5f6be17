// B7 against the exact worst case over all base classifiers.
#include <gtest/gtest.h>

#include "certify/oracle.h"

namespace textcrs {
namespace {

using namespace oracle;

double radius(const char* spec, Bounds bounds, int words) {
  return make_certificate(spec, CertificateMode::kSound, {256})
      ->certify(bounds, words)
      .radius(Operation::kSubstitution);
}

TEST(Masking, IsTheExactWorstCaseForForeignWords) {
  for (const auto& [spec, p] : {std::pair{"mask:p=0.3", 0.3},
                                {"mask:p=0.7", 0.7},
                                {"mask:p=0.9", 0.9},
                                {"mask:p=0.97", 0.97}})
    for (int m = 1; m <= 5; ++m) {
      ExactText edited = distinct_words(m);
      const ExactLaw law = masking_law(edited, Rational(p));
      for (int substituted = 1; substituted <= m; ++substituted) {
        edited[static_cast<size_t>(substituted - 1)] += 100;
        const WorstCase worst(law, masking_law(edited, Rational(p)));
        for (const Bounds bounds : bounds_to_try())
          EXPECT_EQ(substituted <= radius(spec, bounds, m), worst.robust(bounds))
              << spec << " m=" << m << " R=" << substituted << " pA=" << bounds.pa;
      }
    }
}

TEST(Masking, KnownRadii) {
  // .9^6 = .531, .9^7 = .478: with pA = .999, 2 (1 - p^R) < .998 iff p^R > .501.
  EXPECT_EQ(radius("mask:p=0.9", {0.999, 0.001}, 100), 6);
  EXPECT_EQ(radius("mask:p=0.9", {0.999, 0.001}, 4), 4);
  EXPECT_EQ(radius("mask:p=0.5", {0.999, 0.001}, 100), 0);
  // A tie: pA - pB = 1/2 = 2 (1 - 3/4).
  EXPECT_EQ(radius("mask:p=0.75", {0.75, 0.25}, 100), 0);
}

TEST(Masking, SaysNothingAboutOtherEdits) {
  const CertifiedSet set =
      make_certificate("mask:p=0.95", CertificateMode::kSound, {9})->certify({0.56, 0.44}, 9);
  ASSERT_EQ(set.guarantees.size(), 1u);
  EXPECT_EQ(set.in_words(), "up to 1 substituted word");
}

}  // namespace
}  // namespace textcrs
