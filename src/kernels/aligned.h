// Memory that begins at a multiple of 64 bytes, the size of a cache line and of a vector.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace textcrs {

class AlignedBytes {
 public:
  static constexpr size_t kAlignment = 64;

  AlignedBytes() = default;
  explicit AlignedBytes(size_t size) { reserve(size); }

  std::byte* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(bytes_.get());
  }
  // At least `size` bytes; what was there is lost if it grows.
  void reserve(size_t size) {
    if (size <= size_) return;
    bytes_.reset(static_cast<std::byte*>(operator new(size, std::align_val_t(kAlignment))));
    size_ = size;
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const {
      operator delete(bytes, std::align_val_t(kAlignment));
    }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  size_t size_ = 0;
};

}  // namespace textcrs
