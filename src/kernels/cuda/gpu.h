// The memory of a GPU and the order of its work, without a header of CUDA's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct CUstream_st;  // CUDA's

namespace textcrs {

using GpuStream = CUstream_st*;
using GpuBf16 = uint16_t;  // the bits

// What a program can know of the card it runs on.
struct GpuProperties {
  std::string name;
  int multiprocessors = 0;
  int capability = 0;       // 90: compute capability 9.0
  size_t shared_bytes = 0;  // that a block may have
  double clock_hz = 0;      // the highest
};

// A usage Error that says why if there is no card, or none that can be used.
GpuProperties gpu_properties();
size_t free_gpu_memory();

// Work of the card that is the calling thread's, done in its order. All functions may throw a
// failed Error, with what CUDA says.
class GpuQueue {
 public:
  GpuQueue();
  ~GpuQueue();
  GpuQueue(const GpuQueue&) = delete;
  GpuQueue& operator=(const GpuQueue&) = delete;

  GpuStream stream() const { return stream_; }
  void use() const;   // its card becomes the calling thread's
  void wait() const;  // until all of it is done

 private:
  int device_;
  GpuStream stream_ = nullptr;
};

// Bytes on the card. Grows, never shrinks; what it held is lost when it grows.
class GpuMemory {
 public:
  GpuMemory() = default;
  ~GpuMemory();
  GpuMemory(GpuMemory&& other) noexcept;
  GpuMemory& operator=(GpuMemory&& other) noexcept;

  // `what` is for the message where memory runs out.
  void reserve(size_t bytes, const char* what);
  void* data() const { return data_; }

 private:
  void release() noexcept;

  void* data_ = nullptr;
  size_t size_ = 0;
};

// Both wait for the queue.
void copy_from_gpu(const GpuQueue& queue, void* to, const void* from, size_t bytes);
void copy_to_gpu(const GpuQueue& queue, void* to, const void* from, size_t bytes);
void clear_on_gpu(const GpuQueue& queue, void* at, size_t bytes);

template <typename T>
class GpuArray {
 public:
  void reserve(size_t count, const char* what) { memory_.reserve(count * sizeof(T), what); }
  T* data() const { return static_cast<T*>(memory_.data()); }

  void upload(const GpuQueue& queue, std::span<const T> values, const char* what) {
    reserve(values.size(), what);
    copy_to_gpu(queue, data(), values.data(), values.size_bytes());
  }
  std::vector<T> download(const GpuQueue& queue, size_t count) const {
    std::vector<T> values(count);
    copy_from_gpu(queue, values.data(), data(), count * sizeof(T));
    return values;
  }

 private:
  GpuMemory memory_;
};

}  // namespace textcrs
