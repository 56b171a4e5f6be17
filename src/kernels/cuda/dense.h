// Dense layers on a GPU, by cuBLASLt: bf16 in, sums in fp32.
//
// A row's result depends on the row alone, bit by bit, for any number of rows beside it: a layer's
// algorithm is chosen once and kept, it does not divide the sums among blocks, and rows come in
// whole tiles. When a layer is made, on the card at hand, every algorithm that is considered has to
// give equal rows equal bits at every place, with few rows and with many.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "kernels/cuda/gpu.h"

namespace textcrs {

// Whether cuBLAS can be loaded, and its name: "cublas 130101".
bool has_cublas();
std::string cublas_version();

// What the layers of a model share. One call at a time.
class GpuProducts {
 public:
  // typical_rows: what an algorithm is chosen for; a multiple of GpuDense::kRowStep.
  explicit GpuProducts(int64_t typical_rows);
  ~GpuProducts();
  GpuProducts(const GpuProducts&) = delete;
  GpuProducts& operator=(const GpuProducts&) = delete;

 private:
  friend class GpuDense;
  struct Handle;
  std::unique_ptr<Handle> handle_;
  int64_t typical_rows_;
};

class GpuDense {
 public:
  enum class Output {
    kBf16,
    kGelu,  // bf16, through GELU by the tanh formula
    kFp32,
  };

  // Rows come in multiples of it.
  static constexpr int64_t kRowStep = 256;

  // weights (outputs, inputs), both multiples of 8; bias (outputs). `products` must outlive it.
  GpuDense(const GpuProducts& products, const GpuQueue& queue, std::span<const float> weights,
           std::span<const float> bias, Output output);
  ~GpuDense();
  GpuDense(GpuDense&&) noexcept;

  // (rows, outputs) from (rows, inputs).
  void run(const GpuQueue& queue, int64_t rows, const GpuBf16* input, GpuBf16* output) const;
  void run(const GpuQueue& queue, int64_t rows, const GpuBf16* input, float* output) const;

 private:
  struct Product;
  void choose_algorithm(const GpuQueue& queue, int64_t inputs, int64_t outputs);
  void multiply(const GpuQueue& queue, int64_t rows, const GpuBf16* input, void* output) const;

  const GpuProducts& products_;
  bool fp32_;
  GpuArray<GpuBf16> weights_, bias_;
  GpuArray<float> fp32_bias_;
  std::unique_ptr<Product> product_;
};

}  // namespace textcrs
