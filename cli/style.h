// Colour on a terminal, used sparingly. Only the program knows it: what the library says is plain.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace textcrs::cli {

enum class Style { kHeading, kAnswer, kNoAnswer, kError };

// "always" and "never" hold for every stream. "auto", where it begins: a stream that is a terminal,
// unless $NO_COLOR is set or the terminal is a dumb one.
void choose_color(const std::string& choice);

// The text in the style if the stream has colour, else as it is.
std::string styled(Style style, std::string_view text, std::FILE* stream = stdout);

// The same for a part of the text: its start, if it is that, and its first line.
std::string styled_start(Style style, std::string_view start, const std::string& text);
std::string styled_first_line(Style style, const std::string& text);

// A text for a terminal that may have styles: whatever else a terminal would obey is shown as \xNN,
// but for line breaks and tabs.
std::string printable_styled(std::string_view text);

}  // namespace textcrs::cli
