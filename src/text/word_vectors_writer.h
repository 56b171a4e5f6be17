// Writes a word-vector cache row by row; rows go straight to the file, words stay in memory.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha512.h"
#include "text/block_hash.h"

namespace textcrs {

class WordVectorsWriter {
 public:
  // `out` is an empty binary file that can be sought in; 1 <= dimension <= kMaxDimension.
  WordVectorsWriter(std::ostream& out, size_t dimension);

  // Appends a word with its vector (dimension); false, and nothing is written, if the word was
  // added before.
  bool add(std::string_view word, std::span<const float> row);

  uint64_t size() const { return offsets_.size() - 1; }

  // Writes what remains, the header last. At least one word was added.
  void finish();

 private:
  std::string_view word(uint64_t row) const;
  void grow_index();
  void pad_to_section();
  void write(const void* data, size_t bytes);

  std::ostream& out_;
  size_t dimension_;
  uint64_t written_ = 0;
  BlockHash content_;  // of what follows the header
  std::string words_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<uint32_t> slots_;
  Sha512 fingerprint_;
};

}  // namespace textcrs
