// UTF-8 checks shared by the readers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace textcrs {

// The offset of the first byte that is no part of valid UTF-8 (no overlong form, no surrogate,
// nothing beyond U+10FFFF).
std::optional<size_t> find_invalid_utf8(std::string_view text);

// The first byte that no text of a reader may hold: one that is not UTF-8, or NUL.
struct BadByte {
  size_t offset = 0;
  std::string complaint;  // "found the byte 0xe9 at offset 3, expected UTF-8"
};
std::optional<BadByte> find_bad_byte(std::string_view text);

// The first character of a text that has one, for a terminal.
struct PrintableCharacter {
  std::string shown;  // as it is; of a control character, a line break or a stray byte: \xNN
  size_t width = 0;   // of `shown`, in characters
  size_t bytes = 0;   // of the text
};
PrintableCharacter first_printable(std::string_view text);

// The value in double quotes for an error message, in one line: its printable characters, at most
// 40 bytes of it.
std::string in_quotes(std::string_view value);

}  // namespace textcrs
