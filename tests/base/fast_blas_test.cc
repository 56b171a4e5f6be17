#include "textcrs/base/fast_blas.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

TEST(FastBlas, KeepsAGoodChoice) {
  EXPECT_EQ(better_blas_core("SkylakeX", true, true), "");
  EXPECT_EQ(better_blas_core("Cooperlake", true, true), "");
  EXPECT_EQ(better_blas_core("Haswell", true, false), "");
}

TEST(FastBlas, ReplacesKernelsFromBeforeAvx) {
  EXPECT_EQ(better_blas_core("Prescott", true, true), "SKYLAKEX");
  EXPECT_EQ(better_blas_core("Core2", true, false), "HASWELL");
  EXPECT_EQ(better_blas_core("Prescott", false, false), "");
}

}  // namespace
}  // namespace textcrs
