// Rule 9 of textcrs/text/tokenizer.h: small numbers in letters.
#pragma once

#include <string_view>

namespace textcrs {

// "10" -> "ten", "3rd" -> "third", "80s" -> "eighties"; any other word as it is.
std::string_view spell_number(std::string_view word);

}  // namespace textcrs
