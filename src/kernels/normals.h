// The normals of a Stream at random access and many at a time.
//
// The numbers are those of Stream::normals(): the same Philox words, bit by bit, and Box-Muller in
// fp32 with the logarithm, the sine and the cosine as polynomials. What they are off by rounding is
// at most 2e-6 max(1, |x|), whatever the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "textcrs/base/api.h"
#include "textcrs/base/stream.h"
#include "textcrs/kernels/isa.h"

namespace TEXTCRS_API textcrs {

// out[i] is number first + i (from 0) of those stream.normals() would yield next. It depends on the
// ISA, the stream and first + i alone, bit by bit: not on where a range begins and ends. Block
// counters wrap after 2^32 blocks, as the stream's own do. The ISA has to be available.
// Thread-safe.
void normals_at(Isa isa, const Stream& stream, uint64_t first, std::span<float> out);

// The two halves of it. Both come in blocks of four: a size that is no multiple of four is a
// std::logic_error.
//
// The words of the blocks that stream would yield next, from block `first` on.
void words_at(Isa isa, const Stream& stream, uint64_t first, std::span<uint32_t> out);
// The normals of such words; as many.
void normals_of_words(Isa isa, std::span<const uint32_t> words, std::span<float> out);

// The input of Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1,
// 2, 3), as Stream has it.
struct PhiloxStart {
  uint64_t keys[10][2];  // of each round
  uint32_t block, sample, example, lane;
};

// One per instruction set; plain pointers.
struct NormalsKernel {
  size_t step;  // words and normals at a time, a multiple of four, at most kLongestStep
  // `step` words from block from.block on.
  void (*words)(const PhiloxStart& from, uint32_t* out);
  void (*normals_of_words)(const uint32_t* words, float* out);  // `step` of them
  // `count` > 0 normals from block from.block on, without the first `skip` < 4.
  void (*normals)(const PhiloxStart& from, size_t skip, size_t count, float* out);

  static constexpr size_t kLongestStep = 64;
};
const NormalsKernel& normals_portable();
const NormalsKernel& normals_avx2();
const NormalsKernel& normals_avx512();

}  // namespace textcrs
