#include <cuda_runtime.h>

#include <utility>

#include "kernels/cuda/gpu.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

int current_card() {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) return device;
  cudaGetLastError();  // it is told
  throw usage_error(std::string("device is cuda, but no usable GPU was found (") +
                    cudaGetErrorString(error) + "); use cpu");
}

}  // namespace

GpuProperties gpu_properties() {
  const int device = current_card();
  int clock_khz = 0;
  cudaDeviceProp found{};
  check_gpu(cudaGetDeviceProperties(&found, device), "describe itself");
  check_gpu(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device), "tell its clock");
  return {.name = found.name,
          .multiprocessors = found.multiProcessorCount,
          .capability = 10 * found.major + found.minor,
          .shared_bytes = found.sharedMemPerBlockOptin,
          .clock_hz = 1e3 * clock_khz};
}

size_t free_gpu_memory() {
  size_t free = 0, total = 0;
  check_gpu(cudaMemGetInfo(&free, &total), "tell its free memory");
  return free;
}

GpuQueue::GpuQueue() : device_(current_card()) {
  check_gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "begin a queue");
}

GpuQueue::~GpuQueue() { cudaStreamDestroy(stream_); }

void GpuQueue::use() const { check_gpu(cudaSetDevice(device_), "take work"); }

void GpuQueue::wait() const { check_gpu(cudaStreamSynchronize(stream_), "finish its work"); }

GpuMemory::~GpuMemory() { release(); }

GpuMemory::GpuMemory(GpuMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

GpuMemory& GpuMemory::operator=(GpuMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void GpuMemory::release() noexcept {
  cudaFree(data_);
  data_ = nullptr;
  size_ = 0;
}

void GpuMemory::reserve(size_t bytes, const char* what) {
  if (bytes <= size_) return;
  release();
  const cudaError_t error = cudaMalloc(&data_, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is not the last word on the card
    throw out_of_gpu_memory(bytes, what);
  }
  check_gpu(error, "give memory");
  size_ = bytes;
}

void copy_from_gpu(const GpuQueue& queue, void* to, const void* from, size_t bytes) {
  check_gpu(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, queue.stream()),
            "copy results");
  queue.wait();
}

// Some cards read the host's memory themselves, and later.
void copy_to_gpu(const GpuQueue& queue, void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  check_gpu(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, queue.stream()), "take data");
  queue.wait();
}

void clear_on_gpu(const GpuQueue& queue, void* at, size_t bytes) {
  check_gpu(cudaMemsetAsync(at, 0, bytes, queue.stream()), "clear memory");
}

}  // namespace textcrs
