// FNV-1a, 64 bits: the one hash of the project for keys and fingerprints. Not for security.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

constexpr uint64_t kHashStart = 0xcbf29ce484222325;

// The hash of what `start` is the hash of, followed by `bytes`.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t start = kHashStart) {
  uint64_t hash = start;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// The same for many bytes, eight at a time; another function.
inline uint64_t hash_bulk(std::string_view bytes, uint64_t start = kHashStart) {
  uint64_t hash = start;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = std::rotl((hash ^ word) * 0x100000001b3, 29);
  }
  return fnv1a(bytes, hash);
}

// The bytes of `count` values in memory, to be hashed.
template <typename T>
std::string_view bytes_of(const T* values, size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace textcrs
