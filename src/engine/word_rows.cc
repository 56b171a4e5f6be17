#include "engine/word_rows.h"

#include <new>
#include <utility>

namespace textcrs {
namespace {

constexpr std::align_val_t kAlignment{AlignedBytes::kAlignment};

}  // namespace

WordRows::WordRows(int words, size_t size, Make make)
    : size_(size), make_(std::move(make)), rows_(static_cast<size_t>(words)) {}

WordRows::~WordRows() {
  for (const auto& row : rows_) operator delete(const_cast<float*>(row.load()), kAlignment);
}

// Two threads may make the same row; the first to publish it wins and the other's is dropped.
const float* WordRows::add(WordId word) const {
  auto* made = static_cast<float*>(operator new(size_ * sizeof(float), kAlignment));
  make_(word, made);
  const float* expected = nullptr;
  if (rows_[static_cast<size_t>(word)].compare_exchange_strong(expected, made)) return made;
  operator delete(made, kAlignment);
  return expected;
}

}  // namespace textcrs
