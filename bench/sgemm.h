// The matrix product everything is held against.
#pragma once

#include <string>
#include <vector>

namespace textcrs::bench {

// C (m, n) = A (m, k) B (k, n) of floats: 2 m n k operations.
struct Product {
  int m, n, k;

  double flops() const { return 2.0 * m * n * k; }
  std::string name() const;
};

constexpr Product kSquare = {1024, 1024, 1024};

// The sizes of a training step: B copies of T words of D coordinates, H units per direction.
struct StepSize {
  int copies = 64, words = 200, dimension = 100, units = 150;
};

// The product's operands and BLAS's threads for it.
class Sgemm {
 public:
  Sgemm(const Product& product, int threads);
  void run();

 private:
  Product product_;
  int threads_;
  std::vector<float> a_, b_, c_;
};

// 1 and, where there are more, all cores.
std::vector<int> thread_counts();

}  // namespace textcrs::bench
