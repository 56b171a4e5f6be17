// Tests that need a GPU.
#pragma once

#include <gtest/gtest.h>

#include "kernels/cuda/gpu.h"
#include "textcrs/base/error.h"

namespace textcrs {

// Why there is no card to run on; empty if there is one.
inline std::string no_card() {
  try {
    gpu_properties();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

#define SKIP_WITHOUT_A_CARD() \
  if (const std::string why = no_card(); !why.empty()) GTEST_SKIP() << why

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_A_CARD(); }
};

}  // namespace textcrs
