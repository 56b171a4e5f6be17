// Tests that run gnuplot are skipped where it is not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

namespace textcrs::plot {

inline bool has_gnuplot() {
  static const bool found = std::system("gnuplot --version >/dev/null 2>&1") == 0;
  return found;
}

class WithGnuplot : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed (Debian: gnuplot-nox)";
  }
};

}  // namespace textcrs::plot
