#include "kernels/cuda/dense.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/cuda/cublas_objects.h"
#include "kernels/cuda/same_bits.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr size_t kWorkspace = size_t{32} << 20;  // bytes; what NVIDIA advises for its newest cards

constexpr uint32_t kAlignment = 16;  // of rows: they have multiples of 8 numbers

std::vector<GpuBf16> rounded(std::span<const float> values) {
  std::vector<GpuBf16> bits;
  bits.reserve(values.size());
  for (const float value : values) bits.push_back(to_bf16(value));
  return bits;
}

// Random rows, which show what an algorithm makes of them.
std::vector<GpuBf16> probe_rows(size_t numbers) {
  std::vector<float> normals(numbers);
  Stream(1, 0, 0).normals(normals);
  return rounded(normals);
}

using Shape = std::tuple<int64_t, int64_t, GpuDense::Output>;  // inputs, outputs

constexpr int kCandidates = 8, kRounds = 3, kRepeats = 4;

}  // namespace

bool has_cublas() {
  try {
    cublas_lt();
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string cublas_version() { return "cublas " + std::to_string(cublas_lt().version()); }

struct GpuProducts::Handle {
  cublasLtHandle_t lt = nullptr;
  GpuMemory workspace;
  std::map<Shape, cublasLtMatmulAlgo_t> chosen;

  Handle() {
    check_cublas(cublas_lt().create(&lt), "begin");
    workspace.reserve(kWorkspace, "products");
  }
  ~Handle() { cublas_lt().destroy(lt); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

GpuProducts::GpuProducts(int64_t typical_rows)
    : handle_(std::make_unique<Handle>()), typical_rows_(typical_rows) {}
GpuProducts::~GpuProducts() = default;

struct GpuDense::Product {
  CublasProduct description;
  CublasLayout weights, input, output;
  cublasLtMatmulAlgo_t algorithm{};

  Product(int64_t inputs, int64_t outputs, int64_t rows, bool fp32)
      : weights(CUDA_R_16BF, inputs, outputs),
        input(CUDA_R_16BF, inputs, rows),
        output(fp32 ? CUDA_R_32F : CUDA_R_16BF, outputs, rows) {}

  // Those that cuBLAS proposes, the best by its own judgement first.
  std::vector<cublasLtMatmulAlgo_t> candidates(cublasLtHandle_t lt) const {
    CublasPreference preference;
    preference.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspace);
    preference.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                   static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE));
    for (const auto matrix :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      preference.set(matrix, kAlignment);
    cublasLtMatmulHeuristicResult_t found[kCandidates];
    int count = 0;
    check_cublas(
        cublas_lt().find_algorithms(lt, description.get(), weights.get(), input.get(), output.get(),
                                    output.get(), preference.get(), kCandidates, found, &count),
        "choose an algorithm");
    std::vector<cublasLtMatmulAlgo_t> list;
    for (int i = 0; i < count; ++i)
      if (found[i].state == CUBLAS_STATUS_SUCCESS) list.push_back(found[i].algo);
    if (list.empty()) throw failed("cuBLAS has no algorithm for a dense layer of this shape");
    return list;
  }
};

GpuDense::GpuDense(const GpuProducts& products, const GpuQueue& queue,
                   std::span<const float> weights, std::span<const float> bias, Output output)
    : products_(products), fp32_(output == Output::kFp32) {
  const auto outputs = static_cast<int64_t>(bias.size());
  const int64_t inputs = outputs == 0 ? 0 : static_cast<int64_t>(weights.size()) / outputs;
  if (inputs == 0 || inputs % 8 != 0 || outputs % 8 != 0 ||
      weights.size() != static_cast<size_t>(inputs * outputs))
    throw std::logic_error("GpuDense: weights of another shape");
  weights_.upload(queue, rounded(weights), "weights");
  const void* bias_at = nullptr;
  if (fp32_) {
    fp32_bias_.upload(queue, bias, "weights");
    bias_at = fp32_bias_.data();
  } else {
    bias_.upload(queue, rounded(bias), "weights");
    bias_at = bias_.data();
  }
  product_ = std::make_unique<Product>(inputs, outputs, products.typical_rows_, fp32_);
  product_->description.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  product_->description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, output == Output::kGelu
                                                               ? CUBLASLT_EPILOGUE_GELU_BIAS
                                                               : CUBLASLT_EPILOGUE_BIAS);
  product_->description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_at);
  auto& chosen = products.handle_->chosen;
  const Shape shape{inputs, outputs, output};
  if (!chosen.contains(shape)) {
    choose_algorithm(queue, inputs, outputs);
    chosen[shape] = product_->algorithm;
  }
  product_->algorithm = chosen[shape];
}

