// An array that grows while others read it.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <mutex>

namespace textcrs {

// Elements are made as T{} when they are first asked for, a block at a time, and never move.
// Thread-safe; the elements' own contents are up to their users.
template <typename T>
class GrowingArray {
 public:
  GrowingArray() = default;
  ~GrowingArray() {
    for (const auto& block : blocks_) delete[] block.load();
  }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  // Calls visit(element) for all elements that were made.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (size_t b = 0; b < kBlocks; ++b)
      if (T* const elements = blocks_[b].load(std::memory_order_acquire))
        for (size_t i = 0; i < kFirst << b; ++i) visit(elements[i]);
  }

  T& operator[](size_t index) const {
    // Block b holds the elements from kFirst (2^b - 1) on, kFirst 2^b of them.
    const auto block = static_cast<size_t>(std::bit_width(index / kFirst + 1)) - 1;
    T* const elements = blocks_[block].load(std::memory_order_acquire);
    return (elements != nullptr ? elements : add(block))[index - begin_of(block)];
  }

 private:
  static constexpr size_t kFirst = 1024, kBlocks = 22;  // 2^32 elements

  static size_t begin_of(size_t block) { return kFirst * ((size_t{1} << block) - 1); }

  T* add(size_t block) const {
    const std::scoped_lock lock(adding_);
    if (T* const elements = blocks_[block].load()) return elements;
    T* const elements = new T[kFirst << block]();
    blocks_[block].store(elements, std::memory_order_release);
    return elements;
  }

  mutable std::array<std::atomic<T*>, kBlocks> blocks_{};
  mutable std::mutex adding_;
};

}  // namespace textcrs
