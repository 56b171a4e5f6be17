// FNV-1a, 64 bits: the one hash of the project for keys and fingerprints. Not for security.
#pragma once

#include <cstdint>
#include <string_view>

namespace textcrs {

constexpr uint64_t kHashStart = 0xcbf29ce484222325;

// The hash of what `start` is the hash of, followed by `bytes`.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t start = kHashStart) {
  uint64_t hash = start;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// The bytes of `count` values in memory, to be hashed.
template <typename T>
std::string_view bytes_of(const T* values, size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace textcrs
