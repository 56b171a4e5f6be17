// The functions of cuBLASLt that are used. The library has hundreds of megabytes and only BERT
// needs it: it is loaded when it is first asked for.
#pragma once

#include <cublasLt.h>

namespace textcrs {

struct CublasLt {
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulDescCreate) create_product;
  decltype(&cublasLtMatmulDescDestroy) destroy_product;
  decltype(&cublasLtMatmulDescSetAttribute) set_product;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;
  decltype(&cublasLtMatmulAlgoGetHeuristic) find_algorithms;
  decltype(&cublasLtGetStatusString) words_for;
};

// A failed Error that names the library if it is not there. Thread-safe.
const CublasLt& cublas_lt();

// A failed Error unless it is a success. `task`: what was not done.
void check_cublas(cublasStatus_t status, const char* task);

}  // namespace textcrs
