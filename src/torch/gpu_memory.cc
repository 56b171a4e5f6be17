#include "torch/gpu_memory.h"

#include <cstdlib>

namespace textcrs {

void choose_growing_segments() {
  constexpr const char* kNames[] = {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"};
  for (const char* name : kNames)
    if (std::getenv(name) != nullptr) return;
  for (const char* name : kNames) setenv(name, "expandable_segments:True", /*overwrite=*/0);
}

}  // namespace textcrs
