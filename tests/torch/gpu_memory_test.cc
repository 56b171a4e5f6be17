// How LibTorch is asked to keep the memory of a GPU.
#include "torch/gpu_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

namespace textcrs {
namespace {

class GpuMemory : public testing::Test {
 protected:
  GpuMemory() {
    for (size_t i = 0; i < kNames.size(); ++i) {
      if (const char* const value = std::getenv(kNames[i])) before_[i] = value;
      unsetenv(kNames[i]);
    }
  }
  ~GpuMemory() override {
    for (size_t i = 0; i < kNames.size(); ++i)
      before_[i] ? setenv(kNames[i], before_[i]->c_str(), 1) : unsetenv(kNames[i]);
  }
  static std::string value(const char* name) {
    const char* const found = std::getenv(name);
    return found != nullptr ? found : "not set";
  }

  static constexpr std::array<const char*, 2> kNames = {"PYTORCH_ALLOC_CONF",
                                                        "PYTORCH_CUDA_ALLOC_CONF"};

 private:
  std::array<std::optional<std::string>, 2> before_;
};

TEST_F(GpuMemory, SegmentsGrow) {
  choose_growing_segments();
  for (const char* name : kNames) EXPECT_EQ(value(name), "expandable_segments:True");
}

TEST_F(GpuMemory, TheUsersChoiceStaysByEitherName) {
  for (const char* name : kNames) {
    setenv(name, "max_split_size_mb:64", 1);
    choose_growing_segments();
    EXPECT_EQ(value(name), "max_split_size_mb:64");
    EXPECT_EQ(value(name == kNames[0] ? kNames[1] : kNames[0]), "not set");
    unsetenv(name);
  }
}

}  // namespace
}  // namespace textcrs
