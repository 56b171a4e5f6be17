// The one file of this folder that is in libtextcrs itself: it finds libtextcrs_torch.
#include "base/shared_library.h"
#include "textcrs/base/error.h"
#include "textcrs/torch/backend.h"
#include "torch/fast_blas.h"
#include "torch/gpu_memory.h"

// Null unless it is linked into the same binary, as in tests.
extern "C" __attribute__((weak)) const textcrs::TorchBackend* textcrs_torch_backend();

namespace textcrs {
namespace {

const TorchBackend& load() {
  if (textcrs_torch_backend != nullptr) return *textcrs_torch_backend();
  choose_fast_blas();
#ifdef TEXTCRS_GROWING_SEGMENTS
  choose_growing_segments();
#endif
  const FoundSymbol door = find_symbol(TEXTCRS_TORCH_LIBRARY, "textcrs_torch_backend");
  if (door.address == nullptr)
    throw failed("training and the reference engine need LibTorch: " + door.problem);
  return *reinterpret_cast<const TorchBackend* (*)()>(door.address)();
}

}  // namespace

const TorchBackend& torch_backend() {
  static const TorchBackend& backend = load();  // tried again after a failure
  return backend;
}

}  // namespace textcrs
