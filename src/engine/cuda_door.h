// What libtextcrs_cuda exports. Null unless it is linked into the same binary, as in tests.
#pragma once

#include "textcrs/engine/cuda_backend.h"

// Lives as long as the library.
extern "C" __attribute__((weak, visibility("default"))) const textcrs::CudaBackend*
textcrs_cuda_backend();
