#include "kernels/cuda/cublas_lt.h"

#include <string>

#include "base/shared_library.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

const std::string kLibrary = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);

template <typename Function>
void find(const char* name, Function& function) {
  const FoundSymbol found = find_symbol(kLibrary.c_str(), name);
  if (found.address == nullptr)
    throw failed("BERT on a GPU needs NVIDIA's cuBLAS: " + found.problem +
                 "; it comes with CUDA, and with PyTorch under site-packages/nvidia: name its "
                 "folder in LD_LIBRARY_PATH");
  function = reinterpret_cast<Function>(found.address);
}

CublasLt load() {
  CublasLt lt{};
  find("cublasLtGetVersion", lt.version);
  find("cublasLtCreate", lt.create);
  find("cublasLtDestroy", lt.destroy);
  find("cublasLtMatmul", lt.matmul);
  find("cublasLtMatmulDescCreate", lt.create_product);
  find("cublasLtMatmulDescDestroy", lt.destroy_product);
  find("cublasLtMatmulDescSetAttribute", lt.set_product);
  find("cublasLtMatrixLayoutCreate", lt.create_layout);
  find("cublasLtMatrixLayoutDestroy", lt.destroy_layout);
  find("cublasLtMatrixLayoutSetAttribute", lt.set_layout);
  find("cublasLtMatmulPreferenceCreate", lt.create_preference);
  find("cublasLtMatmulPreferenceDestroy", lt.destroy_preference);
  find("cublasLtMatmulPreferenceSetAttribute", lt.set_preference);
  find("cublasLtMatmulAlgoGetHeuristic", lt.find_algorithms);
  find("cublasLtGetStatusString", lt.words_for);
  return lt;
}

}  // namespace

const CublasLt& cublas_lt() {
  static const CublasLt loaded = load();
  return loaded;
}

void check_cublas(cublasStatus_t status, const char* task) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw failed(std::string("cuBLAS did not ") + task + ": " + cublas_lt().words_for(status));
}

}  // namespace textcrs
