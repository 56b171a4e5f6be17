// Filters over windows of 3, 4 and 5 words of many texts at a time, each filter's maximum over the
// windows of a text.
//
// Word vectors are frozen, so what a word adds to a window that has it at offset o is a number a
// filter, made once: a word's row. A row has 12 vectors of numbers (the offsets of the three
// widths, one width after the other), in blocks of as many filters as a vector has lanes: the 12 of
// the first block, then those of the next. The response of a window is the sum of as many numbers
// as it has words; nothing is multiplied. Where words carry noise, its product with the filters
// joins the rows.
//
// What becomes of a text depends on the text alone: every sum is taken in one fixed order, the
// words of a window from the first to the last and then the bias, whatever the other texts are.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/aligned.h"
#include "textcrs/kernels/isa.h"

namespace textcrs {

constexpr std::array<int, 3> kCnnWidths = {3, 4, 5};
constexpr int kCnnOffsets = 3 + 4 + 5;

// Plain pointers: the kernels call nothing.
struct CnnTexts {
  int count = 0;
  const int* lengths = nullptr;               // at least 1 each
  const float* const* const* rows = nullptr;  // the row of word s of text k is rows[k][s]
  // What is added to the vectors of text k's words: (lengths[k], inputs), or null for nothing.
  const float* const* noise = nullptr;
  float* features = nullptr;  // (count, features()): all filters of 3 words, of 4, of 5; out
};

class CnnFilters {
 public:
  struct Width {
    std::span<const float> weight, bias;  // (filters, inputs, width) as in PyTorch, (filters)
  };
  // `inputs` is the dimension of the word vectors. The ISA has to be available.
  CnnFilters(Isa isa, int filters, int inputs, const std::array<Width, 3>& widths);

  int features() const { return static_cast<int>(kCnnWidths.size()) * shape_.filters; }
  int row_size() const { return kCnnOffsets * shape_.padded; }
  // The row of a word: the products of its vector with the filters.
  void make_row(std::span<const float> vector, float* row) const;

  // Windows begin at the words 0 .. length - width. A shorter text has one, which ends with it. A
  // feature is max(0, bias + the largest response). Thread-safe; `scratch` belongs to the caller
  // and grows to what the kernel needs.
  void run(const CnnTexts& texts, AlignedBytes& scratch) const;

  // What the kernels of all ISAs know of the filters.
  struct Shape {
    int filters = 0, inputs = 0;
    int padded = 0;  // filters, a multiple of the lanes
    // For filter block b, the c-th vector of a row, input d and lane l, with a kernel's `columns`:
    // (((b * 12 + c) / columns * inputs + d) * columns + c % columns) * lanes + l.
    const float* weights = nullptr;
    const float* biases = nullptr;  // (3, padded)
  };

 private:
  void pack(int lanes, int columns, const std::array<Width, 3>& widths);

  Isa isa_;
  Shape shape_;
  AlignedBytes weights_, biases_;
};

// One per kernel.
struct CnnKernel {
  int lanes;
  int columns;  // of a row's 12 vectors, how many a product takes at a time
  size_t (*scratch_bytes)(int count);
  void (*run)(const CnnFilters::Shape& shape, const CnnTexts& texts, std::byte* scratch);
  void (*make_row)(const CnnFilters::Shape& shape, const float* vector, float* row);
};
const CnnKernel& cnn_portable();
const CnnKernel& cnn_avx2();
const CnnKernel& cnn_avx512();

}  // namespace textcrs
