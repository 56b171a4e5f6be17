// The one file of this folder that is in libtextcrs itself: it finds libtextcrs_torch.
#include <dlfcn.h>
#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/torch/backend.h"
#include "torch/fast_blas.h"

// Null unless it is linked into the same binary, as in tests.
extern "C" __attribute__((weak)) const textcrs::TorchBackend* textcrs_torch_backend();

namespace textcrs {
namespace {

constexpr const char* kLibrary = TEXTCRS_TORCH_LIBRARY;  // of the same version

const TorchBackend& load() {
  if (textcrs_torch_backend != nullptr) return *textcrs_torch_backend();
  choose_fast_blas();
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw failed(
        fmt::format("training, the reference engine and a GPU need LibTorch: {} can not be "
                    "loaded ({})",
                    kLibrary, dlerror()));
  using Door = const TorchBackend* (*)();
  const auto door = reinterpret_cast<Door>(dlsym(library, "textcrs_torch_backend"));
  if (door == nullptr)
    throw failed(fmt::format("{}: found no textcrs_torch_backend in it", kLibrary));
  return *door();
}

}  // namespace

const TorchBackend& torch_backend() {
  static const TorchBackend& backend = load();  // tried again after a failure
  return backend;
}

}  // namespace textcrs
