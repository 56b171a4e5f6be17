// Noisy copies as BERT's rows, on a GPU: [CLS], the pieces of the words or one row per slot, [SEP],
// the rows of all copies one after the other.
#pragma once

#include "kernels/cuda/copies.h"
#include "kernels/cuda/rows.h"

namespace textcrs {

// The pieces of words. Word w of the vocabulary has pieces[starts[w]] up to starts[w + 1]; behind
// them lie the own words of the texts, those of one text after those of the text before.
struct GpuWordPieces {
  int32_t words = 0;                                       // of the vocabulary
  const int32_t *starts = nullptr, *pieces = nullptr;      // pieces[0] is [CLS], pieces[1] is [SEP]
  const int32_t *text_of = nullptr, *own_first = nullptr;  // of each copy; of each text
};

struct GpuSequences {
  GpuCopies copies;
  GpuWordPieces words;
  int slots = 0;          // words of a copy that are read
  int positions = 0;      // rows that a copy may have; words that do not fit whole are left out
  bool by_slots = false;  // a row per word, not per piece; none for a PAD's pieces
};

// rows (copies): how many each copy has.
void count_rows(const GpuQueue& queue, const GpuSequences& sequences, int32_t* rows);

// What a row is the mean of, and its place.
struct GpuRow {
  int32_t first, count;  // pieces[first] up to first + count; the zero vector if there are none
  int32_t position;      // in its copy
  int32_t copy;
};
// Copy c has the rows starts[c] up to starts[c + 1].
void fill_rows(const GpuQueue& queue, const GpuSequences& sequences, const int32_t* starts,
               GpuRow* rows);

// LayerNorm(mean of the pieces' vectors + noise + position's vector) of each row. The Gaussian of
// the row at position p > 0 of a copy are the numbers (p - 1) * width .. of the copy's stream;
// there is none on [CLS] and [SEP].
struct GpuEmbedding {
  int64_t count = 0;
  int width = 0;  // a multiple of 8, at most 1024
  const GpuRow* rows = nullptr;
  const int32_t* pieces = nullptr;
  const float *vectors = nullptr, *positions = nullptr;  // (pieces, width), (positions, width)
  const float *gain = nullptr, *shift = nullptr;
  float epsilon = 0;
  float sigma = 0;
  const GpuStreamKey* streams = nullptr;  // of each copy, with sigma > 0
  const float* mean = nullptr;            // (width), added to the rows of slots; null: nothing
  GpuBf16* output = nullptr;              // (count, width)
};
void embed_rows(const GpuQueue& queue, const GpuEmbedding& call);

}  // namespace textcrs
