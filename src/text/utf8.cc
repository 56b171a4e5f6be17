#include "text/utf8.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <utf8proc.h>

#include <algorithm>
#include <utility>

namespace textcrs {
namespace {

// The length of the character at the start of `text`, 0 if it is not UTF-8.
size_t read_character(std::string_view text, utf8proc_int32_t& code) {
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  return length > 0 ? static_cast<size_t>(length) : 0;
}

// Or moves the cursor otherwise: what a terminal obeys instead of printing it.
bool breaks_line(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  size_t at = 0;
  utf8proc_int32_t code = -1;
  while (at < text.size()) {
    const size_t length = read_character(text.substr(at), code);
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

PrintableCharacter first_printable(std::string_view text) {
  utf8proc_int32_t code = -1;
  const size_t length = read_character(text, code);
  if (length > 0 && !breaks_line(code)) return {std::string(text.substr(0, length)), 1, length};
  const size_t bytes = std::max<size_t>(length, 1);
  std::string shown;
  for (const char byte : text.substr(0, bytes))
    shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  const size_t width = shown.size();
  return {std::move(shown), width, bytes};
}

std::string in_quotes(std::string_view value) {
  constexpr size_t kLongest = 40;
  std::string out = "\"";
  size_t at = 0;
  while (at < value.size()) {
    const PrintableCharacter next = first_printable(value.substr(at));
    if (at + next.bytes > kLongest) break;
    out += next.shown;
    at += next.bytes;
  }
  out += at < value.size() ? "...\"" : "\"";
  return out;
}

}  // namespace textcrs
