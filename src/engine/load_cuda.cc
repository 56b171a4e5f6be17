// In libtextcrs itself: it finds libtextcrs_cuda.
#include "base/shared_library.h"
#include "engine/cuda_door.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

struct Loaded {
  const CudaBackend* backend = nullptr;
  std::string problem;
};

Loaded load() {
  if (textcrs_cuda_backend != nullptr) return {textcrs_cuda_backend(), ""};
  const FoundSymbol door = find_symbol(TEXTCRS_CUDA_LIBRARY, "textcrs_cuda_backend");
  if (door.address == nullptr) return {nullptr, door.problem};
  return {reinterpret_cast<const CudaBackend* (*)()>(door.address)(), ""};
}

const Loaded& loaded() {
  static const Loaded found = load();
  return found;
}

}  // namespace

const CudaBackend& cuda_backend() {
  if (loaded().backend == nullptr)
    throw failed("the cuda engine is not in this installation: " + loaded().problem);
  return *loaded().backend;
}

const CudaBackend* find_cuda_backend() { return loaded().backend; }

}  // namespace textcrs
