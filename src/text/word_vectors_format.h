// The word-vector cache file as its reader and its writer share it; the byte layout is stated in
// textcrs/text/word_vectors.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "textcrs/base/hash.h"

namespace textcrs {

static_assert(std::endian::native == std::endian::little, "the cache is mapped as it lies on disk");

struct VectorsHeader {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t dimension;
  uint64_t count;
  uint64_t word_bytes;
  uint64_t slots;
  uint64_t fingerprint;
  uint64_t content;
  uint64_t checksum;
};
static_assert(sizeof(VectorsHeader) == 64);

constexpr std::array<char, 8> kVectorsMagic = {'T', 'C', 'R', 'S', 'V', 'E', 'C', '\0'};
constexpr uint32_t kVectorsVersion = 2;
constexpr uint32_t kMaxDimension = 65536;
constexpr uint64_t kMaxWords = std::numeric_limits<int32_t>::max();

constexpr uint64_t first_slot(std::string_view word, uint64_t slots) {
  const uint64_t hash = fnv1a(word);
  return (hash ^ hash >> 32) & (slots - 1);
}

inline uint64_t header_checksum(const VectorsHeader& header) {
  return fnv1a({reinterpret_cast<const char*>(&header), 56});
}

constexpr uint64_t aligned(uint64_t offset) { return (offset + 63) / 64 * 64; }

// Where each section starts.
struct VectorsSections {
  uint64_t matrix, offsets, index, words, end;
};

// Nothing if the sizes are out of range. Within the ranges no sum or product reaches 2^63.
inline std::optional<VectorsSections> vectors_sections(const VectorsHeader& header) {
  const bool in_range = header.dimension >= 1 && header.dimension <= kMaxDimension &&
                        header.count >= 1 && header.count <= kMaxWords &&
                        header.word_bytes < uint64_t{1} << 48 &&
                        std::has_single_bit(header.slots) && header.slots >= 2 * header.count &&
                        header.slots <= uint64_t{1} << 33;
  if (!in_range) return std::nullopt;
  VectorsSections s{};
  s.matrix = sizeof(VectorsHeader);
  s.offsets = aligned(s.matrix + header.count * header.dimension * sizeof(float));
  s.index = aligned(s.offsets + (header.count + 1) * sizeof(uint64_t));
  s.words = aligned(s.index + header.slots * sizeof(uint32_t));
  s.end = s.words + header.word_bytes;
  return s;
}

}  // namespace textcrs
