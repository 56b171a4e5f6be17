// What libtextcrs_torch exports.
#pragma once

#include "textcrs/torch/backend.h"

// Lives as long as the library.
extern "C" __attribute__((visibility("default"))) const textcrs::TorchBackend*
textcrs_torch_backend();
