// Pre-trained word vectors in a memory-mapped cache that opens as fast as memory is
// read.
//
// The cache file, little endian, sections in this order, each at a multiple of 64 bytes:
//
//   header   64 bytes
//      0  char[8]  "TCRSVEC\0"
//      8  u32      version, 2
//     12  u32      dimension, 1 .. 65536
//     16  u64      count of words, 1 .. 2^31 - 1
//     24  u64      bytes of the word section
//     32  u64      slots of the index, a power of two, at least 2 * count
//     40  u64      fingerprint: the first 8 bytes of the SHA-512 over dimension, words and rows
//     48  u64      hash of all bytes behind the header (src/text/block_hash.h)
//     56  u64      FNV-1a of the 56 bytes before
//   matrix   f32[count][dimension]
//   offsets  u64[count + 1]: word r is bytes [offsets[r], offsets[r + 1]) of the word section
//   index    u32[slots]: 0 for an empty slot, else row + 1; the word's hash is FNV-1a h, its first
//            slot (h ^ h >> 32) mod slots, then the next ones in turn (linear probing)
//   words    the words' bytes, one after the other
//
// open() checks the header, that the sections fill the file exactly, and the hash: a cache whose
// bytes are not those that were written is never used. That costs one pass over the file, 35 ms
// for the 146 MB of 100 numbers for 400,000 words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/base/files.h"

namespace TEXTCRS_API textcrs {

// Immutable; all members may be called from several threads at once.
class WordVectors {
 public:
  // Opens a cache file; anything inconsistent in it is a bad_input Error.
  static WordVectors open(const std::filesystem::path& cache);

  int size() const { return size_; }  // number of words, most frequent first
  int dimension() const { return dimension_; }
  // Depends on the words and their vectors only: keys what is computed from them.
  uint64_t fingerprint() const { return fingerprint_; }
  // A word section that somebody writes to after open() is a bad_input Error here and in find(),
  // never a stray read.
  std::string_view word(int row) const;
  std::optional<int> find(std::string_view word) const;  // the word's row
  std::span<const float> row(int row) const;  // (dimension), as in the source, not scaled
  std::span<const float> matrix() const;      // (size, dimension), row-major

 private:
  WordVectors(const std::filesystem::path& path, MappedFile file);
  [[noreturn]] void damaged(std::string_view what) const;

  std::filesystem::path path_;
  MappedFile file_;
  int size_ = 0, dimension_ = 0;
  uint64_t fingerprint_ = 0;
  const float* matrix_ = nullptr;  // this and the next three: views into the mapping
  std::span<const uint64_t> offsets_;
  std::span<const uint32_t> slots_;
  std::string_view words_;
};

// Each writes a cache file atomically. Malformed input is a bad_input Error that names the line.
//
// GloVe text: a word and its numbers on every line, separated by spaces; the first line gives the
// dimension. A first line "count dimension" as word2vec writes it is understood. A word may hold
// spaces: the last `dimension` fields are the numbers. Of a repeated word the first line counts.
void convert_glove_text(const std::filesystem::path& source, const std::filesystem::path& cache);

// The JSON of npm's wink-embeddings packages: {"size", "dimensions": d, "l2NormIndex": d,
// "wordIndex": d + 1, "words": [...], "vectors": {word: [d numbers, norm, index], ...}}. Rows are
// ordered by the index; `words` has to agree with it.
void convert_wink_json(const std::filesystem::path& source, const std::filesystem::path& cache);

// The cache for a source file (GloVe .txt or wink .json by its name), made on first use in
// home_folder()/cache; older ones of the same source are removed. A damaged cache is made again. It
// is keyed by what tells another content without reading all of a file of gigabytes: the source's
// path, size, inode, the times at which its content and its inode changed (st_mtim can be set back,
// st_ctim can not), and a hash of 64 blocks of 4 KiB spread over it.
WordVectors open_word_vectors(const std::filesystem::path& source);

}  // namespace textcrs
