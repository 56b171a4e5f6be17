// The first half of the tokenizer: rules 1 to 5 of textcrs/text/tokenizer.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace textcrs {

// The text in the alphabet of the second half: a-z, 0-9, ASCII punctuation, the space as the only
// separator, and bytes from 0x80 on, all of which are word characters. (A symbol beyond ASCII is
// written once for a run, with spaces around it.)
std::string normalize(std::string_view text);

// A code point, or what Windows-1252 means by U+0080 to U+009F; 0: nothing.
int32_t read_windows_1252(int32_t code);

// Rule 3: what vanishes from within a word, and what separates words.
bool is_invisible(int32_t code);
bool is_separator(int32_t code);

}  // namespace textcrs