// The input is the same step of rows again and again. Of the algorithms that give every step the
// same bits, and a step by itself, too, the fastest; all of them give the bits of the first such,
// so that results do not depend on what was measured.
void GpuDense::choose_algorithm(const GpuQueue& queue, int64_t inputs, int64_t outputs) {
  const std::vector<cublasLtMatmulAlgo_t> list = product_->candidates(products_.handle_->lt);
  const auto rows = static_cast<size_t>(products_.typical_rows_);
  const size_t output_bytes =
      static_cast<size_t>(outputs) * (fp32_ ? sizeof(float) : sizeof(GpuBf16));
  GpuArray<GpuBf16> input;
  GpuMemory output;
  input.reserve(rows * static_cast<size_t>(inputs), "trial products");
  output.reserve(rows * output_bytes, "trial products");
  const std::vector<GpuBf16> probe = probe_rows(kRowStep * static_cast<size_t>(inputs));
  for (size_t row = 0; row < rows; row += kRowStep)
    copy_to_gpu(
        queue, input.data() + row * static_cast<size_t>(inputs), probe.data(),
        std::min<size_t>(kRowStep, rows - row) * static_cast<size_t>(inputs) * sizeof(GpuBf16));
  const auto run_once = [&] {
    multiply(queue, products_.typical_rows_, input.data(), output.data());
  };
  const size_t step = kRowStep * output_bytes;
  GpuMemory alone, expected;
  alone.reserve(step, "trial products");
  bool is_known = false;
  std::vector<double> seconds;
  for (const cublasLtMatmulAlgo_t& candidate : list) {
    product_->algorithm = candidate;
    run_once();
    multiply(queue, kRowStep, input.data(), alone.data());
    const bool same = repeats_on_gpu(queue, output.data(), rows * output_bytes, alone.data(), step);
    if (same && !is_known) std::swap(alone, expected);
    is_known = is_known || same;
    alone.reserve(step, "trial products");
    const bool agrees = same && repeats_on_gpu(queue, output.data(), step, expected.data(), step);
    seconds.push_back(agrees ? std::numeric_limits<double>::max() : -1);
  }
  if (!is_known)
    throw failed(
        "the products of cuBLAS depend on the rows beside a row on this GPU; the reference engine "
        "can run the model");
  for (int round = 0; round < kRounds; ++round)
    for (size_t i = 0; i < list.size(); ++i) {
      if (seconds[i] < 0) continue;
      product_->algorithm = list[i];
      const auto start = std::chrono::steady_clock::now();
      for (int repeat = 0; repeat < kRepeats; ++repeat) run_once();
      queue.wait();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      seconds[i] = std::min(seconds[i], taken.count());
    }
  size_t best = list.size();
  for (size_t i = 0; i < list.size(); ++i)
    if (seconds[i] >= 0 && (best == list.size() || seconds[i] < seconds[best])) best = i;
  product_->algorithm = list[best];
}

GpuDense::~GpuDense() = default;
GpuDense::GpuDense(GpuDense&&) noexcept = default;

void GpuDense::run(const GpuQueue& queue, int64_t rows, const GpuBf16* input,
                   GpuBf16* output) const {
  if (fp32_) throw std::logic_error("GpuDense: the output is fp32");
  multiply(queue, rows, input, output);
}

void GpuDense::run(const GpuQueue& queue, int64_t rows, const GpuBf16* input, float* output) const {
  if (!fp32_) throw std::logic_error("GpuDense: the output is bf16");
  multiply(queue, rows, input, output);
}

void GpuDense::multiply(const GpuQueue& queue, int64_t rows, const GpuBf16* input,
                        void* output) const {
  if (rows % kRowStep != 0) throw std::logic_error("GpuDense: rows come in whole steps");
  if (rows == 0) return;
  const Product& product = *product_;
  product.input.set_rows(rows);
  product.output.set_rows(rows);
  const float one = 1, zero = 0;
  const GpuProducts::Handle& handle = *products_.handle_;
  check_cublas(
      cublas_lt().matmul(handle.lt, product.description.get(), &one, weights_.data(),
                         product.weights.get(), input, product.input.get(), &zero, output,
                         product.output.get(), output, product.output.get(), &product.algorithm,
                         handle.workspace.data(), kWorkspace, queue.stream()),
      "multiply");
}

}  // namespace textcrs
