#include "data/integrity.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/sha512.h"
#include "textcrs/base/error.h"

namespace textcrs {

std::string file_integrity(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw bad_input(fmt::format("{}: cannot be read (it is a folder)", path.string()));
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw bad_input(fmt::format("{}: cannot be read ({})", path.string(), std::strerror(errno)));
  Sha512 hash;
  std::vector<char> buffer(1 << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash.update({buffer.data(), static_cast<size_t>(in.gcount())});
  }
  if (in.bad()) throw failed(fmt::format("{}: reading failed", path.string()));
  const Digest digest = hash.finish();
  std::array<unsigned char, 89> text{};  // 64 bytes are 88 characters of base64 and a NUL
  EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
  return fmt::format("sha512-{}", reinterpret_cast<const char*>(text.data()));
}

}  // namespace textcrs
