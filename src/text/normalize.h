// The first half of the tokenizer: rules 1 to 5 of textcrs/text/tokenizer.h.
#pragma once

#include <string>
#include <string_view>

namespace textcrs {

// The text in the alphabet of the second half: a-z, 0-9, ASCII punctuation, the space as the only
// separator, and bytes from 0x80 on, all of which are word characters. (A symbol beyond ASCII is
// written once for a run, with spaces around it.)
std::string normalize(std::string_view text);

}  // namespace textcrs
