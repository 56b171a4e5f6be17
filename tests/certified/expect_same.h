#pragma once

#include <gtest/gtest.h>

#include "textcrs/certify/certifier.h"

namespace textcrs {

inline void expect_same(const CertifiedSet& found, const CertifiedSet& expected) {
  EXPECT_EQ(found.certified, expected.certified);
  EXPECT_EQ(found.in_words(), expected.in_words());
  ASSERT_EQ(found.guarantees.size(), expected.guarantees.size());
  for (size_t i = 0; i < found.guarantees.size(); ++i) {
    EXPECT_EQ(found.guarantees[i].operation, expected.guarantees[i].operation);
    EXPECT_EQ(found.guarantees[i].radius, expected.guarantees[i].radius);
  }
  EXPECT_EQ(found.frontier, expected.frontier);
  EXPECT_EQ(found.window, expected.window);
  EXPECT_EQ(found.candidates, expected.candidates);
  EXPECT_EQ(found.replaceable, expected.replaceable);
}

inline void expect_same(const Certification& found, const Certification& expected) {
  EXPECT_EQ(found.prediction, expected.prediction);
  EXPECT_EQ(found.abstained, expected.abstained);
  EXPECT_EQ(found.counts, expected.counts);
  EXPECT_EQ(found.bounds, expected.bounds);
  expect_same(found.sound, expected.sound);
  expect_same(found.paper, expected.paper);
  EXPECT_EQ(found.samples, expected.samples);
  EXPECT_EQ(found.stop, expected.stop);
  EXPECT_EQ(found.exact, expected.exact);
  ASSERT_EQ(found.single_edits.has_value(), expected.single_edits.has_value());
  if (found.single_edits) {
    EXPECT_EQ(found.single_edits->in_words(), expected.single_edits->in_words());
  }
}

}  // namespace textcrs
