#include "text/utf8.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <utf8proc.h>

namespace textcrs {
namespace {

// The length of the character at the start of `text`, 0 if it is not UTF-8.
size_t character_length(std::string_view text) {
  utf8proc_int32_t code;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  return length > 0 ? static_cast<size_t>(length) : 0;
}

}  // namespace

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  size_t at = 0;
  while (at < text.size()) {
    const size_t length = character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::optional<BadByte> find_bad_byte(std::string_view text) {
  if (const auto at = find_invalid_utf8(text))
    return BadByte{*at, fmt::format("found the byte 0x{:02x} at offset {}, expected UTF-8",
                                    static_cast<unsigned char>(text[*at]), *at)};
  if (const size_t at = text.find('\0'); at != text.npos)
    return BadByte{at, fmt::format("found a NUL byte at offset {}, expected text", at)};
  return std::nullopt;
}

std::string in_quotes(std::string_view value) {
  constexpr size_t kLongest = 40;
  std::string out = "\"";
  size_t at = 0;
  while (at < value.size()) {
    const size_t length = character_length(value.substr(at));
    if (at + length > kLongest) break;
    const auto byte = static_cast<unsigned char>(value[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
      ++at;
      if (at >= kLongest) break;
    } else {
      out += value.substr(at, length);
      at += length;
    }
  }
  out += at < value.size() ? "...\"" : "\"";
  return out;
}

}  // namespace textcrs
