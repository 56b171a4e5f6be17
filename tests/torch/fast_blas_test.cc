// Which kernels OpenBLAS is asked for.
#include "torch/fast_blas.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace textcrs {
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

TEST(BlasCore, IsTheBestTheCpuCanRun) {
  EXPECT_EQ(blas_core(true, true), "SKYLAKEX");
  EXPECT_EQ(blas_core(true, false), "HASWELL");
}

TEST(BlasCore, IsLeftToOpenBlasBeforeAvx2) { EXPECT_EQ(blas_core(false, false), ""); }

// The variable as it was, when the test is over.
class FastBlas : public testing::Test {
 protected:
  FastBlas() {
    if (const char* const value = std::getenv(kVariable)) before_ = value;
  }
  ~FastBlas() override { before_ ? setenv(kVariable, before_->c_str(), 1) : unsetenv(kVariable); }
  static std::string chosen() {
    const char* const value = std::getenv(kVariable);
    return value != nullptr ? value : "";
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(FastBlas, TheUsersChoiceStays) {
  for (const char* value : {"Prescott", ""}) {
    setenv(kVariable, value, 1);
    choose_fast_blas();
    EXPECT_EQ(chosen(), value);
  }
}

TEST_F(FastBlas, OtherwiseThisCpuDecides) {
  unsetenv(kVariable);
  choose_fast_blas();
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq"))
    EXPECT_EQ(chosen(), "SKYLAKEX");
  else
    EXPECT_EQ(chosen(), avx2 ? "HASWELL" : "");
#else
  EXPECT_EQ(chosen(), "");
#endif
}

}  // namespace
}  // namespace textcrs
