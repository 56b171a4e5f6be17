// What cuBLASLt is told of a product.
#pragma once

#include "kernels/cuda/cublas_lt.h"

namespace textcrs {

// A matrix as cuBLAS sees it: its columns are our rows.
class CublasLayout {
 public:
  CublasLayout(cudaDataType type, int64_t row_size, int64_t rows) {
    check_cublas(cublas_lt().create_layout(&layout_, type, static_cast<uint64_t>(row_size),
                                           static_cast<uint64_t>(rows), row_size),
                 "describe a matrix");
  }
  ~CublasLayout() { cublas_lt().destroy_layout(layout_); }
  CublasLayout(const CublasLayout&) = delete;
  CublasLayout& operator=(const CublasLayout&) = delete;

  cublasLtMatrixLayout_t get() const { return layout_; }
  void set_rows(int64_t rows) const {
    const auto columns = static_cast<uint64_t>(rows);
    check_cublas(
        cublas_lt().set_layout(layout_, CUBLASLT_MATRIX_LAYOUT_COLS, &columns, sizeof(columns)),
        "describe a matrix");
  }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

// Sums in fp32.
class CublasProduct {
 public:
  CublasProduct() {
    check_cublas(cublas_lt().create_product(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                 "describe a product");
  }
  ~CublasProduct() { cublas_lt().destroy_product(product_); }
  CublasProduct(const CublasProduct&) = delete;
  CublasProduct& operator=(const CublasProduct&) = delete;

  template <typename T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check_cublas(cublas_lt().set_product(product_, attribute, &value, sizeof(value)),
                 "describe a product");
  }
  cublasLtMatmulDesc_t get() const { return product_; }

 private:
  cublasLtMatmulDesc_t product_ = nullptr;
};

class CublasPreference {
 public:
  CublasPreference() {
    check_cublas(cublas_lt().create_preference(&preference_), "choose an algorithm");
  }
  ~CublasPreference() { cublas_lt().destroy_preference(preference_); }
  CublasPreference(const CublasPreference&) = delete;
  CublasPreference& operator=(const CublasPreference&) = delete;

  template <typename T>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, const T& value) {
    check_cublas(cublas_lt().set_preference(preference_, attribute, &value, sizeof(value)),
                 "choose an algorithm");
  }
  cublasLtMatmulPreference_t get() const { return preference_; }

 private:
  cublasLtMatmulPreference_t preference_ = nullptr;
};

}  // namespace textcrs
