// LibTorch keeps the GPU memory it was given, in blocks of the sizes that were asked for. Batches
// of texts come in many sizes, so a training came to hold ten times what it needs, and others
// beside it on the card failed. Since 2.1 it can keep segments that grow instead.
#pragma once

namespace textcrs {

// Before LibTorch is loaded: sets PYTORCH_ALLOC_CONF, and PYTORCH_CUDA_ALLOC_CONF, as it was called
// before 2.9, to growing segments, unless the user has set one of them. Only for a LibTorch of 2.1
// or later, which knows the word.
void choose_growing_segments();

}  // namespace textcrs
