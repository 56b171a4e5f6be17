// SHA-512: of downloaded archives and of the keys of cache files.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace textcrs {

using Digest = std::array<uint8_t, 64>;

class Sha512 {
 public:
  Sha512();
  ~Sha512();
  void update(std::string_view bytes);
  template <typename T>
  void update(std::span<const T> values) {
    update({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  Digest finish();  // once; nothing may be added afterwards

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest sha512(std::string_view bytes);

// The first 16 bytes in hexadecimal: a file name for what the digest was made of.
std::string short_name(const Digest& digest);

}  // namespace textcrs
