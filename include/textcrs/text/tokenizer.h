// From a text to words, for word models. A "word" of every certificate is a token of this function.
//
// (The helper who implements this documents each rule here.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

// Never throws: bytes that are not UTF-8 separate words like white space does.
std::vector<std::string> tokenize(std::string_view text);

}  // namespace textcrs
