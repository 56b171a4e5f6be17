// How many threads LibTorch, and the BLAS under it, use inside one operation.
#pragma once

#include <ATen/Parallel.h>

namespace textcrs {

// Sets the number for the calling thread and puts the old one back.
class LibTorchThreads {
 public:
  explicit LibTorchThreads(int threads) : before_(at::get_num_threads()) {
    if (before_ != threads) at::set_num_threads(threads);
  }
  ~LibTorchThreads() {
    if (at::get_num_threads() != before_) at::set_num_threads(before_);
  }
  LibTorchThreads(const LibTorchThreads&) = delete;
  LibTorchThreads& operator=(const LibTorchThreads&) = delete;

 private:
  int before_;
};

}  // namespace textcrs
