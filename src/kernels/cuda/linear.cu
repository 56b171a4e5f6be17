// A thread per copy.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/linear.h"
#include "kernels/window_row.h"

namespace textcrs {
namespace {

constexpr int kThreads = 128;
constexpr int kClasses = 8;  // that a thread adds up at a time

class CopyWords {
 public:
  __device__ CopyWords(const GpuCopies& copies, int copy)
      : words_(copies.words + copies.starts[copy]),
        stride_(copies.stride),
        length_(copies.lengths[copy]) {}

  __device__ int length() const { return length_; }
  __device__ int32_t operator[](int s) const { return words_[static_cast<int64_t>(s) * stride_]; }
  __device__ bool has_before(int end, int32_t word) const {
    for (int s = 0; s < end; ++s)
      if ((*this)[s] == word) return true;
    return false;
  }

 private:
  const int32_t* words_;
  int stride_, length_;
};

// The sums of some neighbouring classes.
class Sums {
 public:
  __device__ Sums(const GpuLinear& linear, int first)
      : classes_(linear.classes), first_(first), count_(min(kClasses, linear.classes - first)) {}

  __device__ void add(const int32_t* table, int64_t row) {
    const int32_t* const from = table + row * classes_ + first_;
#pragma unroll
    for (int c = 0; c < kClasses; ++c)
      if (c < count_) sums_[c] += __ldg(from + c);
  }
  __device__ void write(double* scores) const {
#pragma unroll
    for (int c = 0; c < kClasses; ++c)
      if (c < count_) scores[first_ + c] = static_cast<double>(sums_[c]);
  }

 private:
  int classes_, first_, count_;
  long long sums_[kClasses] = {};
};

__global__ void add_words(GpuLinear linear, GpuCopies copies, double* scores) {
  const int copy = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (copy >= copies.count) return;
  const CopyWords words(copies, copy);
  for (int first = 0; first < linear.classes; first += kClasses) {
    Sums sums(linear, first);
    sums.add(linear.bias, 0);
    for (int s = 0; s < words.length(); ++s) {
      if (!linear.presence || !words.has_before(s, words[s])) sums.add(linear.table, words[s]);
      for (int w = 0; w < 2; ++w)
        if (linear.windows[w] != nullptr && s + w + 2 <= words.length())
          sums.add(linear.windows[w],
                   window_row_of([&](uint32_t i) { return words[s + static_cast<int>(i)]; },
                                 static_cast<uint32_t>(w + 2), linear.window_rows));
    }
    sums.write(scores + static_cast<int64_t>(copy) * linear.classes);
  }
}

}  // namespace

void run_linear(const GpuQueue& queue, const GpuLinear& linear, const GpuCopies& copies,
                double* scores) {
  if (copies.count == 0) return;
  add_words<<<(copies.count + kThreads - 1) / kThreads, kThreads, 0, queue.stream()>>>(
      linear, copies, scores);
  check_launch("add_words");
}

}  // namespace textcrs
