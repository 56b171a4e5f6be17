#include "page/content_policy.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/sha512.h"

namespace textcrs {
namespace {

std::string source_of(std::string_view content) {
  const Digest digest = sha512(content);
  std::array<unsigned char, 89> text{};  // 64 bytes are 88 characters of base64 and a NUL
  EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
  return fmt::format("'sha512-{}'", reinterpret_cast<const char*>(text.data()));
}

}  // namespace

std::string content_policy(std::string_view script, std::string_view style) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
      source_of(script), source_of(style));
}

}  // namespace textcrs
