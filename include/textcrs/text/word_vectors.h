// Pre-trained word vectors in a memory-mapped cache that opens in no time.
//
// (The helper who implements this states the byte layout of the cache file here.)
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "textcrs/base/files.h"

namespace textcrs {

class WordVectors {
 public:
  // Opens a cache file; anything inconsistent in it is a bad_input Error.
  static WordVectors open(const std::filesystem::path& cache);

  int size() const { return size_; }       // number of words, most frequent first
  int dimension() const { return dimension_; }
  std::string_view word(int row) const;
  std::optional<int> find(std::string_view word) const;  // the word's row
  std::span<const float> row(int row) const;              // (dimension), as in the source, not scaled
  std::span<const float> matrix() const;                  // (size, dimension), row-major

 private:
  explicit WordVectors(MappedFile file);
  MappedFile file_;
  int size_ = 0, dimension_ = 0;
  // Views into the mapping, set by the constructor (see the layout above).
};

// Each writes a cache file atomically. Malformed input is a bad_input Error that names the line.
void convert_glove_text(const std::filesystem::path& source, const std::filesystem::path& cache);
void convert_wink_json(const std::filesystem::path& source, const std::filesystem::path& cache);

// The cache for a source file (GloVe .txt or wink .json by its name), made on first use in
// home_folder()/cache and keyed by the source's path, size and time of change.
WordVectors open_word_vectors(const std::filesystem::path& source);

}  // namespace textcrs
